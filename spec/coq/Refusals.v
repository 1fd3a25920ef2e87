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

(** One of the reasons holds. *)
Theorem reason_ok_complete : forall T astray, valid T ->
  (forall c, stray T c -> exists d, astray = Some d) -> ~ completable T ->
    exists r, reason_ok T astray r = true.
Proof.
  intros T astray V St N.
  destruct (finish T && finish_gone T) eqn:FG; [exists FinishGone; exact FG |].
  destruct (no_strayb T) eqn:NS.
  2: { apply forallb_fails in NS. destruct NS as ([c d] & I & E). simpl in E. apply orb_false_iff in E.
       destruct E as [E1 E2]. apply negb_false_iff, card_eqb_true in E1. subst d.
       destruct (St c) as (d & ->).
       - split; trivial. intros E. apply eqb_true in E. congruence.
       - exists (BelowApex d). simpl. apply eqb_true. reflexivity. }
  assert (NF : ~ exists f, filling T f).
  { intros F. apply N, (completable_iff_filling T V). split; [apply no_strayb_true, NS |]. split; trivial.
    intros E. rewrite E in FG. exact FG. }
  destruct (agreeb belowb (bounds T)) eqn:Ag.
  2: { destruct (disagreement T Ag) as (p & q & O). exists (ByOrder p q). exact O. }
  apply (agreeb_true cell below belowb belowb_true) in Ag.
  destruct (deal T (available T)) as [m |] eqn:D.
  - (* numbers for all, but too few located ones *)
    assert (Cond : condition T).
    { apply chosen_iff_condition; trivial. apply (choice_iff_edf cell eqb eqb_spec);
        [apply free_nodup | apply (available_rises T V) | exists m; exact D]. }
    destruct (gone_reason T V Ag Cond NF) as (l & Al & Pl & Pos & More).
    exists (ByGone (map (interval_of T (known T)) l) (total (lacking T) l - spare T)). simpl. unfold gone_ok.
    destruct (apart_chain T (known T) l 0 Al Pl) as [E Ch]. rewrite E, Ch, total_map.
    rewrite !andb_true_iff. split; [split; [split; [| reflexivity] |] |].
    + apply forallb_forall. intros i I. apply in_map_iff in I. destruct I as (j & <- & J).
      rewrite Forall_forall in Pos. apply interval_of_ok, Pos, J.
    + apply Z.eqb_eq. f_equal.
    + apply Z.ltb_lt. lia.
  - (* one interval *)
    destruct (edf_complete cell eqb eqb_spec (lo_of T) (hi_of T) (available T) (free T) (free_nodup T)
      (available_rises T V) D) as (a & b & Vi).
    exists (ByInterval (interval_of T (available T) (a, b))). simpl. apply interval_of_ok.
    unfold violated in Vi. unfold lack. cbn [fst snd]. lia.
Qed.

Print Assumptions reason_ok_complete.
