(** Whether a tower can be completed, decided: completability.md, "Deciding it" and "Unseen gone cards". *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Lists Cells Windows EarliestDeadline Deficiency Tower Filling TowerTheorem
  Unseen.
Import ListNotations.
Open Scope Z_scope.

Definition no_strayb (T : tower) : bool :=
  forallb (fun x => negb (card_eqb (snd x) Finish) || eqb (fst x) (apex_of T)) (up T).

Lemma no_strayb_true : forall T, no_strayb T = true <-> no_stray T.
Proof.
  intros T. unfold no_strayb, no_stray, stray. rewrite forallb_forall. split.
  - intros H p [I N]. specialize (H _ I). simpl in H.
    destruct (eqb_spec p (apex_of T)); [auto | discriminate].
  - intros H [p c] I. simpl. destruct (eqb_spec p (apex_of T)) as [| N]; [apply orb_true_r |].
    destruct c; [reflexivity |]. destruct (H p). auto.
Qed.

(** Whether a filling exists: the fixed cells agree, earliest deadline first deals out the available numbers,
    and the cells that located numbers cannot fill are no more than e. *)
Definition fills (T : tower) : bool :=
  agreeb belowb (bounds T) && match deal T (available T) with Some _ => true | None => false end &&
  (Z.of_nat (length (free T)) - Z.of_nat (length (most T)) <=? spare T).

Theorem fills_correct : forall T, valid T -> fills T = true <-> exists f, filling T f.
Proof.
  intros T V. unfold fills.
  rewrite !andb_true_iff, Z.leb_le, (agreeb_true cell below belowb belowb_true), (filling_exists_iff T V).
  pose proof (choice_iff_edf cell eqb eqb_spec (lo_of T) (hi_of T) (available T) (free T) (free_nodup T)
    (available_rises T V)) as D.
  split.
  - intros ((A & E) & Few). split; trivial. destruct (deal T (available T)) as [m |] eqn:Em; [| discriminate].
    destruct (proj2 D) as (g & Ch); [exists m; exact Em |].
    destruct (keep_placed T _ _ g V (most_placed T V) Ch) as (h & Ch' & L). rewrite map_length in L.
    exists h. split; trivial. apply leaves_iff. lia.
  - intros (A & f & Ch & Le). split; [split; trivial |].
    + destruct (proj1 D) as (m & E); [exists f; exact Ch |]. unfold deal. rewrite E. reflexivity.
    + destruct (most_lacking T V A) as (l & Al & _ & L). pose proof (gone_refutes T f l 0 Ch Le Al). lia.
Qed.

(** F on its apex or to come there, and a filling. *)
Definition decide (T : tower) : bool := no_strayb T && negb (finish T && finish_gone T) && fills T.

Theorem decide_correct : forall T, valid T -> decide T = true <-> completable T.
Proof.
  intros T V. unfold decide.
  rewrite !andb_true_iff, no_strayb_true, (fills_correct T V), (completable_iff_filling T V).
  destruct (finish T), (finish_gone T); simpl; intuition congruence.
Qed.

Lemma completable_dec : forall T, valid T -> completable T \/ ~ completable T.
Proof.
  intros T V. rewrite <- (decide_correct T V). destruct (decide T); [left; trivial | right; discriminate].
Qed.

(** 1 on d1 and 27 on j1, and 28 in place of 27. *)
Example two_corners_decided : decide (two_corners 27) = false /\ decide (two_corners 28) = true.
Proof. vm_compute. auto. Qed.
