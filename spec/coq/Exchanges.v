(** The checks of [exchanges] and [replacements] miss no final tower: table.md, "Cards against actions D".
    *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Least Prices.
Import ListNotations.
Open Scope nat_scope.

Lemma once_join : forall X (l m : list X), NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) ->
  NoDup (l ++ m).
Proof.
  intros X l m N M D. induction N as [| x l Nx N IH]; simpl; trivial. constructor.
  - rewrite in_app_iff. intros [I | I]; [tauto |]. exact (D x (or_introl eq_refl) I).
  - apply IH. intros y I. apply D. right. trivial.
Qed.

Lemma sum_map : forall X Y (g : X -> Y) w l, sum w (map g l) = sum (fun x => w (g x)) l.
Proof. intros X Y g w l. induction l as [| x l IH]; simpl; auto. Qed.

Section Tower.

  Variable t : card -> option nat.
  Variable r : rulings.
  Variable b : bool.
  Variable p : position.
  Variable s : table.
  Variable T : tower.
  Variable n : nat.
  Variable cap : Z.
  Variable l : Z.

  Hypothesis S0 : sound r s.
  Hypothesis H : fits p s.
  Hypothesis Fi : final r s T.
  Hypothesis Hp : has_price r s T.
  Hypothesis Bl : bill t r b s T = Some n.
  Hypothesis Sp : (Z.of_nat n <= cap)%Z.
  Hypothesis Pl : forall x, inside levels l x <-> In x (map fst T).

  (** ** The numbers of the final tower by column and level *)

  Definition number_at (c h : nat) : nat :=
    match at_cell T (cell_at l c h) with
    | Some k => match face k with Glass v => Z.to_nat v | F => 0 end
    | None => 0
    end.

  Definition on (c h : nat) : Prop := on_board (tops_of r) c h.

  Lemma on_bounds : forall c h, on c h -> c <= 6 /\ 1 <= h /\ c + h <= 7 /\ (finish r = true -> h <= 6).
  Proof.
    intros c h (C & R). unfold tops_of in *. destruct (finish r); simpl in C;
      do 7 (destruct c as [| c]; [simpl in R; lia |]); lia.
  Qed.

  Lemma on_top : forall c, on c (nth c (tops_of r) 0) -> c + nth c (tops_of r) 0 = 7 \/
    (finish r = true /\ c = 0 /\ nth c (tops_of r) 0 = 6).
  Proof.
    intros c (C & _). unfold tops_of in *. destruct (finish r); simpl in C;
      do 7 (destruct c as [| c]; [simpl; auto |]); lia.
  Qed.

  Lemma on_inside : forall c h, on c h -> inside levels l (cell_at l c h).
  Proof. intros c h O. apply on_bounds in O. unfold inside, cell_at, levels, col, lev. simpl. lia. Qed.

  (** Below the apex, or without F, each cell of the final tower has a Glass card. *)
  Lemma glass_there : forall x, inside levels l x -> (finish r = true -> lev x <> Z.of_nat levels) ->
    exists v, In (x, Up (Glass v)) T /\ (1 <= v <= 50)%Z.
  Proof.
    intros x I N. apply Pl in I. apply in_map_iff in I. destruct I as ([y k] & E & I). simpl in E. subst y.
    pose proof (final_up _ _ _ Fi x k I) as U. destruct k as [c | c]; [| discriminate].
    assert (Fc : In c (faces T)) by exact (in_map (fun e => face (snd e)) _ _ I).
    destruct (final_from _ _ _ Fi c Fc) as [A _]. destruct c as [v |].
    - exists v. split; trivial. exact (sound_numbers _ _ S0 v A).
    - exfalso. destruct (finish r) eqn:Fv; [| exact (sound_variant _ _ S0 Fv A)].
      destruct (finish_ends_on_apex _ _ _ Fv Fi) as (y & J & L).
      apply (N eq_refl). rewrite <- L. f_equal.
      exact (faces_one T x y (Up F) (Up F) (final_once _ _ _ Fi) I J eq_refl).
  Qed.

  Lemma number_there : forall c h, on c h -> exists v, In (cell_at l c h, Up (Glass v)) T /\
    (1 <= v <= 50)%Z /\ number_at c h = Z.to_nat v /\ glass (number_at c h) = Glass v.
  Proof.
    intros c h O. destruct (glass_there (cell_at l c h)) as (v & I & R); [apply on_inside; trivial | |].
    - intros Fv. apply on_bounds in O. destruct O as (_ & _ & _ & O).
      specialize (O Fv). unfold cell_at, levels, lev. simpl. lia.
    - exists v. assert (number_at c h = Z.to_nat v) as E.
      { unfold number_at. rewrite (proj1 (at_cell_in T _ _ (final_cells _ _ _ Fi)) I). trivial. }
      repeat split; trivial; try lia. unfold glass. rewrite E, Z2Nat.id by lia. trivial.
  Qed.

  (** TOW01 and TOW02 between Glass cards, whose numbers differ. *)
  Lemma rises : forall x y v w, In (x, Up (Glass v)) T -> In (y, Up (Glass w)) T -> x <> y ->
    x = left_support y \/ y = right_support x \/ (lev x = lev y /\ (col x < col y)%Z) -> (v < w)%Z.
  Proof.
    intros x y v w I J N C. destruct (final_order _ _ _ Fi) as (R & L & G).
    assert (Sx : shows r T x v) by (exists (Glass v); auto).
    assert (Sy : shows r T y w) by (exists (Glass w); auto).
    assert (D : v <> w).
    { intros E. apply N. apply (faces_one T x y _ _ (final_once _ _ _ Fi) I J). simpl. congruence. }
    assert (Q : exists q, less q v w).
    { destruct C as [-> | [-> | [C1 C2]]].
      - exists (between_strict r). exact (L y v w Sx Sy).
      - exists (between_strict r). exact (G x v w Sx Sy).
      - exists (row_strict r). exact (R x y v w Sx Sy C1 C2). }
    destruct Q as [q Q]. unfold less in Q. destruct q; lia.
  Qed.

  Lemma cell_at_inj : forall c h d g, cell_at l c h = cell_at l d g -> c = d /\ h = g.
  Proof. intros c h d g E. unfold cell_at in E. inversion E. lia. Qed.

  (** ** The bounds of F on the apex *)

  (** Below the apex, numbers rise along the order. *)
  Lemma glass_rises : finish r = true -> forall x y v w,
    inside_but_apex levels l x -> inside_but_apex levels l y -> below x y ->
    In (x, Up (Glass v)) T -> In (y, Up (Glass w)) T -> (v < w)%Z.
  Proof.
    intros Fv x y v w Ix Iy B.
    assert (C : Relation_Operators.clos_trans _ (step_in (inside_but_apex levels l)) x y).
    { apply below_generated_without_apex; [unfold levels; lia | auto]. }
    clear Ix Iy B. revert v w. induction C as [x y (Ix & Iy & St) | x z y C1 IH1 C2 IH2]; intros v w X Y.
    - apply (rises x y v w X Y).
      + intros E. subst y. exact (below_irrefl x (step_below _ _ St)).
      + destruct St as [[_ E] | [_ E]]; auto.
    - destruct (steps_below _ _ _ C1) as (_ & [Iz Nz] & _).
      destruct (glass_there z Iz) as (u & Z & _).
      { intros _ L. apply Nz. apply cell_ext; unfold inside, apex, col, lev in *; simpl in *; lia. }
      apply Z.lt_trans with u; auto.
  Qed.

  Lemma bound_kept : forall x v, inside levels l x -> In (x, Up (Glass v)) T ->
    bound_by_F r l x (Z.to_nat v) = true.
  Proof.
    intros x v Ix X. unfold bound_by_F. destruct (finish r) eqn:Fv; trivial.
    destruct (finish_value r) eqn:Vl; trivial.
    destruct (finish_ends_on_apex _ _ _ Fv Fi) as (a & A & La).
    assert (Ia : inside levels l a) by (apply Pl; exact (in_map fst _ _ A)).
    assert (Ea : a = apex levels l).
    { apply cell_ext; unfold inside, apex, col, lev in *; simpl in *; lia. }
    assert (Sa : shows r T a 25%Z) by (exists F; unfold read, num; rewrite Vl; auto).
    destruct (final_order _ _ _ Fi) as (_ & L & G).
    assert (Nx : x <> a).
    { intros E. subst x. pose proof (once_laid _ _ _ _ (final_cells _ _ _ Fi) A X). discriminate. }
    assert (Rv : (1 <= v)%Z).
    { apply (sound_numbers _ _ S0). apply (final_from _ _ _ Fi).
      exact (in_map (fun e => face (snd e)) _ _ X). }
    assert (Bx : inside_but_apex levels l x) by (split; [trivial | congruence]).
    apply andb_true_iff. split; apply orb_true_iff.
    - destruct (belowb x (apex levels l)) eqn:B; [right | auto]. apply belowb_true in B. rewrite <- Ea in B.
      assert (Il : inside_but_apex levels l (left_support a)).
      { subst a. split; [cell_lia |]. intros E. apply (f_equal lev) in E. cell_lia. }
      destruct (glass_there _ (proj1 Il)) as (u & U & _); [intros _; subst a; cell_lia |].
      assert (Lu : less (between_strict r) u 25) by (apply (L a); trivial; exists (Glass u); auto).
      assert (Vu : (v <= u)%Z).
      { destruct (cell_dec x (left_support a)) as [E | Nl].
        - subst x. pose proof (once_laid _ _ _ _ (final_cells _ _ _ Fi) U X) as E. inversion E. lia.
        - enough (v < u)%Z by lia. apply (glass_rises Fv x (left_support a)); trivial.
          subst a. clear -B Nl Ix. destruct x as [c h].
          unfold below, inside, left_support, apex, col, lev in *.
          simpl in *. destruct B as (B1 & B2 & B3). split; [trivial |]. split; [lia |].
          assert (h <> 7%Z) by (intros ->; apply B1; f_equal; lia). lia. }
      unfold less in Lu. apply Nat.ltb_lt. destruct (between_strict r); lia.
    - destruct (belowb (apex levels l) x) eqn:B; [right | auto]. apply belowb_true in B. rewrite <- Ea in B.
      assert (Ir : inside_but_apex levels l (right_support a)).
      { subst a. split; [cell_lia |]. intros E. apply (f_equal lev) in E. cell_lia. }
      destruct (glass_there _ (proj1 Ir)) as (u & U & Ru); [intros _; subst a; cell_lia |].
      assert (Lu : less (between_strict r) 25 u) by (apply (G a); trivial; exists (Glass u); auto).
      assert (Vu : (u <= v)%Z).
      { destruct (cell_dec x (right_support a)) as [E | Nl].
        - subst x. pose proof (once_laid _ _ _ _ (final_cells _ _ _ Fi) U X) as E. inversion E. lia.
        - enough (u < v)%Z by lia. apply (glass_rises Fv (right_support a) x); trivial.
          subst a. clear -B Nl Ix. destruct x as [c h].
          unfold below, inside, right_support, apex, col, lev in *.
          simpl in *. destruct B as (B1 & B2 & B3). split; [congruence |].
          assert (c <> l) by (intros ->; apply B1; f_equal; lia). lia. }
      unfold less in Lu. apply Nat.ltb_lt. destruct (between_strict r); lia.
  Qed.

  (** ** What the cells cost *)

  (** The bill has an item for each card. *)
  Definition item (e : cell * laid) : nat :=
    match worth t (price r b s e) (face (snd e)) with Some k => k | None => 0 end.

  Lemma bill_items : forall V m, bill t r b s V = Some m ->
    m = sum item V /\ forall e, In e V -> worth t (price r b s e) (face (snd e)) = Some (item e).
  Proof.
    induction V as [| e V IH]; simpl; intros m E; [inversion E; split; [trivial | tauto] |].
    destruct (worth t (price r b s e) (face (snd e))) as [k |] eqn:W; [| discriminate].
    destruct (bill t r b s V) as [j |]; [| discriminate]. inversion E; subst.
    destruct (IH j eq_refl) as [-> A]. assert (item e = k) as Ek by (unfold item; rewrite W; trivial).
    split; [lia |]. intros d [<- | I]; [congruence | auto].
  Qed.

  Definition worth_at (x : cell) (c : card) : nat :=
    match worth t (p_price r b p x c) c with Some k => k | None => 0 end.

  Lemma price_least : forall x c, In (x, Up c) T ->
    worth t (p_price r b p x c) c = Some (worth_at x c) /\ worth_at x c <= item (x, Up c).
  Proof.
    intros x c I. unfold worth_at. destruct (bill_items _ _ Bl) as [_ It]. specialize (It _ I). simpl in It.
    destruct (p_price r b p x c) eqn:P; [simpl; split; [trivial | lia] |].
    assert (E : price r b s (x, Up c) = 1).
    { apply (p_price_least r b p s x (Up c) S0 H). simpl. congruence. }
    rewrite E in It. simpl in *. rewrite It. auto.
  Qed.

  Definition cost_at (c h : nat) : nat := worth_at (cell_at l c h) (glass (number_at c h)).

  Lemma costs_there : forall c h, on c h -> p_cost t r b p l c h (number_at c h) = Some (cost_at c h).
  Proof.
    intros c h O. destruct (number_there c h O) as (v & I & R & E & G). unfold p_cost, cost_at. rewrite G.
    set (x := cell_at l c h) in *.
    assert (G1 : seen_in (p_gone p) (Glass v) = false).
    { destruct (seen_in (p_gone p) (Glass v)) eqn:Se; trivial. apply seen_in_some in Se. exfalso.
      assert (Fc : In (Glass v) (faces T)) by exact (in_map (fun e => face (snd e)) _ _ I).
      destruct (final_from _ _ _ Fi _ Fc) as [_ N]. apply N. exact (seen_some _ _ _ (fits_gone _ _ H) Se). }
    assert (K : p_kept r p x && negb (p_price r b p x (Glass v) =? 0) = false).
    { destruct (p_kept r p x) eqn:Kp; trivial. simpl. apply negb_false_iff, Nat.eqb_eq.
      destruct (Nat.eq_dec (p_price r b p x (Glass v)) 0) as [| Np]; trivial. exfalso.
      pose proof (p_price_least r b p s x (Up (Glass v)) S0 H Np) as P1.
      pose proof (p_kept_kept r p s x (sound_cells _ _ S0) H Kp) as Kt.
      pose proof (p_kept_laid r p s x (sound_cells _ _ S0) H Kp) as La. apply laid_at_in in La.
      destruct La as (k0 & At). apply at_cell_in in At; [| apply S0].
      unfold price in P1. simpl in P1. rewrite At in P1.
      apply at_cell_in in At; [| apply S0]. apply (Hp x k0 (Up (Glass v)) At I); trivial.
      destruct (again r x); [auto | right]. simpl in P1. intros Ef. apply same_card_true in Ef.
      simpl in Ef. rewrite Ef in P1. discriminate. }
    rewrite G1, K, E, (bound_kept x v (on_inside c h O) I). simpl.
    apply (price_least x (Glass v) I).
  Qed.

  (** ** Each cell once *)

  Definition board : list (nat * nat) :=
    flat_map (fun c => map (pair c) (seq 1 (nth c (tops_of r) 0))) (seq 0 (length (tops_of r))).

  Lemma board_on : forall c h, In (c, h) board <-> on c h.
  Proof.
    intros c h. unfold board, on, on_board. rewrite in_flat_map. split.
    - intros (d & D & I). apply in_map_iff in I. destruct I as (g & E & I). inversion E; subst.
      apply in_seq in D. apply in_seq in I. lia.
    - intros (C & R). exists c. split; [apply in_seq; lia |]. apply in_map, in_seq. lia.
  Qed.

  Lemma board_once : NoDup board.
  Proof.
    unfold board. generalize (tops_of r). intros tops. generalize (seq_NoDup (length tops) 0).
    generalize (seq 0 (length tops)). intros cs N. induction N as [| c cs D N IH]; simpl; [constructor |].
    apply once_join; trivial.
    - apply FinFun.Injective_map_NoDup; [intros x y E; congruence | apply seq_NoDup].
    - intros [d h] I J. apply in_map_iff in I. destruct I as (g & E & _). inversion E; subst d h.
      apply in_flat_map in J. destruct J as (d & Dd & J). apply in_map_iff in J. destruct J as (g' & E' & _).
      inversion E'; subst d. tauto.
  Qed.

  Lemma ideal_board :
    ideal_price (tops_of r) cost_at (tops_of r) = sum (fun e => cost_at (fst e) (snd e)) board.
  Proof.
    unfold ideal_price, board. induction (seq 0 (length (tops_of r))) as [| c cs IH]; simpl; trivial.
    rewrite IH, sum_app. f_equal. unfold column_price.
    induction (seq 1 (nth c (tops_of r) 0)) as [| h hs IHh]; simpl; auto.
  Qed.
  (** The cells below the apex, and F on it, cost no more than the bill. *)
  Lemma board_within : exists m, F_cost t r b p = Some m /\
    ideal_price (tops_of r) cost_at (tops_of r) + m <= n.
  Proof.
    destruct (bill_items _ _ Bl) as [En It]. rewrite ideal_board, En.
    pose (g := fun e : nat * nat => (cell_at l (fst e) (snd e), Up (glass (number_at (fst e) (snd e))))).
    assert (In_T : incl (map g board) T).
    { intros e I. apply in_map_iff in I. destruct I as ([c h] & <- & I). apply board_on in I.
      destruct (number_there c h I) as (v & J & _ & _ & G). unfold g. simpl. rewrite G. trivial. }
    assert (Once : NoDup (map g board)).
    { apply FinFun.Injective_map_NoDup; [| apply board_once]. intros [c h] [d k] E.
      apply (f_equal fst) in E. apply cell_at_inj in E. destruct E. simpl in *. congruence. }
    assert (Le : sum (fun e => cost_at (fst e) (snd e)) board <= sum item (map g board)).
    { rewrite sum_map. apply sum_least. intros [c h] I. apply board_on in I. simpl.
      destruct (number_there c h I) as (v & J & _ & _ & G). unfold cost_at. unfold g. simpl. rewrite G.
      apply (price_least _ _ J). }
    unfold F_cost. destruct (finish r && b && seen_in (p_reserve p) F) eqn:Fc.
    - rewrite !andb_true_iff in Fc. destruct Fc as ((Fv & Eb) & Se).
      destruct (finish_ends_on_apex _ _ _ Fv Fi) as (a & A & La).
      apply seen_in_some in Se. pose proof (seen_some _ _ _ (fits_reserve _ _ H) Se) as Rf.
      assert (At : at_cell (laid_cards s) a = None).
      { destruct (at_cell (laid_cards s) a) as [k |] eqn:At; trivial. exfalso.
        apply at_cell_in in At; [| apply S0]. destruct (sound_apex _ _ S0 a k At La) as [_ Ek].
        specialize (Ek Fv). subst k. apply (laid_alone s F (sound_cards _ _ S0)).
        - exact (in_map (fun e => face (snd e)) _ _ At).
        - rewrite !in_app_iff. auto. }
      assert (P1 : price r b s (a, Up F) = 1).
      { unfold price. simpl. rewrite At, Eb, (proj2 (holds_true _ _) Rf). trivial. }
      pose proof (It _ A) as Ia. rewrite P1 in Ia. simpl in Ia. exists (item (a, Up F)). split; trivial.
      assert (Na : ~ In (a, Up F) (map g board)).
      { intros I. apply in_map_iff in I. destruct I as ([c h] & E & _). unfold g, glass in E. inversion E. }
      pose proof (sum_within _ item ((a, Up F) :: map g board) T) as W. simpl in W.
      assert (item (a, Up F) + sum item (map g board) <= sum item T); [| lia].
      apply W; [constructor; trivial |]. intros e [<- | I]; auto.
    - exists 0. split; trivial. pose proof (sum_within _ item (map g board) T Once In_T). lia.
  Qed.

  (** ** The check finds a tower at this place *)

  Lemma place_dealt : incl (map fst (p_tower p)) (map fst T) ->
    (forall c h, on c h -> p_cost t r b p l c h (number_at c h) = Some (cost_at c h)) ->
    (exists m, F_cost t r b p = Some m /\
      (Z.of_nat (ideal_price (tops_of r) cost_at (tops_of r) + m) <= cap)%Z) ->
    place_affordable t r b p cap l = true.
  Proof.
    intros La Co (m & Fm & Le). unfold place_affordable. apply andb_true_iff. split.
    - apply forallb_forall. intros [x k] I. apply insideb_true, Pl, La. exact (in_map fst _ _ I).
    - rewrite Fm. apply andb_true_iff. split; [lia |].
      apply affordable_complete with (f := number_at) (w := cost_at).
      + intros c h O. destruct (number_there c h O) as (v & _ & R & E & _). lia.
      + intros c h d k O Q E. destruct (number_there c h O) as (v & I & R & Ev & _).
        destruct (number_there d k Q) as (u & J & Ru & Eu & _). apply cell_at_inj.
        apply (faces_one T _ _ _ _ (final_once _ _ _ Fi) I J). simpl. f_equal. lia.
      + intros c h O Q. destruct (number_there c h O) as (v & I & R & Ev & _).
        destruct (number_there c (S h) Q) as (u & J & Ru & Eu & _).
        enough (v < u)%Z by lia. apply (rises _ _ _ _ I J).
        * intros E. apply cell_at_inj in E. lia.
        * left. unfold cell_at, left_support, col, lev. cbn [fst snd]. f_equal; lia.
      + intros c h O Q. destruct (number_there (S c) h O) as (v & I & R & Ev & _).
        destruct (number_there _ _ Q) as (u & J & Ru & Eu & _).
        enough (u < v)%Z by lia. apply (rises _ _ _ _ J I).
        * intros E. apply cell_at_inj in E. lia.
        * destruct (le_lt_dec (S h) (nth c (tops_of r) 0)) as [Le1 | Gt].
          -- right. left. rewrite Nat.min_l by trivial. unfold cell_at, right_support, col, lev.
             cbn [fst snd]. f_equal; lia.
          -- right. right. unfold cell_at, col, lev. cbn [fst snd]. pose proof (on_bounds _ _ O).
             assert (Hh : Nat.min (S h) (nth c (tops_of r) 0) = nth c (tops_of r) 0) by lia.
             rewrite Hh in *. destruct (on_top c Q) as [E | (_ & -> & E)]; [| rewrite E in *]; lia.
      + intros c h O. apply on_bounds in O. unfold tops_of.
        destruct (finish r); do 7 (destruct c as [| c]; [simpl; lia |]); lia.
      + exact Co.
      + lia.
  Qed.

  Theorem place_found : place_affordable t r b p cap l = true.
  Proof.
    apply place_dealt; [| exact costs_there |].
    - rewrite (fits_cells _ _ H). exact (final_laid _ _ _ Fi).
    - destruct board_within as (m & E & Le). exists m. split; trivial. lia.
  Qed.

