(** Numbers for as many cells as possible, and disjoint intervals: completability.md, "Unseen gone cards",
    "The refusal". *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Lists EarliestDeadline.
Import ListNotations.
Open Scope Z_scope.

Lemma count_filter : forall A (f g : A -> bool) l, count f (filter g l) = count (fun x => f x && g x) l.
Proof.
  intros A f g l. induction l as [| x l IH]; [reflexivity |]. simpl. rewrite count_cons, <- IH.
  destruct (g x); [rewrite count_cons |]; destruct (f x); reflexivity.
Qed.

Section Deficiency.

Variable C : Type.
Variable eqb : C -> C -> bool.
Hypothesis eqb_spec : forall p q, reflect (p = q) (eqb p q).
Variables lo hi : C -> Z.

(** What an interval lacks: the cells whose windows lie inside less the numbers inside. *)
Definition lack (L : list Z) (U : list C) (i : Z * Z) : Z :=
  Z.of_nat (held lo hi (fst i) (snd i) U) - Z.of_nat (room (fst i) (snd i) L).

(** The sum of some number over a list. *)
Fixpoint total {I} (f : I -> Z) (l : list I) : Z := match l with [] => 0 | i :: l => f i + total f l end.

Lemma total_le : forall I (f g : I -> Z) l, (forall i, In i l -> f i <= g i) -> total f l <= total g l.
Proof.
  intros I f g l H. induction l as [| i l IH]; simpl; [lia |].
  pose proof (H i (or_introl eq_refl)). specialize (IH (fun j J => H j (or_intror J))). lia.
Qed.

(** Intervals from left to right, the first one from s on: each ends at or before the beginning of the
    next. *)
Fixpoint apart (s : Z) (l : list (Z * Z)) : Prop :=
  match l with [] => True | (a, b) :: l => s <= a /\ apart (Z.max a b) l end.

Definition proper (l : list (Z * Z)) : Prop := Forall (fun i => fst i < snd i) l.

Lemma apart_from : forall l s i, apart s l -> In i l -> s <= fst i.
Proof.
  induction l as [| [a b] l IH]; intros s i A I; [destruct I |]. simpl in A. destruct A as [S A].
  destruct I as [<- | I]; [exact S |]. specialize (IH _ _ A I). lia.
Qed.

Lemma apart_lower : forall l s s', s' <= s -> apart s l -> apart s' l.
Proof. intros [| [a b] l] s s' L A; simpl in *; [trivial |]. destruct A. split; [lia | trivial]. Qed.

(** * Such a list refutes *)

(** "That such a list refutes is counting: each interval needs at least as many other numbers as it lacks." *)
Theorem lacking_uses_others : forall A U f (located used : Z -> bool) l s, NoDup U -> choice lo hi A U f ->
  (forall p, In p U -> used (f p) = true) -> apart s l ->
  total (lack (filter located A) U) l <=
    Z.of_nat (count (fun v => (s <? v) && (negb (located v) && used v)) A).
Proof.
  intros A U f located used l s N Ch Us. revert s.
  induction l as [| [a b] l IH]; intros s Ap; simpl in *; [lia |].
  destruct Ap as [Sa Ap]. specialize (IH _ Ap).
  assert (H : (held lo hi a b U <= room a b (filter used A))%nat).
  { apply necessity with f; trivial. destruct Ch as [W D]. split; [| exact D]. intros p I.
    destruct (W p I) as [M B]. split; trivial. apply filter_In. auto. }
  unfold lack at 1. simpl. unfold room in *. rewrite !count_filter in *.
  rewrite (count_split _ _ located) in H.
  set (x := count (fun v => (a <? v) && (v <? b) && used v && located v) A) in *.
  set (y := count (fun v => (a <? v) && (v <? b) && used v && negb (located v)) A) in *.
  assert (X : (x <= count (fun v => ((a <? v) && (v <? b) && located v)%Z) A)%nat)
    by (apply count_le; intros v _; rewrite !andb_true_iff; tauto).
  assert (Y : (y + count (fun v => ((Z.max a b <? v) && (negb (located v) && used v))%Z) A <=
    count (fun v => ((s <? v) && (negb (located v) && used v))%Z) A)%nat).
  { rewrite (count_split _ (fun v => (s <? v) && (negb (located v) && used v)) (fun v => v <? Z.max a b)).
    apply Nat.add_le_mono; apply count_le; intros v _;
      rewrite !andb_true_iff, ?negb_true_iff, ?Z.ltb_lt, ?Z.ltb_ge; intuition lia. }
  lia.
Qed.

(** * As many as possible *)

(** Earliest deadline first, where cells that come too late are dropped. *)
Fixpoint deal_most (A : list Z) (U : list C) : list (C * Z) :=
  match A with
  | [] => []
  | v :: A' =>
    let U' := filter (fun p => v <? hi p) U in
    match pick C lo hi v U' with
    | None => deal_most A' U'
    | Some p => (p, v) :: deal_most A' (without eqb p U')
    end
  end.

