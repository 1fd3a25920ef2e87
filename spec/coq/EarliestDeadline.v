(** Earliest deadline first, and the counting condition: completability.md, "The theorem" and "Deciding
    it". *)

From Coq Require Import List ZArith Lia Bool Sorted Permutation.
From Couperation Require Import Lists.
Import ListNotations.
Open Scope Z_scope.

Section EarliestDeadline.

(** Cells of any kind, each with a window: the numbers strictly between [lo] and [hi]. *)
Variable C : Type.
Variable eqb : C -> C -> bool.
Hypothesis eqb_spec : forall p q, reflect (p = q) (eqb p q).
Variables lo hi : C -> Z.

(** * The method *)

(** "The waiting cell with the least hi, of several the first": of those with lo < v. *)
Fixpoint pick (v : Z) (U : list C) : option C :=
  match U with
  | [] => None
  | p :: U' =>
    match pick v U' with
    | None => if lo p <? v then Some p else None
    | Some q => if (lo p <? v) && (hi p <=? hi q) then Some p else Some q
    end
  end.

(** "Go through A from its least member upward (...). Give v to the waiting cell with the least hi, of several
    the first; if that cell has hi <= v there is no filling. When every cell has a number, these are a
    filling. If A ends before, there is none." *)
Fixpoint edf (A : list Z) (U : list C) : option (list (C * Z)) :=
  match U, A with
  | [], _ => Some []
  | _, [] => None
  | _, v :: A' =>
    match pick v U with
    | None => edf A' U
    | Some p =>
      if hi p <=? v then None
      else match edf A' (without eqb p U) with None => None | Some m => Some ((p, v) :: m) end
    end
  end.

Lemma pick_none : forall v U, pick v U = None -> forall p, In p U -> v <= lo p.
Proof.
  intros v U. induction U as [| q U IH]; simpl; intros E p I; [destruct I |].
  destruct (pick v U); [destruct (_ && _); discriminate |].
  destruct (Z.ltb_spec (lo q) v); [discriminate |]. destruct I as [<- |]; auto.
Qed.

(** The cell chosen is waiting, no waiting cell has a smaller hi, and those before it in the list have a
    greater. *)
Lemma pick_some : forall v U p, pick v U = Some p ->
  lo p < v /\ (forall q, In q U -> lo q < v -> hi p <= hi q) /\
  exists U1 U2, U = U1 ++ p :: U2 /\ forall q, In q U1 -> lo q < v -> hi p < hi q.
Proof.
  intros v U. induction U as [| r U IH]; simpl; intros p E; [discriminate |].
  destruct (pick v U) as [s |] eqn:P.
  - destruct (IH s eq_refl) as (L & M & U1 & U2 & EU & F).
    destruct (Z.ltb_spec (lo r) v) as [W | W]; [destruct (Z.leb_spec (hi r) (hi s)) as [D | D] |];
      simpl in E; injection E as <-.
    + split; [| split]; trivial.
      * intros q [<- | I] Q; [lia | specialize (M q I Q); lia].
      * exists [], U. split; [reflexivity | intros q []].
    + split; [| split]; trivial.
      * intros q [<- | I] Q; [lia | auto].
      * exists (r :: U1), U2. subst U. split; [reflexivity |]. intros q [<- | I] Q; [lia | auto].
    + split; [| split]; trivial.
      * intros q [<- | I] Q; [lia | auto].
      * exists (r :: U1), U2. subst U. split; [reflexivity |]. intros q [<- | I] Q; [lia | auto].
  - destruct (Z.ltb_spec (lo r) v) as [W | W]; [| discriminate]. injection E as <-.
    pose proof (pick_none _ _ P) as N. split; [| split]; trivial.
    + intros q [<- | I] Q; [lia | specialize (N q I); lia].
    + exists [], U. split; [reflexivity | intros q []].
Qed.

Lemma pick_in : forall v U p, pick v U = Some p -> In p U.
Proof.
  intros v U p P. destruct (pick_some _ _ _ P) as (_ & _ & U1 & U2 & -> & _).
  apply in_or_app. right. left. reflexivity.
Qed.

(** * A choice of numbers *)

(** "Distinct members of A inside the windows." *)
Definition choice (A : list Z) (U : list C) (f : C -> Z) : Prop :=
  (forall p, In p U -> In (f p) A /\ lo p < f p < hi p) /\
  (forall p q, In p U -> In q U -> f p = f q -> p = q).

Lemma choice_nil : forall A f, choice A [] f.
Proof. intros A f. split; [intros p [] | intros p q []]. Qed.

(** The number that a list of pairs gives to a cell. *)
Definition value_of (m : list (C * Z)) (p : C) : Z :=
  match find (fun x => eqb (fst x) p) m with Some (_, v) => v | None => 0 end.

Lemma value_of_cons : forall p v m q, value_of ((p, v) :: m) q = if eqb p q then v else value_of m q.
Proof. intros p v m q. unfold value_of. simpl. destruct (eqb p q); reflexivity. Qed.

Lemma edf_nil : forall A, edf A [] = Some [].
Proof. intros [| v A]; reflexivity. Qed.

(** One step of the method, told apart by what it does. *)
Lemma edf_step : forall v A U m, U <> [] -> edf (v :: A) U = Some m ->
  pick v U = None /\ edf A U = Some m \/
  exists p m', pick v U = Some p /\ v < hi p /\ edf A (without eqb p U) = Some m' /\ m = (p, v) :: m'.
Proof.
  intros v A U m N E. destruct U as [| r U]; [congruence |]. cbn [edf] in E.
  destruct (pick v (r :: U)) as [p |]; [right | auto].
  destruct (Z.leb_spec (hi p) v); [discriminate |].
  destruct (edf A (without eqb p (r :: U))) as [m' |] eqn:F; [| discriminate].
  injection E as <-. exists p, m'. auto.
Qed.

Lemma edf_cells : forall A U m, NoDup U -> edf A U = Some m -> Permutation (map fst m) U.
Proof.
  induction A as [| v A IH]; intros U m N E; destruct U as [| r U].
  - injection E as <-. constructor.
  - discriminate.
  - injection E as <-. constructor.
  - destruct (edf_step v A (r :: U) m ltac:(discriminate) E) as [[_ F] | (p & m' & P & _ & F & ->)]; auto.
    cbn [map fst]. rewrite (IH (without eqb p (r :: U)) m' (NoDup_filter _ N) F).
    apply permutation_without; trivial. apply pick_in with v, P.
Qed.

(** All numbers given are among those gone through. *)
Lemma edf_members : forall A U m p, NoDup U -> edf A U = Some m -> In p U -> In (value_of m p) A.
Proof.
  induction A as [| v A IH]; intros U m p N E I; (destruct U as [| r U]; [destruct I |]); [discriminate |].
  destruct (edf_step v A (r :: U) m ltac:(discriminate) E) as [[_ F] | (q & m' & P & _ & F & ->)].
  - right. eapply IH; eassumption.
  - rewrite value_of_cons. destruct (eqb_spec q p) as [-> | D]; [left; reflexivity | right].
    eapply IH; [| eassumption |]; [apply NoDup_filter, N | apply in_without; auto].
Qed.

(** What the method finds is a choice. *)
Theorem edf_sound : forall A U m, NoDup U -> StronglySorted Z.lt A -> edf A U = Some m ->
  choice A U (value_of m).
Proof.
  intros A U m N S E. revert U m N E. induction S as [| v A S IH F]; intros U m N E.
  - destruct U as [| r U]; [apply choice_nil | discriminate].
  - destruct U as [| r U]; [apply choice_nil |].
    destruct (edf_step v A (r :: U) m ltac:(discriminate) E) as [[_ G] | (p & m' & P & H & G & ->)].
    + destruct (IH _ _ N G) as [W D]. split; trivial. intros q I. destruct (W q I) as [M B].
      split; [right |]; trivial.
    + destruct (IH _ _ (NoDup_filter _ N) G) as [W D].
      assert (X : forall q, In q (r :: U) -> p <> q -> In q (without eqb p (r :: U)))
        by (intros q I Q; apply in_without; auto).
      rewrite Forall_forall in F. destruct (pick_some _ _ _ P) as (L & _).
      split.
      * intros q I. rewrite value_of_cons. destruct (eqb_spec p q) as [<- | Q]; [split; [left |]; auto |].
        destruct (W q (X q I Q)) as [M B]. split; [right |]; trivial.
      * intros a b I J. rewrite !value_of_cons.
        destruct (eqb_spec p a) as [<- | Qa], (eqb_spec p b) as [<- | Qb]; intros V; trivial.
        -- destruct (W b (X b J Qb)) as [M _]. specialize (F _ M). lia.
        -- destruct (W a (X a I Qa)) as [M _]. specialize (F _ M). lia.
        -- apply D; auto.
Qed.

(** * The condition *)

(** "The free cells p with a <= lo(p) and hi(p) <= b", and "the members of A strictly between a and b". *)
Definition held (a b : Z) (U : list C) : nat := count (fun p => (a <=? lo p) && (hi p <=? b)) U.
Definition room (a b : Z) (A : list Z) : nat := count (fun v => (a <? v) && (v <? b)) A.

(** A violated interval holds more cells than members of A. *)
Definition violated (A : list Z) (U : list C) (a b : Z) : Prop := (room a b A < held a b U)%nat.

(** Necessity: "the cells counted for a, b have distinct numbers of A strictly between a and b." *)
Lemma necessity : forall A U f a b, NoDup U -> choice A U f -> (held a b U <= room a b A)%nat.
Proof.
  intros A U f a b N [W D]. unfold held, room, count. apply injection_length with (f := f).
  - apply NoDup_filter, N.
  - intros p I. apply filter_In in I. destruct I as [I T]. destruct (W p I) as [M B].
    apply filter_In. split; trivial. apply andb_true_iff in T. rewrite !Z.leb_le in T.
    apply andb_true_iff. rewrite !Z.ltb_lt. lia.
  - intros p q I J. apply filter_In in I, J. apply D; tauto.
Qed.

(** The cells counted where nothing up to s is left: a window then begins at s at the earliest. *)
Definition held_from (s a b : Z) (U : list C) : nat :=
  count (fun p => (a <=? Z.max (lo p) s) && (hi p <=? b)) U.

Lemma held_from_some : forall s a b U p, In p U -> a <= Z.max (lo p) s -> hi p <= b ->
  (1 <= held_from s a b U)%nat.
Proof.
  intros s a b U p I L H. unfold held_from. eapply count_some; [eassumption |].
  apply andb_true_iff. rewrite !Z.leb_le. auto.
Qed.

(** Where the method fails, an interval is violated. *)
Lemma edf_fails : forall A, StronglySorted Z.lt A -> forall U s, NoDup U -> Forall (Z.lt s) A ->
  edf A U = None ->
  exists a b, s <= a /\ (room a b A < held_from s a b U)%nat.
Proof.
  intros A S. induction S as [| v A S IH F]; intros U s N Fs E.
  - destruct U as [| p U]; [discriminate |]. exists (Z.max (lo p) s), (hi p). split; [lia |].
    pose proof (held_from_some s (Z.max (lo p) s) (hi p) (p :: U) p (or_introl eq_refl)).
    unfold room, count; simpl. lia.
  - inversion Fs as [| ? ? Vs _]; subst. rewrite Forall_forall in F.
    destruct U as [| r U]; [discriminate |]. cbn [edf] in E. remember (r :: U) as W eqn:EW. clear EW.
    destruct (pick v W) as [p |] eqn:P.
    + destruct (pick_some _ _ _ P) as (L & M & _). pose proof (pick_in _ _ _ P) as I.
      destruct (Z.leb_spec (hi p) v) as [H | H].
      * (* the cell chosen is too late: between its bounds nothing is left *)
        exists (Z.max (lo p) s), (hi p). split; [lia |].
        pose proof (held_from_some s (Z.max (lo p) s) (hi p) W p I).
        replace (room (Z.max (lo p) s) (hi p) (v :: A)) with 0%nat; [lia |].
        symmetry. apply count_none. intros x [<- | J]; apply andb_false_iff; right; apply Z.ltb_ge; trivial.
        specialize (F x J). lia.
      * destruct (edf A (without eqb p W)) as [m |] eqn:G; [discriminate |].
        destruct (IH (without eqb p W) v (NoDup_filter _ N)) as (a & b & A1 & A2); trivial;
          [apply Forall_forall; trivial |].
        pose proof (count_without _ eqb eqb_spec (fun q => (a <=? Z.max (lo q) s) && (hi q <=? b)) p W N I) as
          R.
        cbv beta in R. fold (held_from s a b W) (held_from s a b (without eqb p W)) in R.
        destruct (Z.eq_dec a v) as [-> | Av].
        -- destruct (Z.leb_spec (hi p) b) as [Hb | Hb].
           ++ (* the cell chosen is counted as well, from s on *)
              exists s, b. split; [lia |].
              pose proof (count_without _ eqb eqb_spec (fun q => (s <=? Z.max (lo q) s) &&
                (hi q <=? b)) p W N I) as R'.
              cbv beta in R'. fold (held_from s s b W) (held_from s s b (without eqb p W)) in R'.
              rewrite (proj2 (Z.leb_le _ _) Hb), (proj2 (Z.leb_le s (Z.max (lo p) s))) in R' by lia.
              cbn [andb] in R'.
              assert (Q : held_from s s b (without eqb p W) = held_from v v b (without eqb p W)).
              { apply count_eq. intros q _. rewrite !andb_true_iff, !Z.leb_le. lia. }
              unfold room in *. rewrite count_cons.
              rewrite (count_eq _ (fun w => (s <? w) && (w <? b)) (fun w => (v <? w) && (w <? b)) A)
                by (intros x J; specialize (F x J); rewrite !andb_true_iff, !Z.ltb_lt; lia).
              destruct ((s <? v) && (v <? b)); lia.
           ++ (* no waiting cell is counted *)
              exists v, b. split; [lia |].
              assert (Q : (held_from v v b (without eqb p W) <= held_from s v b (without eqb p W))%nat).
              { apply count_le. intros q J. apply in_without in J; trivial. destruct J as [J _].
                rewrite !andb_true_iff, !Z.leb_le. intros [_ Hq].
                destruct (Z_lt_le_dec (lo q) v) as [Wq | Wq]; [specialize (M q J Wq) |]; lia. }
              unfold room in *. rewrite count_cons, Z.ltb_irrefl. simpl. lia.
        -- (* the interval begins above v *)
           exists a, b. split; [lia |].
           assert (Q : held_from s a b (without eqb p W) = held_from v a b (without eqb p W)).
           { apply count_eq. intros q _. rewrite !andb_true_iff, !Z.leb_le. lia. }
           unfold room in *. rewrite count_cons. destruct (Z.ltb_spec a v); [lia |]. simpl. lia.
    + (* nobody waits *)
      pose proof (pick_none _ _ P) as M.
      destruct (IH W v N) as (a & b & A1 & A2); trivial; [apply Forall_forall; trivial |].
      exists a, b. split; [lia |].
      assert (Q : held_from s a b W = held_from v a b W).
      { apply count_eq. intros q J. specialize (M q J). rewrite !andb_true_iff, !Z.leb_le. lia. }
      unfold room in *. rewrite count_cons. destruct (Z.ltb_spec a v); [lia |]. simpl. lia.
Qed.

(** Some number is below all that occur. *)
Lemma a_low_number : forall A U, exists s, Forall (Z.lt s) A /\ forall p, In p U -> s <= lo p.
Proof.
  intros A U. induction A as [| v A (s & F & L)].
  - induction U as [| p U (s & F & L)]; [exists 0; split; [constructor | intros p []] |].
    exists (Z.min s (lo p)). split; [constructor |]. intros q [<- | I]; [lia | specialize (L q I); lia].
  - exists (Z.min s (v - 1)). split.
    + constructor; [lia |]. eapply Forall_impl; [| exact F]. intros x. simpl. lia.
    + intros p I. specialize (L p I). lia.
Qed.

Theorem edf_complete : forall A U, NoDup U -> StronglySorted Z.lt A -> edf A U = None ->
  exists a b, violated A U a b.
Proof.
  intros A U N S E. destruct (a_low_number A U) as (s & F & L).
  destruct (edf_fails A S U s N F E) as (a & b & _ & V). exists a, b. unfold violated.
  replace (held a b U) with (held_from s a b U); trivial.
  apply count_eq. intros p I. specialize (L p I). rewrite !andb_true_iff, !Z.leb_le. lia.
Qed.

(** The theorem for distinct numbers: a choice exists iff the method finds one iff no interval is violated. *)
Theorem choice_iff_edf : forall A U, NoDup U -> StronglySorted Z.lt A ->
  (exists f, choice A U f) <-> (exists m, edf A U = Some m).
Proof.
  intros A U N S. split.
  - intros (f & Ch). destruct (edf A U) as [m |] eqn:E; [eauto |].
    destruct (edf_complete A U N S E) as (a & b & V). unfold violated in V.
    pose proof (necessity A U f a b N Ch). lia.
  - intros (m & E). exists (value_of m). apply edf_sound; trivial.
Qed.

Theorem choice_iff_condition : forall A U, NoDup U -> StronglySorted Z.lt A ->
  (exists f, choice A U f) <-> (forall a b, (held a b U <= room a b A)%nat).
Proof.
  intros A U N S. split.
  - intros (f & Ch) a b. eapply necessity; eassumption.
  - intros Cond. apply choice_iff_edf; trivial. destruct (edf A U) as [m |] eqn:E; [eauto |].
    destruct (edf_complete A U N S E) as (a & b & V). unfold violated in V. specialize (Cond a b). lia.
Qed.

(** * The ends *)

(** The least and the greatest of some numbers are among them. *)
Lemma least_of : forall (f : C -> Z) U, U <> [] -> exists p, In p U /\ forall q, In q U -> f p <= f q.
Proof.
  intros f U N. induction U as [| p U IH]; [congruence |]. destruct U as [| r U].
  - exists p. split; [left; trivial |]. intros q [<- | []]. lia.
  - destruct IH as (m & I & M); [discriminate |]. destruct (Z_le_gt_dec (f p) (f m)).
    + exists p. split; [left; trivial |]. intros q [<- | J]; [lia | specialize (M q J); lia].
    + exists m. split; [right; trivial |]. intros q [<- | J]; [lia | auto].
Qed.

(** "Raise a to the least lo and lower b to the greatest hi among them: the same cells are counted, against
    fewer numbers or as many, and by Lemma 2 the ends are still a < b." *)
Theorem ends : forall A U a b, violated A U a b -> (forall p, In p U -> lo p < hi p) ->
  exists p q, In p U /\ In q U /\ a <= lo p /\ hi q <= b /\ lo p < hi q /\ violated A U (lo p) (hi q).
Proof.
  intros A U a b V W. unfold violated in *.
  set (test := fun p => (a <=? lo p) && (hi p <=? b)). set (X := filter test U).
  assert (NX : X <> []) by (unfold held, count in V; fold test in V; fold X in V; destruct X;
    [simpl in V; lia | discriminate]).
  destruct (least_of lo X NX) as (p & Ip & Mp). destruct (least_of (fun q => - hi q) X NX) as (q & Iq & Mq).
  assert (Ip' := Ip). assert (Iq' := Iq). unfold X, test in Ip', Iq'.
  rewrite filter_In, andb_true_iff, !Z.leb_le in Ip', Iq'.
  destruct Ip' as (Up & Ap & Bp), Iq' as (Uq & Aq & Bq).
  exists p, q. repeat (split; [trivial; lia |]). split.
  - specialize (Mp q Iq). specialize (W q Uq). lia.
  - assert (H : (held a b U <= held (lo p) (hi q) U)%nat).
    { apply count_le. intros r I T. assert (J : In r X) by (apply filter_In; auto).
      specialize (Mp r J). specialize (Mq r J). simpl in Mq. apply andb_true_iff. rewrite !Z.leb_le. lia. }
    assert (R : (room (lo p) (hi q) A <= room a b A)%nat).
    { apply count_le. intros v _. rewrite !andb_true_iff, !Z.ltb_lt. lia. }
    lia.
Qed.

(** "Of all violated intervals the one with the fewest cells, of these the narrowest (b - a) (...). Its ends
    are ends of windows, for otherwise shrinking it as above keeps the cells and makes it narrower." *)
Corollary narrowest_ends : forall A U a b, violated A U a b -> (forall p, In p U -> lo p < hi p) ->
  (forall c d, violated A U c d -> (held a b U <= held c d U)%nat) ->
  (forall c d, violated A U c d -> held c d U = held a b U -> b - a <= d - c) ->
  exists p q, In p U /\ In q U /\ a = lo p /\ b = hi q.
Proof.
  intros A U a b V W Few Narrow. destruct (ends A U a b V W) as (p & q & I & J & Lp & Hq & _ & V').
  exists p, q. split; [trivial |]. split; [trivial |].
  assert (E : held (lo p) (hi q) U = held a b U).
  { apply Nat.le_antisymm; [| apply Few, V']. apply count_le.
    intros r _. rewrite !andb_true_iff, !Z.leb_le. lia. }
  specialize (Narrow _ _ V' E). lia.
Qed.

(** "The number of cells grows with b; so the first violated one is the best for this a." *)
Lemma held_grows : forall U a b c, b <= c -> (held a b U <= held a c U)%nat.
Proof. intros U a b c L. apply count_le. intros p _. rewrite !andb_true_iff, !Z.leb_le. lia. Qed.

(** So where no window is reversed, "only those a need a look that are the lower end of some window, and those
    b that are the upper end of one", with a < b. *)
Theorem choice_iff_ends : forall A U, NoDup U -> StronglySorted Z.lt A -> (forall p, In p U -> lo p < hi p) ->
  (exists f, choice A U f) <->
  (forall p q, In p U -> In q U -> lo p < hi q -> (held (lo p) (hi q) U <= room (lo p) (hi q) A)%nat).
Proof.
  intros A U N S W. rewrite choice_iff_condition by trivial. split; [auto |].
  intros Cond a b. destruct (Nat.le_gt_cases (held a b U) (room a b A)) as [| V]; trivial.
  destruct (ends A U a b V W) as (p & q & I & J & _ & _ & L & V'). specialize (Cond p q I J L).
  unfold violated in V'. lia.
Qed.

(** * In order *)

(** "It needs no exchange": where the list is a linear extension of an order and windows are monotone along
    it, what the method finds is in order. *)
Theorem edf_in_order : forall (lt earlier : C -> C -> Prop) A U m,
  (forall p q, lt p q -> earlier p q) -> (forall p, ~ earlier p p) ->
  (forall p q r, earlier p q -> earlier q r -> earlier p r) ->
  (forall p q, lt p q -> lo p <= lo q /\ hi p <= hi q) ->
  StronglySorted earlier U -> StronglySorted Z.lt A -> edf A U = Some m ->
  forall p q, In p U -> In q U -> lt p q -> value_of m p < value_of m q.
Proof.
  intros lt earlier A U m Ext Irr Tr Mono SU SA E. revert U m SU E.
  induction SA as [| v A SA IH F]; intros U m SU E p q Ip Iq L; (destruct U as [| r U]; [destruct Ip |]);
    [discriminate |].
  destruct (edf_step v A (r :: U) m ltac:(discriminate) E) as [[_ G] | (c & m' & P & _ & G & ->)].
  - eapply IH; eassumption.
  - rewrite !value_of_cons. rewrite Forall_forall in F.
    assert (N : NoDup (without eqb c (r :: U))).
    { apply NoDup_filter. clear - SU Irr. induction SU as [| x l S IH G]; constructor; trivial.
      intros I. rewrite Forall_forall in G. exact (Irr x (G x I)). }
    destruct (eqb_spec c p) as [<- | Dp], (eqb_spec c q) as [<- | Dq].
    + exfalso. exact (Irr c (Ext _ _ L)).
    + (* p is chosen now, q later *)
      apply F. eapply edf_members; [exact N | exact G | apply in_without; auto].
    + (* q is chosen while p waits: impossible *)
      exfalso. destruct (pick_some _ _ _ P) as (Lc & _ & U1 & U2 & EU & M).
      destruct (Mono _ _ L) as [Ml Mh]. rewrite EU in Ip, SU. apply in_app_or in Ip.
      destruct Ip as [Ip | [-> | Ip]].
      * specialize (M p Ip). lia.
      * congruence.
      * exact (Irr c (Tr _ _ _ (sorted_split _ _ _ _ _ _ SU Ip) (Ext _ _ L))).
    + eapply IH; [apply sorted_filter, SU | exact G | apply in_without; auto | apply in_without;
        auto | trivial].
Qed.

End EarliestDeadline.

Arguments edf {C}.
Arguments choice {C}.
Arguments held {C}.
Arguments violated {C}.
Arguments value_of {C}.

(** Cells 1, 2, 3 with the windows (0, 4), (0, 3), (2, 9): of 1, 2, 3, 7 they get 2, 1 and 3. Without 7 and 3,
    the third one gets nothing. *)
Example edf_example :
  let hi p := if p =? 1 then 4 else if p =? 2 then 3 else 9 in
  let lo p := if p =? 3 then 2 else 0 in
  edf Z.eqb lo hi [1; 2; 3; 7] [1; 2; 3] = Some [(2, 1); (1, 2); (3, 3)] /\
  edf Z.eqb lo hi [1; 2] [1; 2; 3] = None /\ room 2 9 [1; 2] = 0%nat /\ held lo hi 2 9 [1; 2; 3] = 1%nat.
Proof. vm_compute. auto. Qed.