End Tower.

(** ** The checks *)

(** What every final tower costs more than. *)
Theorem dearer_costs : forall t r b p cap s T n, dearer t r b p cap = true -> sound r s -> fits p s ->
  final r s T -> has_price r s T -> bill t r b s T = Some n -> (Z.of_nat n > cap)%Z.
Proof.
  intros t r b p cap s T n C S H Fi Hp Bl.
  destruct (Z_gt_le_dec (Z.of_nat n) cap) as [G | L]; trivial. exfalso.
  unfold dearer in C. apply orb_true_iff in C. destruct C as [C | C]; [apply Z.ltb_lt in C; lia |].
  destruct (final_fills _ _ _ Fi) as (l & Pl & In_T).
  apply negb_true_iff in C. assert (existsb (place_affordable t r b p cap) (places r) = true); [| congruence].
  apply existsb_exists. exists l. split; trivial.
  exact (place_found t r b p s T n cap l S H Fi Hp Bl L In_T).
Qed.

(** Kind [exchanges] with any prices that a continuation can pay, on a position. *)
Theorem prices_check_dead : forall t r b p, prices_check t r b p = true ->
  (forall s, sound r s -> fits p s -> affords t r b s) -> dead_position r p.
Proof.
  intros t r b p C Af s S H. apply bill_dead with t b; auto.
  intros T n Fi Hp Bl. rewrite (fits_spare _ _ H). exact (dearer_costs _ _ _ _ _ _ _ _ C S H Fi Hp Bl).