Lemma deal_most_cells : forall A U, NoDup U -> NoDup (map fst (deal_most A U)) /\
  incl (map fst (deal_most A U)) U.
Proof.
  induction A as [| v A IH]; intros U N; simpl; [split; [constructor | intros p []] |].
  set (U' := filter (fun p => v <? hi p) U). assert (N' : NoDup U') by (apply NoDup_filter, N).
  assert (Inc : incl U' U) by (intros p I; apply filter_In in I; apply I).
  destruct (pick C lo hi v U') as [p |] eqn:P; simpl.
  - destruct (IH (without eqb p U') (NoDup_filter _ N')) as [M J].
    assert (J' : forall q, In q (map fst (deal_most A (without eqb p U'))) -> In q U' /\ p <> q)
      by (intros q I; apply J in I; apply in_without in I; trivial).
    split.
    + constructor; trivial. intros I. destruct (J' p I). congruence.
    + intros q [<- | I]; [apply Inc; eapply pick_in; eassumption | apply Inc, (J' q I)].
  - destruct (IH U' N') as [M J]. split; trivial. intros q I. apply Inc, J, I.
Qed.

Lemma deal_most_sound : forall A U, NoDup U -> StronglySorted Z.lt A ->
  choice lo hi A (map fst (deal_most A U)) (value_of eqb (deal_most A U)).
Proof.
  intros A U N S. revert U N. induction S as [| v A S IH F]; intros U N; simpl; [apply choice_nil |].
  set (U' := filter (fun p => v <? hi p) U). assert (N' : NoDup U') by (apply NoDup_filter, N).
  rewrite Forall_forall in F. destruct (pick C lo hi v U') as [p |] eqn:P.
  - destruct (IH (without eqb p U') (NoDup_filter _ N')) as [W D].
    destruct (deal_most_cells A (without eqb p U') (NoDup_filter _ N')) as [_ J].
    set (m := deal_most A (without eqb p U')) in *.
    assert (Np : forall q, In q (map fst m) -> p <> q)
      by (intros q I; apply J in I; apply in_without in I; tauto).
    destruct (pick_some _ _ _ _ _ _ P) as (Lp & _). pose proof (pick_in _ _ _ _ _ _ P) as I.
    apply filter_In in I. destruct I as [_ Hp]. apply Z.ltb_lt in Hp. simpl. split.
    + intros q I. rewrite value_of_cons. destruct (eqb_spec p q) as [<- | Q]; [split; [left |]; auto |].
      destruct I as [I | I]; [congruence |]. destruct (W q I) as [M B]. split; [right |]; trivial.
    + intros a b I K. rewrite !value_of_cons.
      destruct (eqb_spec p a) as [<- | Qa], (eqb_spec p b) as [<- | Qb]; intros E; trivial.
      * destruct K as [K | K]; [congruence |]. destruct (W b K) as [M _]. specialize (F _ M). lia.
      * destruct I as [I | I]; [congruence |]. destruct (W a I) as [M _]. specialize (F _ M). lia.
      * destruct I as [I | I], K as [K | K]; try congruence. apply D; trivial.
  - destruct (IH U' N') as [W D]. split; trivial. intros q I. destruct (W q I) as [M B].
    split; [right |]; trivial.
Qed.

(** What an interval lacks where nothing up to s is left. *)
Definition lack_from (s : Z) (L : list Z) (U : list C) (i : Z * Z) : Z :=
  Z.of_nat (held_from C lo hi s (fst i) (snd i) U) - Z.of_nat (room (fst i) (snd i) L).

(** The cells left over are those that disjoint intervals lack. *)
Lemma deal_most_lacks : forall A, StronglySorted Z.lt A -> forall U s, NoDup U -> Forall (Z.lt s) A ->
  (forall p, In p U -> s < hi p) ->
  exists l, apart s l /\ proper l /\
    Z.of_nat (length U) <= Z.of_nat (length (deal_most A U)) + total (lack_from s A U) l.
Proof.
  intros A SA. induction SA as [| v A SA IH F]; intros U s N Fs H.
  - destruct U as [| r U]; [exists []; simpl; repeat split; [constructor | lia] |].
    destruct (least_of C (fun q => - hi q) (r :: U)) as (q & I & M); [discriminate |].
    exists [(s, hi q)]. split; [simpl; lia |]. split; [repeat constructor; simpl; auto |].
    assert (E : held_from C lo hi s s (hi q) (r :: U) = length (r :: U)).
    { apply count_all. intros p J. specialize (M p J). apply andb_true_iff. rewrite !Z.leb_le. lia. }
    cbn [total]. unfold lack_from. cbn [fst snd]. rewrite E. simpl. lia.
  - inversion Fs as [| ? ? Vs _]; subst. rewrite Forall_forall in F. cbn [deal_most].
    set (D := filter (fun p => negb (v <? hi p)) U). set (U' := filter (fun p => v <? hi p) U).
    assert (N' : NoDup U') by (apply NoDup_filter, N).
    assert (H' : forall p, In p U' -> v < hi p) by (intros p I; apply filter_In in I; apply Z.ltb_lt, I).
    assert (Len : length U = (length D + length U')%nat).
    { pose proof (count_split _ (fun _ => true) (fun p => v <? hi p) U) as X. rewrite count_all in X
        by trivial.
      cbn [andb] in X. unfold count in X. fold D U' in X. lia. }
    (* cells counted in U but not in U' *)
    assert (Up : forall t a b, (held_from C lo hi t a b U' <= held_from C lo hi t a b U)%nat).
    { intros t a b. unfold held_from, U'. rewrite count_filter. apply count_le.
      intros p _. rewrite andb_true_iff. tauto. }
    (* the interval of the cells dropped now, put before others *)
    assert (Drop : forall l, apart v l -> proper l ->
      exists l', apart s l' /\ proper l' /\
        Z.of_nat (length D) + total (lack_from s (v :: A) U) l <= total (lack_from s (v :: A) U) l').
    { intros l Al Pl. exists ((s, v) :: l). split; [simpl; rewrite Z.max_r by lia; split; [lia | trivial] |].
      split; [constructor; trivial |].
      assert (E : (length D <= held_from C lo hi s s v U)%nat).
      { apply count_le. intros p _. rewrite negb_true_iff, Z.ltb_ge, andb_true_iff, !Z.leb_le. lia. }
      assert (R : room s v (v :: A) = 0%nat).
      { apply count_none. intros x [<- | I]; apply andb_false_iff; right; apply Z.ltb_ge; [lia |].
        specialize (F x I). lia. }
      cbn [total]. unfold lack_from at 2. cbn [fst snd]. rewrite R. lia. }
    destruct (pick C lo hi v U') as [p |] eqn:P.
    + destruct (pick_some _ _ _ _ _ _ P) as (Lp & M & _). pose proof (pick_in _ _ _ _ _ _ P) as I.
      set (W := without eqb p U') in *. assert (NW : NoDup W) by (apply NoDup_filter, N').
      assert (InW : forall q, In q W -> In q U' /\ p <> q) by (intros q J; apply in_without in J; trivial).
      destruct (IH W v NW) as (l & Al & Pl & T);
        [apply Forall_forall; trivial | intros q J; apply H', InW, J |].
      assert (LenW : length U' = S (length W)).
      { pose proof (count_without _ eqb eqb_spec (fun _ => true) p U' N' I) as X. fold W in X.
        rewrite !count_all in X by trivial. exact X. }
      assert (CW : forall t a b, (held_from C lo hi t a b W <= held_from C lo hi t a b U')%nat).
      { intros t a b. unfold held_from, W, without. rewrite count_filter. apply count_le.
        intros q _. rewrite andb_true_iff. tauto. }
      (* intervals that begin after v lack no less *)
      assert (Later : forall i, v < fst i -> lack_from v A W i <= lack_from s (v :: A) U i).
      { intros [a b] Lt. simpl in Lt. unfold lack_from. cbn [fst snd].
        assert (E1 : (held_from C lo hi v a b W <= held_from C lo hi s a b W)%nat).
        { apply count_le. intros q _. rewrite !andb_true_iff, !Z.leb_le. lia. }
        assert (E2 : room a b (v :: A) = room a b A).
        { unfold room. rewrite count_cons. destruct (Z.ltb_spec a v); [lia | reflexivity]. }
        pose proof (CW s a b). pose proof (Up s a b). lia. }
      destruct l as [| [a b] l].
      * destruct (Drop [] Logic.I (Forall_nil _)) as (l' & A' & P' & T'). exists l'. repeat (split; trivial).
        cbn [total length] in *. lia.
      * inversion Pl as [| ? ? Pab Pl']; subst. simpl in Pab. destruct Al as [Va Al].
        assert (Rest : total (lack_from v A W) l <= total (lack_from s (v :: A) U) l).
        { apply total_le. intros i J. apply Later. pose proof (apart_from _ _ _ Al J). lia. }
        cbn [total] in T. destruct (Z.eq_dec a v) as [-> | Av].
        -- destruct (Z.leb_spec (hi p) b) as [Hb | Hb].
           ++ (* from s on the cell chosen and those dropped are counted as well *)
              exists ((s, b) :: l). rewrite Z.max_r in Al by lia.
              split; [simpl; rewrite Z.max_r by lia; split; [lia | trivial] |].
              split; [constructor; trivial; simpl; lia |]. cbn [total].
              assert (E : (length D + S (held_from C lo hi v v b W) <= held_from C lo hi s s b U)%nat).
              { unfold held_from at 2. rewrite (count_split _ _ (fun q => negb (v <? hi q))).
                apply Nat.add_le_mono.
                - apply count_le. intros q _. rewrite !andb_true_iff, negb_true_iff, Z.ltb_ge, !Z.leb_le.
                  rewrite <- Z.ltb_ge. intros X. split; [| rewrite X; trivial]. apply Z.ltb_ge in X. lia.
                - pose proof (count_without _ eqb eqb_spec (fun q => (s <=? Z.max (lo q) s) &&
                    (hi q <=? b)) p U' N' I)
                    as X. cbv beta in X. fold W in X.
                  rewrite (proj2 (Z.leb_le _ _) Hb), (proj2 (Z.leb_le s (Z.max (lo p) s))) in X by lia.
                  cbn [andb] in X.
                  apply Nat.le_trans with (count (fun q => (s <=? Z.max (lo q) s) && (hi q <=? b)) U').
                  + rewrite X. apply le_n_S. apply count_le. intros q _. rewrite !andb_true_iff, !Z.leb_le.
                    lia.
                  + unfold U'. rewrite count_filter. apply count_le. intros q _.
                    rewrite !andb_true_iff, !negb_involutive.
                    tauto. }
              assert (E2 : (room s b (v :: A) <= S (room v b A))%nat).
              { unfold room. rewrite count_cons.
                rewrite (count_eq _ (fun w => (s <? w) && (w <? b)) (fun w => (v <? w) && (w <? b)) A)
                  by (intros x J; specialize (F x J); rewrite !andb_true_iff, !Z.ltb_lt; lia).
                destruct ((s <? v) && (v <? b)); lia. }
              unfold lack_from at 1 in T. unfold lack_from at 1. cbn [fst snd length] in *. lia.
           ++ (* no waiting cell is counted *)
              destruct (Drop ((v, b) :: l)) as (l' & A' & P' & T'); [split; [lia | trivial] | trivial |].
              exists l'. repeat (split; trivial). cbn [total] in T'.
              assert (E : (held_from C lo hi v v b W <= held_from C lo hi s v b W)%nat).
              { apply count_le. intros q J. destruct (InW q J) as [J' _]. rewrite !andb_true_iff, !Z.leb_le.
                intros [_ Hq]. destruct (Z_lt_le_dec (lo q) v) as [Wq | Wq]; [specialize (M q J' Wq) |]; lia.
                }
              assert (E2 : room v b (v :: A) = room v b A)
                by (unfold room; rewrite count_cons, Z.ltb_irrefl; reflexivity).
              pose proof (CW s v b). pose proof (Up s v b).
              unfold lack_from at 1 in T. unfold lack_from at 1 in T'. cbn [fst snd length] in *. lia.
        -- destruct (Drop ((a, b) :: l)) as (l' & A' & P' & T'); [split; [lia | trivial] | trivial |].
           exists l'. repeat (split; trivial). cbn [total] in T'.
           assert (lack_from v A W (a, b) <= lack_from s (v :: A) U (a, b)) by (apply Later; simpl; lia).
           cbn [length]. lia.
    + (* nobody waits *)
      pose proof (pick_none _ _ _ _ _ P) as M.
      destruct (IH U' v N') as (l & Al & Pl & T); trivial; [apply Forall_forall; trivial |].
      destruct (Drop l Al Pl) as (l' & A' & P' & T'). exists l'. repeat (split; trivial).
      assert (total (lack_from v A U') l <= total (lack_from s (v :: A) U) l); [| lia].
      apply total_le. intros [a b] J. pose proof (apart_from _ _ _ Al J) as Va. simpl in Va.
      unfold lack_from. cbn [fst snd].
      assert (E1 : (held_from C lo hi v a b U' <= held_from C lo hi s a b U')%nat).
      { apply count_le. intros q K. specialize (M q K). rewrite !andb_true_iff, !Z.leb_le. lia. }
      assert (E2 : room a b (v :: A) = room a b A).
      { unfold room. rewrite count_cons. destruct (Z.ltb_spec a v); [lia | reflexivity]. }
      pose proof (Up s a b). lia.
Qed.

(** "It is the greatest sum, over disjoint intervals (a, b), of the cells whose windows lie inside less the
    located numbers inside": the cells that get no number are no more than some list of disjoint intervals
    lacks. *)
Theorem left_over_are_lacking : forall A U s, NoDup U -> StronglySorted Z.lt A ->
  Forall (Z.lt s) A -> (forall p, In p U -> s <= lo p < hi p) ->
  exists l, apart s l /\ proper l /\ Z.of_nat (length U) <= Z.of_nat (length (deal_most A U)) +
    total (lack A U) l.
Proof.
  intros A U s N S F W. destruct (deal_most_lacks A S U s N F) as (l & Al & Pl & T).
  { intros p I. specialize (W p I). lia. }
  exists l. repeat (split; trivial). eapply Z.le_trans; [exact T |]. apply Zplus_le_compat_l.
  apply total_le. intros [a b] _. unfold lack_from, lack, held. cbn [fst snd].
  assert (E : (held_from C lo hi s a b U <= count (fun p => ((a <=? lo p) && (hi p <=? b))%Z) U)%nat).
  { apply count_le. intros p I. specialize (W p I). rewrite !andb_true_iff, !Z.leb_le. lia. }
  lia.
Qed.

(** "It places as many as can be placed where not all can." *)
Theorem deal_most_is_most : forall A U, NoDup U -> StronglySorted Z.lt A ->
  (forall p, In p U -> lo p < hi p) ->
  forall S f, NoDup S -> incl S U -> choice lo hi A S f -> (length S <= length (deal_most A U))%nat.
Proof.
  intros A U N SA W S f NS Inc Ch. set (inside := fun p => existsb (eqb p) S).
  assert (Ins : forall p, inside p = true <-> In p S).
  { intros p. unfold inside. rewrite existsb_exists. split.
    - intros (q & I & E). destruct (eqb_spec p q); congruence.
    - intros I. exists p. split; trivial. destruct (eqb_spec p p); congruence. }
  assert (Main : forall l s, apart s l -> proper l ->
    total (lack A U) l <= Z.of_nat (count (fun p => (s <=? lo p) && negb (inside p)) U)).
  { induction l as [| [a b] l IH]; intros s Ap Pr; cbn [total]; [lia |].
    destruct Ap as [Sa Ap]. inversion Pr as [| ? ? Pab Pr']; subst. cbn [fst snd] in Pab.
    rewrite Z.max_r in Ap by lia. specialize (IH b Ap Pr').
    assert (H : (held lo hi a b (filter inside U) <= room a b A)%nat).
    { apply necessity with f; [apply NoDup_filter, N |]. destruct Ch as [Wc D]. split.
      - intros p I. apply filter_In in I. apply Wc, Ins, I.
      - intros p q I J. apply filter_In in I, J. apply D; apply Ins; [apply I | apply J]. }
    unfold lack at 1. cbn [fst snd]. unfold held in *. rewrite count_filter in H.
    rewrite (count_split _ _ inside).
    assert (Y : (count (fun p => ((a <=? lo p) && (hi p <=? b))%Z && negb (inside p)) U +
        count (fun p => (b <=? lo p)%Z && negb (inside p)) U <=
        count (fun p => (s <=? lo p)%Z && negb (inside p)) U)%nat).
    { rewrite (count_split _ (fun p => (s <=? lo p) && negb (inside p)) (fun p => lo p <? b)).
      apply Nat.add_le_mono; apply count_le; intros p I; specialize (W p I);
        rewrite !andb_true_iff, ?negb_true_iff, ?Z.ltb_lt, ?Z.ltb_ge, !Z.leb_le; intuition lia. }
    lia. }
  destruct (a_low_number C lo A U) as (s & F & Low).
  destruct (left_over_are_lacking A U s N SA F) as (l & Al & Pl & T).
  { intros p I. specialize (Low p I). specialize (W p I). lia. }
  specialize (Main l s Al Pl).
  assert (Out : (count (fun p => (s <=? lo p)%Z && negb (inside p)) U <=
    count (fun p => negb (inside p)) U)%nat)
    by (apply count_le; intros p _; rewrite andb_true_iff; tauto).
  assert (In' : (length S <= count inside U)%nat).
  { apply NoDup_incl_length; trivial. intros p I. apply filter_In. split; [apply Inc, I | apply Ins, I]. }
  pose proof (count_split _ (fun _ => true) inside U) as X. rewrite count_all in X by trivial.
  cbn [andb] in X. change (fun x => inside x) with inside in X. lia.
Qed.

(** "Intervals with no lack are left out." *)
Lemma lacking_only : forall (f : Z * Z -> Z) l s, apart s l -> proper l ->
  let l' := filter (fun i => 0 <? f i) l in
  apart s l' /\ proper l' /\ total f l <= total f l' /\ Forall (fun i => 0 < f i) l'.
Proof.
  intros f l. induction l as [| [a b] l IH]; intros s A P; simpl in *;
    [repeat split; trivial; try lia; constructor |].
  destruct A as [Sa A]. inversion P as [| ? ? Pab P']; subst. destruct (IH _ A P') as (A' & P'' & T & G).
  destruct (Z.ltb_spec 0 (f (a, b))) as [Pos | Neg]; simpl.
  - repeat split; trivial; [constructor; trivial | lia | constructor; trivial].
  - repeat split; trivial; [| lia]. apply apart_lower with (Z.max a b); [lia | trivial].
Qed.

End Deficiency.

Arguments lack {C}.
Arguments deal_most {C}.

(** Cells 1, 2 with the window (0, 2) and 3 with (4, 9): of 1, 5 one of the first two and 3 get a number. *)
Example deal_most_example :
  let lo p := if p =? 3 then 4 else 0 in let hi p := if p =? 3 then 9 else 2 in
  deal_most Z.eqb lo hi [1; 5] [1; 2; 3] = [(1, 1); (3, 5)] /\ lack lo hi [1; 5] [1; 2; 3] (0, 2) = 1.
Proof. vm_compute. auto. Qed.
