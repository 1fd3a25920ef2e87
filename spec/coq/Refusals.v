(** Where a tower cannot be completed there is a reason: completability.md, "The reason of a refusal". *)

From Coq Require Import List ZArith Lia Bool Sorted Permutation.
From Couperation Require Import Lists Cells Windows EarliestDeadline Deficiency Tower Filling TowerTheorem
  Unseen Decide.
From Couperation Require Import Position Reasons.
Import ListNotations.
Open Scope Z_scope.

Lemma forallb_fails : forall A (f : A -> bool) l, forallb f l = false -> exists x, In x l /\ f x = false.
Proof.
  intros A f l H. induction l as [| x l IH]; simpl in H; [discriminate |].
  destruct (f x) eqn:E; [| exists x; simpl; auto]. destruct (IH H) as (y & I & Y). exists y. simpl. auto.
Qed.

(** "Two fixed cells that disagree." *)
Lemma disagreement : forall T, agreeb belowb (bounds T) = false -> exists p q, order_ok T p q = true.
Proof.
  intros T H. apply forallb_fails in H. destruct H as (b & Ib & H). apply forallb_fails in H.
  destruct H as (c & Ic & H).
  apply orb_false_iff in H. rewrite negb_false_iff, Z.ltb_ge in H. destruct H as [B U].
  exists (at_cell b), (at_cell c). unfold order_ok. rewrite B. simpl. apply existsb_exists. exists b.
  split; trivial.
  apply andb_true_iff. split; [apply eqb_true; trivial |]. apply existsb_exists. exists c. split; trivial.
  apply andb_true_iff. split; [apply eqb_true; trivial | apply Z.leb_le, U].
Qed.

(** The interval (a, b) with all cells whose windows lie inside. *)
Definition interval_of (T : tower) (numbers : list Z) (i : Z * Z) : interval :=
  Interval (fst i) (snd i)
    (filter (fun p => (fst i <=? lo_of T p) && (hi_of T p <=? snd i)) (free T))
    (filter (fun v => (fst i <? v) && (v <? snd i)) numbers).

Lemma interval_of_ok : forall T numbers i, 0 < lack (lo_of T) (hi_of T) numbers (free T) i ->
  interval_ok T numbers (interval_of T numbers i) = true.
Proof.
  intros T numbers [a b] H. unfold lack in H. cbn [fst snd] in H.
  unfold interval_ok, interval_of. cbn [floor ceiling members left fst snd].
  rewrite !andb_true_iff. split; [split; [split |] |].
  - apply (distinctb_nodup _ _ eqb_true), NoDup_filter, free_nodup.
  - apply forallb_forall. intros p I. apply filter_In in I. destruct I as [I J].
    rewrite (proj2 (among_true _ _) I). exact J.
  - apply same_numbers_true. reflexivity.
  - apply Z.ltb_lt. unfold held, room, count in H. lia.
Qed.

Lemma lacks_interval_of : forall T i, lacks (interval_of T (known T) i) = lacking T i.
Proof. reflexivity. Qed.

(** Intervals that lie apart from left to right are in order already. *)
Lemma apart_chain : forall T numbers l s, apart s l -> proper l ->
  sort (map (interval_of T numbers) l) = map (interval_of T numbers) l /\
  chain (map (interval_of T numbers) l) = true.
