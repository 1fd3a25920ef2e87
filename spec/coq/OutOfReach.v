(** The reasons [finish], [apex] and [stuck] of table.md. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final.
Import ListNotations.
Open Scope nat_scope.

(** * The Finish card is out of reach *)

(** "A won tower has an apex", and in the [finish] variant that is F. *)
Lemma finish_ends_on_apex : forall r s T, finish r = true -> final r s T ->
  exists x, In (x, Up F) T /\ lev x = Z.of_nat levels.
Proof.
  intros r s T Fv Fi. destruct (final_has_apex _ _ _ Fi) as (x & k & I & L).
  destruct (final_apex _ _ _ Fi x k I L) as [_ E]. rewrite (E Fv) in I. eauto.
Qed.

(** F gone: "destroyed cards never return".  A card that is nowhere is no card of the game. *)
Theorem finish_gone_dead : forall r s, sound r s -> finish r = true ->
  (In F (gone s) \/ ~ In F (all_cards s)) -> dead r s.
Proof.
  intros r s S Fv G ts s' Wn. pose proof (wins_final _ _ _ _ S Wn) as Fi.
  destruct (finish_ends_on_apex _ _ _ Fv Fi) as (x & I & _).
  destruct (final_from _ _ _ Fi F) as [A N]; [exact (in_map (fun e => face (snd e)) _ _ I) | tauto].
Qed.

(** A D that takes F gives it a number (ACT05). *)
Lemma taken_has_number : forall r s t s' c, played r s t s' -> taken t = Some c ->
  exists n, num r c = Some n.
Proof.
  intros r s t s' c [b a h h' R' d _ _ _ _ _ Lg _ _ _ _ _ _ _ _] T. unfold taken in T.
  destruct (act t) as [| | | u v E l x old |]; try discriminate. inversion T; subst.
  destruct Lg as (_ & (i & j & n & z & _ & _ & N & _) & _). eauto.
Qed.

Lemma run_played : forall r s ts s' i t, run r s ts s' -> nth_error ts i = Some t ->
  exists s1 s2, run r s (firstn i ts) s1 /\ played r s1 t s2 /\ not_lost r t s2.
Proof.
  intros r s ts s' i t R. revert i. induction R as [s | s u s1 ts s2 P N R IH]; intros i E.
  - destruct i; discriminate.
  - destruct i as [| i]; simpl in *.
    + inversion E; subst. exists s, s1. repeat split; trivial. constructor.
    + destruct (IH i E) as (a & b & R1 & P1 & N1). exists a, b. repeat split; trivial.
      econstructor; eauto.
Qed.

(** F in the Reserve, or gone, under [finish_value=none]: it leaves the Reserve only by a D that takes it,
    which needs a number. *)
Theorem finish_reserve_dead : forall r s, sound r s -> finish r = true -> finish_value r = no_number ->
  In F (reserve s ++ gone s) -> dead r s.
Proof.
  intros r s S Fv V G ts s' Wn. pose proof (wins_run _ _ _ _ Wn) as R.
  destruct (finish_ends_on_apex _ _ _ Fv (wins_final _ _ _ _ S Wn)) as (x & I & _).
  destruct (takes_x r s ts s' F R G) as (i & t & E & T).
  { apply one_place; [exact (sound_cards _ _ (run_sound _ _ _ _ R S)) |].
    exact (in_map (fun e => face (snd e)) _ _ I). }
  destruct (run_played _ _ _ _ i t R E) as (s1 & s2 & _ & P & _).
  destruct (taken_has_number _ _ _ _ _ P T) as (n & N). unfold num in N. rewrite V in N. discriminate.
Qed.

(** F up on a cell below the apex under [replace_target=facedown_only]: "it is up and can never leave its
    cell". *)
Theorem finish_laid_dead : forall r s x, sound r s -> finish r = true -> replace_target r = facedown_only ->
  In (x, Up F) (laid_cards s) -> lev x <> Z.of_nat levels -> dead r s.
Proof.
  intros r s x S Fv Rt I L ts s' Wn. pose proof (wins_run _ _ _ _ Wn) as R.
  destruct (finish_ends_on_apex _ _ _ Fv (wins_final _ _ _ _ S Wn)) as (y & J & Ly).
  assert (K : kept r s x) by (unfold kept; rewrite Rt; eauto).
  destruct (run_stays _ _ _ _ R x (Up F) I (run_kept _ _ _ _ x R (sound_cells _ _ S) K)) as (k & Ik & E).
  apply L. rewrite <- Ly. f_equal.
  exact (one_cell s' x y k (Up F) (sound_cards _ _ (run_sound _ _ _ _ R S)) Ik J E).
Qed.

(** * The apex cannot be laid again *)

Definition apex_lies (s : table) : Prop := exists x k, In (x, k) (laid_cards s) /\ lev x = Z.of_nat levels.

Lemma again_apex : forall r x,
  early_apex r <> win_on_completion -> lev x = Z.of_nat levels -> again r x = true.
Proof.
  intros r x E L. unfold again. rewrite (proj2 (Z.eqb_eq _ _) L). destruct (early_apex r); congruence.
Qed.

(** Under [replace_target=facedown_only], "as the apex is up (TOW08)". *)
Theorem apex_facedown_dead : forall r s, sound r s -> early_apex r <> win_on_completion -> apex_lies s ->
  replace_target r = facedown_only -> dead r s.
Proof.
  intros r s S E (x & k & I & L) Rt ts s' Wn.
  destruct (apex_again r s ts s' x S Wn) as (t & T & Rp).
  - apply laid_at_in. eauto.
  - apply again_apex; trivial.
  - destruct (sound_apex _ _ S x k I L) as [U _]. destruct k as [c | c]; [| discriminate].
    assert (K : kept r s x) by (unfold kept; rewrite Rt; eauto).
    exact (run_kept _ _ _ _ x (wins_run _ _ _ _ Wn) (sound_cells _ _ S) K t T Rp).
Qed.

(** In the [finish] variant, "as the card that replaces F on the apex would have to be F, which is not in
    the Reserve while it lies there" (nor among the cards sent). *)
Lemma apex_keeps_F : forall r s t s' x, sound r s -> finish r = true -> played r s t s' ->
  In (x, Up F) (laid_cards s) -> lev x = Z.of_nat levels -> replaced t <> Some x.
Proof.
  intros r s t s' x S Fv P I L Rp. pose proof P as [b a h h' R' d O _ K _ Do Lg _ _ _ _ _ _ _ _].
  unfold replaced in Rp. destruct (act t) as [| | | u v E l y [old |] |]; try discriminate.
  inversion Rp; subst y. destruct Lg as ((_ & _ & Ap) & _). destruct (Ap L) as [_ El]. specialize (El Fv).
  subst l. pose proof (sound_cards _ _ S) as N.
  assert (C : copies (all_cards s) F <= 1).
  { apply (NoDup_count_occ card_dec) with (x := F) in N. exact N. }
  assert (C1 : copies (faces (laid_cards s)) F >= 1).
  { apply (count_occ_In card_dec). exact (in_map (fun e => face (snd e)) _ _ I). }
  inversion Do; subst.
  repeat match goal with Q : Permutation _ _ |- _ => apply copies_same with (c := F) in Q; copies_in Q end.
  unfold all_cards in C. fold (faces (laid_cards s)) in C. rewrite O, K, concat_app in C. simpl in C.
  repeat rewrite ?copies_app, ?copies_cons in C. simpl face in *.
  assert (one F F = 1) by trivial. lia.
Qed.

Theorem apex_finish_dead : forall r s, sound r s -> early_apex r <> win_on_completion -> apex_lies s ->
  finish r = true -> dead r s.
Proof.
  intros r s S E (x & k & I & L) Fv ts s' Wn.
  destruct (apex_again r s ts s' x S Wn) as (t & T & Rp).
  - apply laid_at_in. eauto.
  - apply again_apex; trivial.
  - destruct (sound_apex _ _ S x k I L) as [_ U]. specialize (U Fv). subst k.
    pose proof (wins_run _ _ _ _ Wn) as R. clear Wn E.
    induction R as [s | s u s1 ts s2 P N R IH]; [destruct T |].
    pose proof (apex_keeps_F _ _ _ _ x S Fv P I L) as Nu.
    destruct T as [-> | T]; [tauto |].
    destruct (turn_stays _ _ _ _ P x (Up F) I Nu) as (k & J & Q).
    pose proof (turn_sound _ _ _ _ S P) as S1.
    destruct (sound_apex _ _ S1 x k J L) as [_ U]. rewrite (U Fv) in J. exact (IH S1 J T).
Qed.

(** * A player who can do nothing *)

(** "The player to move owns no card, cannot draw one, and no card lies down. A, B and D need own cards, C
    a down card: the game ends, lost (END03)." *)
Theorem stuck_dead : forall r s, skipped r = false -> nth (due s) (own s) [] = [] ->
  (deck s = [] \/ no_draw s = true) -> (forall x c, ~ In (x, Down c) (laid_cards s)) -> dead r s.
Proof.
  intros r s Sk Ow Dr Nd ts s' Wn. pose proof (wins_run _ _ _ _ Wn) as R.
  destruct R as [s | s t s1 ts s2 P NL R].
  - destruct Wn as (b & t & s1 & E & _). destruct b; discriminate.
  - destruct P as [b a h h' R' d O B K Dn Do _ _ _ _ _ _ _ _ _].
    assert (Dt : draw t = []).
    { destruct Dr as [Dr | Dr]; [| auto]. rewrite Dr in K. destruct (draw t); [trivial | discriminate]. }
    rewrite O, <- B, nth_middle in Ow. rewrite Dt, Ow in Do. simpl in Do. unfold not_lost in NL.
    inversion Do; subst; repeat match goal with E : _ = act t |- _ => rewrite <- E in NL end;
      try (match goal with Q : Permutation [] _ |- _ => apply Permutation_nil in Q; discriminate end).
    + match goal with E : _ = laid_cards s |- _ => apply (Nd x c); rewrite <- E end.
      apply in_or_app. simpl. auto.
    + congruence.
Qed.