Qed.

(** What is owed to actions D at the least. *)
Theorem dearer_owed : forall t r b p c s, dearer t r b p (Z.of_nat c - 1) = true ->
  affords t r b s -> sound r s -> fits p s ->
  forall ts s', wins r s ts s' -> c <= all_D ts + all_spent ts.
Proof.
  intros t r b p c s C Af S H. apply (bill_owed t r b s c S Af). intros T n Fi Hp Bl.
  pose proof (dearer_costs _ _ _ _ _ _ _ _ C S H Fi Hp Bl). lia.
Qed.

(** Kind [exchanges] with the price 1 for each card taken, and kind [replacements]. *)
Definition exchanges_check (r : rulings) (p : position) : bool := prices_check each_one r true p.
Definition replacements_check (r : rulings) (p : position) : bool := prices_check each_one r false p.

Theorem exchanges_check_dead : forall r p, exchanges_check r p = true -> dead_position r p.
Proof. intros r p C. apply (prices_check_dead _ _ _ _ C). intros s S _. apply affords_one. trivial. Qed.

Theorem replacements_check_dead : forall r p, replacements_check r p = true -> dead_position r p.
Proof. intros r p C. apply (prices_check_dead _ _ _ _ C). intros s S _. apply affords_one. trivial. Qed.

(** ** Examples *)

(** The 1 and the 27 at the bottom corners, and no card to spare: 26 cells with 25 numbers between them. *)
Definition corners (v : Z) (deck_size : nat) : position :=
  Position [[None; None; None]; [None; None; None]] (repeat None deck_size)
    [((3, 1), (true, Some (Glass 1))); ((9, 1), (true, Some (Glass v)))]%Z
    (repeat None 6) (repeat None (36 - deck_size)) 0 1.

Example corners_27 : replacements_check base (corners 27 20) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Example corners_28 : replacements_check base (corners 28 20) = false.
Proof. vm_cast_no_check (eq_refl false). Qed.

(** With a card to spare one of them may be replaced. *)
Example corners_27_spare : replacements_check base (corners 27 21) = false.
Proof. vm_cast_no_check (eq_refl false). Qed.
