(** When a tower can be completed: completability.md, "The theorem", for the printed board and any other. *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Lists Cells Windows EarliestDeadline Tower Filling.
Import ListNotations.
Open Scope Z_scope.

(** * Fillings and windows *)

Definition chosen (T : tower) (f : cell -> Z) : Prop := choice (lo_of T) (hi_of T) (available T) (free T) f.

(** Free cells in order. *)
Definition in_order (T : tower) (f : cell -> Z) : Prop :=
  forall p q, In p (free T) -> In q (free T) -> below p q -> f p < f q.

(** As many numbers that are not located stay unused as there are unseen gone cards. *)
Definition leaves (T : tower) (f : cell -> Z) : Prop :=
  (unseen T <= count (fun v => negb (memb v (located T)) &&
    negb (memb v (map f (free T)))) (available T))%nat.

Lemma available_rises_nodup : forall T, valid T -> NoDup (available T).
Proof. intros T V. apply (sorted_nodup _ Z.lt); [apply Z.lt_irrefl | apply (available_rises T V)]. Qed.

Lemma bounds_numbers : forall T, valid T -> numbers (top T) (bounds T).
Proof.
  intros T V b I. unfold bounds in I. apply in_app_or in I. pose proof (start_number T V).
  destruct I as [I | I].
  - apply in_map_iff in I. destruct I as ([p v] & <- & F). apply in_fixed in F.
    pose proof (up_numbers T V p v F). simpl. lia.
  - apply in_apex_bound in I. destruct I as [_ ->]. destruct (btw T); simpl; lia.
Qed.

(** A filling is a choice within the windows, in order, where the fixed cells agree: "the first two are in
    order by the window, two fixed ones because they agree". *)
Theorem filling_iff_choice : forall T f, valid T ->
  filling T f <-> agree below (bounds T) /\ chosen T f /\ in_order T f /\ leaves T f.
Proof.
  intros T f V. unfold filling, chosen, choice, in_order, lo_of, hi_of. fold (leaves T f). split.
  - intros (M & D & A & U). split; [| split; [| split]]; trivial.
    + intros b c B C. apply A; apply in_or_app; left; trivial.
    + split; [| exact D]. intros p I. split; [auto |]. pose proof (available_numbers T V _ (M p I)) as N.
      assert (J : In (Bound p (f p) (f p)) (all_bounds T f))
        by (apply in_or_app; right; apply in_map_iff; exists p; auto).
      split.
      * apply (above_lo cell below belowb belowb_true). split; [lia |]. intros b B L.
        apply (A b (Bound p (f p) (f p))); trivial. apply in_or_app. left. trivial.
      * apply (under_hi cell below belowb belowb_true). split; [lia |]. intros b B L.
        apply (A (Bound p (f p) (f p)) b); trivial. apply in_or_app. left. trivial.
    + intros p q I J L.
      apply (A (Bound p (f p) (f p)) (Bound q (f q) (f q))); trivial;
        apply in_or_app; right; apply in_map_iff; [exists p | exists q]; auto.
  - intros (A & (W & D) & O & U). split; [intros p I; apply W, I |]. split; [exact D |]. split; [| exact U].
    intros b c B C L. apply in_app_or in B, C. destruct B as [B | B], C as [C | C].
    + apply A; trivial.
    + apply in_map_iff in C. destruct C as (q & <- & J). destruct (W q J) as (_ & H & _).
      apply (above_lo cell below belowb belowb_true) in H. apply H; trivial.
    + apply in_map_iff in B. destruct B as (p & <- & I). destruct (W p I) as (_ & _ & H).
      apply (under_hi cell below belowb belowb_true) in H. apply H; trivial.
    + apply in_map_iff in B, C. destruct B as (p & <- & I), C as (q & <- & J). simpl. auto.
Qed.

(** * Sufficiency, the order *)

(** Earliest deadline first along the list of free cells. *)
Definition deal (T : tower) (B : list Z) : option (list (cell * Z)) := edf eqb (lo_of T) (hi_of T) B (free T).

(** What it deals out is in order. *)
Lemma deal_in_order : forall T B m, StronglySorted Z.lt B -> deal T B = Some m -> in_order T (value_of eqb m).
Proof.
  intros T B m S E p q I J L.
  apply (edf_in_order cell eqb eqb_spec (lo_of T) (hi_of T) below earlier B (free T) m); trivial;
    [apply below_earlier | apply earlier_irrefl | apply earlier_trans | | apply free_sorted].
  intros x y. apply (windows_monotone cell below belowb belowb_true below_trans).
Qed.

(** "Exchanging, as above, puts them in order without changing which are used": dealt out to the same
    numbers. *)
Definition used_of (T : tower) (f : cell -> Z) : list Z :=
  filter (fun v => memb v (map f (free T))) (available T).

Lemma used_of_rises : forall T f, valid T -> StronglySorted Z.lt (used_of T f).
Proof. intros T f V. apply sorted_filter, (available_rises T V). Qed.

Lemma deal_again : forall T f, valid T -> chosen T f -> exists m, deal T (used_of T f) = Some m.
Proof.
  intros T f V [W D]. apply (choice_iff_edf cell eqb eqb_spec); [apply free_nodup | apply used_of_rises, V |].
  exists f. split; [| exact D]. intros p I. destruct (W p I) as [M B]. split; trivial.
  apply filter_In. split; trivial. apply memb_true, in_map, I.
Qed.

Lemma deal_chosen : forall T B m, valid T -> incl B (available T) -> StronglySorted Z.lt B ->
  deal T B = Some m ->
  chosen T (value_of eqb m) /\ forall p, In p (free T) -> In (value_of eqb m p) B.
Proof.
  intros T B m V I S E.
  destruct (edf_sound cell eqb eqb_spec (lo_of T) (hi_of T) B (free T) m (free_nodup T) S E) as [W D].
  split; [split; [| exact D] |]; intros p P; destruct (W p P) as [M N]; auto.
Qed.

Theorem filling_exists_iff : forall T, valid T ->
  (exists f, filling T f) <-> agree below (bounds T) /\ exists f, chosen T f /\ leaves T f.
Proof.
  intros T V. split.
  - intros (f & F). apply filling_iff_choice in F; trivial. destruct F as (A & Ch & _ & L). eauto.
  - intros (A & f & Ch & L). destruct (deal_again T f V Ch) as (m & E).
    pose proof (used_of_rises T f V) as S.
    assert (Inc : incl (used_of T f) (available T)) by (intros v I; apply filter_In in I; apply I).
    destruct (deal_chosen T _ m V Inc S E) as [Ch' M].
    exists (value_of eqb m). apply filling_iff_choice; trivial. split; [| split; [| split]]; trivial.
    + apply (deal_in_order T (used_of T f)); trivial.
    + unfold leaves in *. eapply Nat.le_trans; [exact L |]. apply count_le.
      intros v I. rewrite !andb_true_iff, !negb_true_iff. intros [A1 A2]. split; trivial.
      destruct (memb v (map (value_of eqb m) (free T))) eqn:X; trivial. exfalso.
      apply memb_true, in_map_iff in X. destruct X as (p & <- & P). specialize (M p P).
      apply filter_In in M. destruct M as [_ M]. congruence.
Qed.

(** * The theorem *)

(** The condition of the theorem, for all a < b. *)
Definition condition (T : tower) : Prop :=
  forall a b, a < b -> (held (lo_of T) (hi_of T) a b (free T) <= room a b (available T))%nat.

(** The same for the ends of windows alone. *)
Definition condition_at_ends (T : tower) : Prop :=
  forall p q, In p (free T) -> In q (free T) -> lo_of T p < hi_of T q ->
  (held (lo_of T) (hi_of T) (lo_of T p) (hi_of T q) (free T) <=
    room (lo_of T p) (hi_of T q) (available T))%nat.

Lemma windows_not_reversed : forall T, valid T -> agree below (bounds T) -> forall p, lo_of T p < hi_of T p.
Proof.
  intros T V A p. pose proof (start_number T V).
  apply (no_window_reversed cell below belowb belowb_true below_trans);
    [lia | apply bounds_numbers, V | exact A].
Qed.

Lemma conditions_equal : forall T, valid T -> agree below (bounds T) -> condition T <-> condition_at_ends T.
Proof.
  intros T V A. split; [intros H p q _ _ L; apply H, L |]. intros H a b _.
  apply (choice_iff_condition cell eqb eqb_spec (lo_of T) (hi_of T) (available T) (free T) (free_nodup T)
    (available_rises T V)).
  apply (choice_iff_ends cell eqb eqb_spec); trivial; [apply free_nodup | apply available_rises, V |].
  intros p _. apply windows_not_reversed; trivial.
Qed.

Lemma chosen_iff_condition : forall T, valid T -> agree below (bounds T) -> (exists f, chosen T f) <->
  condition T.
Proof.
  intros T V A. rewrite (conditions_equal T V A).
  apply (choice_iff_ends cell eqb eqb_spec); [apply free_nodup | apply available_rises, V |].
  intros p _. apply windows_not_reversed; trivial.
Qed.

(** Theorem. Let u = 0. A filling exists if and only if the fixed cells agree and, for all a < b, the free
    cells p with a <= lo(p) and hi(p) <= b are no more than the members of A strictly between a and b. *)
Theorem tower_theorem : forall T, valid T -> unseen T = 0%nat ->
  (exists f, filling T f) <-> agree below (bounds T) /\ condition T.
Proof.
  intros T V U. rewrite (filling_exists_iff T V). split.
  - intros (A & f & Ch & _). split; trivial. apply chosen_iff_condition; eauto.
  - intros (A & Cond). split; trivial. apply chosen_iff_condition in Cond; trivial. destruct Cond as (f & Ch).
    exists f. split; trivial. unfold leaves. rewrite U. apply Nat.le_0_l.
Qed.

(** "Only those a need a look that are the lower end of some window, and those b that are the upper end of
    one." *)
Theorem tower_theorem_at_ends : forall T, valid T -> unseen T = 0%nat ->
  (exists f, filling T f) <-> agree below (bounds T) /\ condition_at_ends T.
Proof.
  intros T V U. rewrite (tower_theorem T V U). split; intros (A & Cond); split; trivial;
    apply (conditions_equal T V A); trivial.
Qed.

(** "Deciding it": earliest deadline first finds a filling where there is one. *)
Theorem deal_decides : forall T, valid T -> unseen T = 0%nat ->
  (exists f, filling T f) <-> agree below (bounds T) /\ exists m, deal T (available T) = Some m.
Proof.
  intros T V U. rewrite (filling_exists_iff T V).
  pose proof (choice_iff_edf cell eqb eqb_spec (lo_of T) (hi_of T) (available T) (free T) (free_nodup T)
    (available_rises T V)) as D.
  split.
  - intros (A & f & Ch & _). split; trivial. apply D. exists f. exact Ch.
  - intros (A & E). split; trivial. apply D in E. destruct E as (f & Ch). exists f. split; [exact Ch |].
    unfold leaves. rewrite U. apply Nat.le_0_l.
Qed.

(** "When every cell has a number, these are a filling": those that the method deals out. *)
Theorem deal_filling : forall T m, valid T -> unseen T = 0%nat -> agree below (bounds T) ->
  deal T (available T) = Some m -> filling T (value_of eqb m).
Proof.
  intros T m V U A E. pose proof (available_rises T V) as S.
  destruct (deal_chosen T (available T) m V (incl_refl _) S E) as [Ch _].
  apply filling_iff_choice; trivial. split; [| split; [| split]]; trivial.
  - exact (deal_in_order T (available T) m S E).
  - unfold leaves. rewrite U. apply Nat.le_0_l.
Qed.

(** In the words of the clauses. *)
Theorem completable_iff_condition : forall T, valid T -> unseen T = 0%nat ->
  completable T <->
  no_stray T /\ (finish T = true -> finish_gone T = false) /\ agree below (bounds T) /\ condition T.
Proof. intros T V U. rewrite (completable_iff_filling T V), (tower_theorem T V U). reflexivity. Qed.

(** 1 on d1 and 27 on j1: the other 26 cells have 25 numbers. With 28 in place of 27 there is a filling. *)
Example two_corners_dealt :
  deal (two_corners 27) (available (two_corners 27)) = None /\
  exists m, deal (two_corners 28) (available (two_corners 28)) = Some m.
Proof. split; [vm_compute; reflexivity | eexists; vm_compute; reflexivity]. Qed.
