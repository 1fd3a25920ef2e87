(** Unseen gone cards: completability.md, "Unseen gone cards". *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Lists Cells Windows EarliestDeadline Deficiency Extend Tower Filling
  TowerTheorem.
Import ListNotations.
Open Scope Z_scope.

(** "Let L be the located numbers, e = |A| - |L| - u what may be used of the others, n the number of free
    cells." *)
Definition known (T : tower) : list Z := filter (fun v => memb v (located T)) (available T).
Definition others (T : tower) : list Z := filter (fun v => negb (memb v (located T))) (available T).
Definition spare (T : tower) : Z := Z.of_nat (length (others T)) - Z.of_nat (unseen T).

(** What an interval lacks of located numbers. *)
Definition lacking (T : tower) : Z * Z -> Z := lack (lo_of T) (hi_of T) (known T) (free T).

(** How many of the others the numbers of f use. *)
Definition others_used (T : tower) (f : cell -> Z) : nat :=
  count (fun v => negb (memb v (located T)) && memb v (map f (free T))) (available T).

(** A filling "only has to leave u of them unused": it uses no more of them than e. *)
Lemma leaves_iff : forall T f, leaves T f <-> Z.of_nat (others_used T f) <= spare T.
Proof.
  intros T f. unfold leaves, others_used, spare, others.
  pose proof (count_split _ (fun v => negb (memb v (located T))) (fun v => memb v (map f (free T)))
    (available T)) as X.
  unfold count in X at 1. lia.
Qed.

Lemma known_rises : forall T, valid T -> StronglySorted Z.lt (known T).
Proof. intros T V. apply sorted_filter, (available_rises T V). Qed.

Lemma known_available : forall T, incl (known T) (available T).
Proof. intros T v I. apply filter_In in I. apply I. Qed.

Lemma choice_more : forall T A B S f, incl A B ->
  choice (lo_of T) (hi_of T) A S f -> choice (lo_of T) (hi_of T) B S f.
Proof. intros T A B S f I [W D]. split; [| exact D]. intros p P. destruct (W p P). auto. Qed.

(** "That such a list refutes is counting." *)
Theorem gone_refutes : forall T f l s, chosen T f -> leaves T f -> apart s l ->
  total (lacking T) l <= spare T.
Proof.
  intros T f l s Ch Le Ap. apply leaves_iff in Le.
  eapply Z.le_trans; [| exact Le]. unfold lacking, known.
  eapply Z.le_trans; [apply (lacking_uses_others cell (lo_of T) (hi_of T) (available T) (free T) f
    (fun v => memb v (located T)) (fun v => memb v (map f (free T))) l s) |]; trivial.
  - apply free_nodup.
  - intros p I. apply memb_true, in_map, I.
  - unfold others_used. apply inj_le. apply count_le. intros v _. rewrite !andb_true_iff. tauto.
Qed.

(** * The theorem *)

(** A choice on some free cells by located numbers alone. *)
Definition placed (T : tower) (S : list cell) (f : cell -> Z) : Prop :=
  NoDup S /\ incl S (free T) /\ choice (lo_of T) (hi_of T) (known T) S f.

Lemma map_nodup : forall A B (f : A -> B) l,
  NoDup l -> (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  intros A B f l N I. induction N as [| x l X N IH]; simpl; constructor.
  - intros J. apply in_map_iff in J. destruct J as (y & E & J). apply X. replace x with y; trivial.
    apply I; simpl; auto.
  - apply IH. intros a b Ia Ib. apply I; simpl; auto.
Qed.

(** "The n numbers are placed in windows": at least the numbers of S are located, and the others are no more
    than the other cells. *)
Lemma keep_placed : forall T S f g, valid T -> placed T S f -> chosen T g ->
  exists h, chosen T h /\ Z.of_nat (others_used T h) <= Z.of_nat (length (free T)) - Z.of_nat (length S).
Proof.
  intros T S f g V (NS & Inc & F) G.
  destruct (extend cell eqb eqb_spec (lo_of T) (hi_of T) (available T) (free T) g (free_nodup T) G S f NS Inc)
    as (h & H & K); [apply choice_more with (known T); [apply known_available | trivial] |].
  exists h. split; trivial. destruct F as [W D]. destruct H as [Wh Dh].
  set (image := map h (free T)).
  assert (Nimage : NoDup image) by (apply map_nodup; [apply free_nodup | trivial]).
  assert (X : (length S <= count (fun v => memb v (located T)) image)%nat).
  { unfold count. rewrite <- (map_length f S). apply NoDup_incl_length.
    - apply map_nodup; trivial.
    - intros v I. apply in_map_iff in I. destruct I as (p & <- & I). apply filter_In.
      destruct (K p I) as (q & J & E). split; [apply in_map_iff; exists q; auto |].
      destruct (W p I) as [M _]. apply filter_In in M. apply M. }
  assert (Y : (others_used T h <= count (fun v => negb (memb v (located T))) image)%nat).
  { unfold others_used, count. apply NoDup_incl_length.
    - apply NoDup_filter, available_rises_nodup, V.
    - intros v I. apply filter_In in I. destruct I as [_ I]. apply andb_true_iff in I. destruct I as [A B].
      apply filter_In. split; trivial. apply memb_true, B. }
  pose proof (count_split _ (fun _ => true) (fun v => memb v (located T)) image) as Z.
  rewrite count_all in Z by trivial.
  cbn [andb] in Z. unfold image in Z at 1. rewrite map_length in Z. lia.
Qed.

(** Where a filling exists, its located numbers place all cells but those that use others. *)
Lemma filling_places : forall T f, chosen T f ->
  exists S, placed T S f /\ Z.of_nat (length (free T)) - Z.of_nat (length S) <= Z.of_nat (others_used T f).
Proof.
  intros T f [W D]. exists (filter (fun p => memb (f p) (located T)) (free T)).
  assert (Sub : forall p, In p (filter (fun p => memb (f p) (located T)) (free T)) ->
    In p (free T) /\ memb (f p) (located T) = true) by (intros p I; apply filter_In in I; trivial).
  split; [split; [apply NoDup_filter, free_nodup |]; split |].
  - intros p I. apply Sub, I.
  - split.
    + intros p I. destruct (Sub p I) as [I' M]. destruct (W p I') as [A B]. split; trivial. apply filter_In.
      auto.
    + intros p q I J. apply D; apply Sub; trivial.
  - pose proof (count_split _ (fun _ => true) (fun p => memb (f p) (located T)) (free T)) as X.
    rewrite count_all in X by trivial. cbn [andb] in X. unfold count in X at 1.
    assert (Y : (count (fun p => negb (memb (f p) (located T))) (free T) <= others_used T f)%nat); [| lia].
    unfold count, others_used. apply injection_length with f.
    + apply NoDup_filter, free_nodup.
    + intros p I. apply filter_In in I. destruct I as [I M]. apply filter_In. split; [apply W, I |].
      rewrite M. apply memb_true, in_map, I.
    + intros p q I J. apply filter_In in I, J. apply D; [apply I | apply J].
Qed.

(** Theorem. Let r be the most free cells that numbers of L alone can fill inside the windows. A filling
    exists if and only if the condition of the theorem above holds and n - r <= e. *)
Theorem unseen_theorem : forall T r, valid T ->
  (exists S f, placed T S f /\ length S = r) -> (forall S f, placed T S f -> (length S <= r)%nat) ->
  (exists f, filling T f) <->
  (agree below (bounds T) /\ condition T) /\ Z.of_nat (length (free T)) - Z.of_nat r <= spare T.
Proof.
  intros T r V (S & f & P & E) Most. rewrite (filling_exists_iff T V). split.
  - intros (A & g & Ch & Le). split; [split; [| apply chosen_iff_condition; eauto]; trivial |].
    apply leaves_iff in Le. destruct (filling_places T g Ch) as (S' & P' & L'). specialize (Most S' g P').
    lia.
  - intros ((A & Cond) & Few). split; trivial. apply chosen_iff_condition in Cond; trivial.
    destruct Cond as (g & Ch).
    destruct (keep_placed T S f g V P Ch) as (h & Ch' & L). exists h. split; trivial. apply leaves_iff. lia.
Qed.

(** * The refusal *)

(** As many free cells as earliest deadline first fills with located numbers, where cells that come too late
    are dropped. *)
Definition most (T : tower) : list (cell * Z) := deal_most eqb (lo_of T) (hi_of T) (known T) (free T).

Lemma most_placed : forall T, valid T -> placed T (map fst (most T)) (value_of eqb (most T)).
Proof.
  intros T V.
  destruct (deal_most_cells cell eqb eqb_spec (lo_of T) (hi_of T) (known T) (free T) (free_nodup T)) as [N I].
  split; [exact N |]. split; [exact I |].
  apply (deal_most_sound cell eqb eqb_spec (lo_of T) (hi_of T)); [apply free_nodup | apply known_rises, V].
Qed.

Lemma most_is_most : forall T, valid T -> agree below (bounds T) ->
  forall S f, placed T S f -> (length S <= length (most T))%nat.
Proof.
  intros T V A S f (NS & Inc & Ch).
  apply (deal_most_is_most cell eqb eqb_spec (lo_of T) (hi_of T)) with f; trivial;
    [apply free_nodup | apply known_rises, V | intros p _; apply windows_not_reversed; trivial].
Qed.

(** So r is the number of cells that this method fills. *)
Corollary unseen_theorem_most : forall T, valid T ->
  (exists f, filling T f) <->
  (agree below (bounds T) /\ condition T) /\ Z.of_nat (length (free T)) - Z.of_nat (length (most T)) <=
    spare T.
Proof.
  intros T V. assert (E : exists S f, placed T S f /\ length S = length (most T))
    by (eexists; eexists; split; [apply most_placed, V | apply map_length]).
  split.
  - intros F. assert (A : agree below (bounds T)) by (apply filling_exists_iff in F; [apply F | trivial]).
    apply (unseen_theorem T _ V E (most_is_most T V A)), F.
  - intros F. apply (unseen_theorem T _ V E (most_is_most T V (proj1 (proj1 F)))), F.
Qed.

(** The rest are what some disjoint intervals lack. *)
Lemma most_lacking : forall T, valid T -> agree below (bounds T) ->
  exists l, apart 0 l /\ proper l /\ Z.of_nat (length (free T)) - Z.of_nat (length (most T)) <=
    total (lacking T) l.
Proof.
  intros T V A.
  destruct (left_over_are_lacking cell eqb eqb_spec (lo_of T) (hi_of T) (known T) (free T) 0 (free_nodup T)
    (known_rises T V)) as (l & Al & Pl & Le).
  - apply Forall_forall. intros v I. apply known_available in I. apply (available_numbers T V) in I. lia.
  - intros p _. split; [apply lo_nonnegative | apply windows_not_reversed; trivial].
  - exists l. unfold lacking. fold (most T) in Le. repeat (split; trivial). lia.
Qed.

(** "So a refusal that is due to unseen gone cards is a list of disjoint intervals (...), and the sum of what
    they lack exceeds e": a filling exists where the fixed cells agree, the condition holds and no such list
    exists. *)
Theorem unseen_theorem_intervals : forall T, valid T ->
  (exists f, filling T f) <->
  agree below (bounds T) /\ condition T /\ (forall l, apart 0 l -> proper l ->
    total (lacking T) l <= spare T).
Proof.
  intros T V. rewrite (filling_exists_iff T V). split.
  - intros (A & g & Ch & Le). split; [trivial |]. split; [apply chosen_iff_condition; eauto |].
    intros l Al _. apply (gone_refutes T g l 0); trivial.
  - intros (A & Cond & NoList). split; trivial. apply chosen_iff_condition in Cond; trivial.
    destruct Cond as (g & Ch).
    destruct (most_lacking T V A) as (l & Al & Pl & L).
    destruct (keep_placed T _ _ g V (most_placed T V) Ch) as (h & Ch' & L'). exists h. split; trivial.
    apply leaves_iff. rewrite map_length in L'. specialize (NoList l Al Pl). lia.
Qed.

(** Where there is no filling for no other reason, the list exists, each of its intervals lacking
    something. *)
Theorem gone_reason : forall T, valid T -> agree below (bounds T) -> condition T ->
  ~ (exists f, filling T f) ->
  exists l, apart 0 l /\ proper l /\ Forall (fun i => 0 < lacking T i) l /\ spare T < total (lacking T) l.
Proof.
  intros T V A Cond N. destruct (most_lacking T V A) as (l & Al & Pl & L).
  destruct (lacking_only (lacking T) l 0 Al Pl) as (A' & P' & T' & G).
  eexists. split; [exact A' |]. split; [exact P' |]. split; [exact G |].
  destruct (Z_lt_le_dec (spare T) (total (lacking T) l)) as [| Few]; [lia |]. exfalso. apply N.
  apply (filling_exists_iff T V). split; trivial. apply chosen_iff_condition in Cond; trivial.
  destruct Cond as (g & Ch). destruct (keep_placed T _ _ g V (most_placed T V) Ch) as (h & Ch' & L').
  exists h. split; trivial. apply leaves_iff. rewrite map_length in L'. lia.
Qed.

(** "Below 0 when fewer than u are left: then no filling exists, even where no cell is free." *)
Corollary too_few_others : forall T f, valid T -> spare T < 0 -> ~ filling T f.
Proof.
  intros T f V S F. apply filling_iff_choice in F; trivial. destruct F as (_ & Ch & _ & Le).
  pose proof (gone_refutes T f [] 0 Ch Le Logic.I). simpl in *. lia.
Qed.