Proof.
  intros T numbers l. induction l as [| [a b] l IH]; intros s A Pr; [split; reflexivity |].
  destruct A as [_ A]. inversion Pr as [| ? ? Pab Pr']; subst. cbn [fst snd] in Pab.
  destruct (IH _ A Pr') as [E Ch]. destruct l as [| [c d] l]; [split; reflexivity |]. destruct A as [B _].
  split.
  - change (sort (map (interval_of T numbers) ((a, b) :: (c, d) :: l))) with
      (insert (interval_of T numbers (a, b)) (sort (map (interval_of T numbers) ((c, d) :: l)))).
    rewrite E. cbn [map insert]. unfold first_of at 1. cbn [interval_of floor ceiling fst snd].
    destruct (Z.ltb_spec a c); [reflexivity | lia].
  - cbn [map chain] in *. cbn [interval_of floor ceiling fst snd] in *. rewrite Ch, andb_true_r.
    apply andb_true_iff. rewrite !Z.leb_le. lia.
Qed.

(** * Ends of intervals *)

(** The ends of windows are numbers from 0 to [top]. *)
Lemma window_within : forall T p, valid T -> 0 <= lo_of T p < top T /\ 0 < hi_of T p <= top T.
Proof.
  intros T p V. pose proof (start_number T V). pose proof (bounds_numbers T V) as N.
  split; split.
  - apply lo_nonnegative.
  - apply (above_lo cell below belowb belowb_true). split; [lia |]. intros b I _. apply N, I.
  - apply (under_hi cell below belowb belowb_true). split; [lia |]. intros b I _. apply N, I.
  - apply Z.nlt_ge. intros X. apply (under_hi cell below belowb belowb_true) in X. lia.
Qed.

(** The part of an interval from 0 to [top]. *)
Definition clip (T : tower) (i : Z * Z) : Z * Z := (Z.max 0 (fst i), Z.min (top T) (snd i)).

Lemma clip_same : forall T numbers i, valid T -> incl numbers (available T) ->
  lack (lo_of T) (hi_of T) numbers (free T) (clip T i) = lack (lo_of T) (hi_of T) numbers (free T) i.
Proof.
  intros T numbers [a b] V Inc. unfold lack, held, room, clip. cbn [fst snd]. f_equal; apply f_equal.
  - apply count_eq. intros p _. pose proof (window_within T p V). rewrite !andb_true_iff, !Z.leb_le. lia.
  - apply count_eq. intros v I. apply Inc, (available_numbers T V) in I.
    rewrite !andb_true_iff, !Z.ltb_lt. lia.
Qed.

Definition ends_within (T : tower) (i : interval) : Prop :=
  0 <= floor i <= top T /\ 0 <= ceiling i <= top T.

(** What lacks something holds a cell. *)
Lemma lack_window : forall T numbers a b, 0 < lack (lo_of T) (hi_of T) numbers (free T) (a, b) ->
  exists p, a <= lo_of T p /\ hi_of T p <= b.
Proof.
  intros T numbers a b H. unfold lack, held, count in H. cbn [fst snd] in H.
  destruct (filter (fun p => (a <=? lo_of T p) && (hi_of T p <=? b)) (free T)) as [| p F] eqn:E;
    [simpl in H; lia |].
  assert (I : In p (p :: F)) by (left; trivial). rewrite <- E in I. apply filter_In in I. destruct I as [_ I].
  rewrite andb_true_iff, !Z.leb_le in I. exists p. exact I.
Qed.

Lemma clip_within : forall T numbers i, valid T -> 0 < lack (lo_of T) (hi_of T) numbers (free T) i ->
  ends_within T (interval_of T numbers (clip T i)).
Proof.
  intros T numbers [a b] V H. destruct (lack_window T numbers a b H) as (p & A & B).
  pose proof (window_within T p V). pose proof (start_number T V).
  unfold ends_within. cbn [interval_of clip floor ceiling fst snd]. lia.
Qed.

Lemma clip_apart : forall T l s, 0 <= s -> apart s l -> apart s (map (clip T) l).
Proof.
  intros T l. induction l as [| [a b] l IH]; intros s S A; simpl in *; trivial. destruct A as [Sa A].
  split; [lia |]. apply apart_lower with (Z.max a b); [lia |]. apply IH; [lia | exact A].
Qed.

Lemma clip_proper : forall T l, valid T -> Forall (fun i => 0 < lacking T i) l -> proper l ->
  proper (map (clip T) l).
Proof.
  intros T l V Pos Pr. unfold proper in *. rewrite Forall_forall in *. intros i I. apply in_map_iff in I.
  destruct I as ([a b] & <- & I). specialize (Pr _ I).
  destruct (lack_window T _ a b (Pos _ I)) as (p & A & B).
  pose proof (window_within T p V). cbn [clip fst snd] in *. lia.
Qed.

(** Disjoint intervals lack no more than the cells of a choice. *)
Lemma lacking_few : forall T g l, valid T -> chosen T g -> apart 0 l ->
  total (lacking T) l <= Z.of_nat (length (free T)).
Proof.
  intros T g l V Ch Ap. unfold lacking, known.
  eapply Z.le_trans; [apply (lacking_uses_others cell (lo_of T) (hi_of T) (available T) (free T) g
    (fun v => memb v (located T)) (fun v => memb v (map g (free T))) l 0) |]; trivial.
  - apply free_nodup.
  - intros p I. apply memb_true, in_map, I.
  - rewrite <- (map_length g (free T)). apply inj_le, NoDup_incl_length.
    + apply NoDup_filter, available_rises_nodup, V.
    + intros v I. apply filter_In in I. destruct I as [_ I]. rewrite !andb_true_iff in I. apply memb_true, I.
Qed.

(** Numbers of a reason that are no greater than need be. *)
Definition modest (T : tower) (r : reason) : Prop :=
  match r with
  | ByInterval i => ends_within T i
  | ByGone l missing => Forall (ends_within T) l /\ missing <= Z.of_nat (length (free T)) - spare T
  | _ => True
  end.

(** One of the reasons holds, with such numbers. *)
Theorem reason_ok_complete : forall T astray, valid T ->
  (forall c, stray T c -> exists d, astray = Some d) -> ~ completable T ->
    exists r, reason_ok T astray r = true /\ modest T r.
Proof.
  intros T astray V St N.
  destruct (finish T && finish_gone T) eqn:FG; [exists FinishGone; split; [exact FG | exact Logic.I] |].
  destruct (no_strayb T) eqn:NS.
  2: { apply forallb_fails in NS. destruct NS as ([c d] & I & E). simpl in E. apply orb_false_iff in E.
       destruct E as [E1 E2]. apply negb_false_iff, card_eqb_true in E1. subst d.
       destruct (St c) as (d & ->).
       - split; trivial. intros E. apply eqb_true in E. congruence.
       - exists (BelowApex d). split; [apply eqb_true; reflexivity | exact Logic.I]. }
  assert (NF : ~ exists f, filling T f).
  { intros F. apply N, (completable_iff_filling T V). split; [apply no_strayb_true, NS |]. split; trivial.
    intros E. rewrite E in FG. exact FG. }
  destruct (agreeb belowb (bounds T)) eqn:Ag.
  2: { destruct (disagreement T Ag) as (p & q & O). exists (ByOrder p q). split; [exact O | exact Logic.I]. }
  apply (agreeb_true cell below belowb belowb_true) in Ag.
  destruct (deal T (available T)) as [m |] eqn:D.
  - (* numbers for all, but too few located ones *)
    assert (Ch : exists f, chosen T f).
    { apply (choice_iff_edf cell eqb eqb_spec); [apply free_nodup | apply (available_rises T V) | exists m].
      exact D. }
    assert (Cond : condition T) by (apply chosen_iff_condition; trivial).
    destruct (gone_reason T V Ag Cond NF) as (l & Al & Pl & Pos & More). destruct Ch as (g & Ch).
    assert (Al' := clip_apart T l 0 (Z.le_refl 0) Al). assert (Pl' := clip_proper T l V Pos Pl).
    assert (Same : total (lacking T) (map (clip T) l) = total (lacking T) l).
    { rewrite total_map. clear - V. induction l as [| i l IH]; simpl; trivial. rewrite IH. f_equal.
      apply clip_same; trivial. apply known_available. }
    exists (ByGone (map (interval_of T (known T)) (map (clip T) l)) (total (lacking T) l - spare T)). split.
    + simpl. unfold gone_ok. destruct (apart_chain T (known T) _ 0 Al' Pl') as [E Ch'].
      rewrite E, Ch', total_map.
      rewrite !andb_true_iff. split; [split; [split; [| reflexivity] |] |].
      * apply forallb_forall. intros i I. apply in_map_iff in I. destruct I as (j & <- & J).
        apply in_map_iff in J. destruct J as (k & <- & K). rewrite Forall_forall in Pos.
        apply interval_of_ok. rewrite clip_same by (trivial; apply known_available). apply Pos, K.
      * apply Z.eqb_eq. rewrite <- Same. f_equal.
      * apply Z.ltb_lt. lia.
    + pose proof (lacking_few T g l V Ch Al). split; [| lia]. apply Forall_forall. intros i I.
      apply in_map_iff in I. destruct I as (j & <- & J). apply in_map_iff in J. destruct J as (k & <- & K).
      rewrite Forall_forall in Pos. apply clip_within; [exact V | apply Pos, K].
  - (* one interval *)
    destruct (edf_complete cell eqb eqb_spec (lo_of T) (hi_of T) (available T) (free T) (free_nodup T)
      (available_rises T V) D) as (a & b & Vi).
    assert (Pos : 0 < lack (lo_of T) (hi_of T) (available T) (free T) (a, b))
      by (unfold violated in Vi; unfold lack; cbn [fst snd]; lia).
    exists (ByInterval (interval_of T (available T) (clip T (a, b)))).
    split; [| apply clip_within; trivial]. apply interval_of_ok. rewrite clip_same; trivial. apply incl_refl.
Qed.
