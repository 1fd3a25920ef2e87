(** Positions before a trim: search.md, "Number and digest". "A position U before a trim is looked at once,
    for all positions that follow it. Where U is left out, so are all of these." *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final Counting Game Turns Reductions.
Import ListNotations.
Open Scope nat_scope.

(** The table U "after a turn before anything is trimmed", and the one after the trim. *)
Record trimmed (u s : table) (cut : list card) : Prop := Trimmed {
  tr_own : own s = own u;
  tr_deck : deck s = deck u;
  tr_laid : laid_cards s = laid_cards u;
  tr_reserve : Permutation (reserve u) (cut ++ reserve s);
  tr_gone : gone s = cut ++ gone u;
  tr_moved : moved s = moved u;
  tr_due : due s = due u
}.

Lemma trim_cards : forall u s cut, trimmed u s cut -> Permutation (all_cards u) (all_cards s).
Proof.
  intros u s cut [O D L R G _ _]. apply same_copies. intros c. apply copies_same with (c := c) in R.
  unfold all_cards. rewrite O, D, L, G. rewrite !copies_app in *. lia.
Qed.

Section Trim.

  Variable r : rulings.
  Variable unseen : list card.
  Variables u s : table.
  Variable cut : list card.
  Variable T : tower.

  Hypothesis Nf : ~ In F unseen.
  Hypothesis Tr : trimmed u s cut.
  Hypothesis Ft : final_tower r unseen s T.

  Lemma trim_final : final_tower r unseen u T.
  Proof.
    destruct Ft as [A B C D E G H I J]. split; trivial; [rewrite <- (tr_laid _ _ _ Tr); trivial |].
    intros c M. destruct (J c M) as [J1 J2]. split.
    - exact (Permutation_in _ (Permutation_sym (trim_cards _ _ _ Tr)) J1).
    - destruct J2 as [J2 | J2]; [auto | right]. intros Q. apply J2. rewrite (tr_gone _ _ _ Tr).
      apply in_or_app. auto.
  Qed.

  (** A final tower holds no card that was seen and trimmed. *)
  Lemma trim_waits : forall c, In c (faces T) -> In c (reserve u) -> ~ In c unseen -> In c (reserve s).
  Proof.
    intros c I R N. apply (Permutation_in _ (tr_reserve _ _ _ Tr)), in_app_or in R.
    destruct R as [R | R]; trivial. exfalso. destruct (ft_from _ _ _ _ Ft c I) as [_ [Q | Q]]; [tauto |].
    apply Q. rewrite (tr_gone _ _ _ Tr). apply in_or_app. auto.
  Qed.

  Lemma trim_cost : forall e, In e T -> cost r unseen u e <= cost r unseen s e.
  Proof.
    intros [x k] I. apply in_faces in I. unfold cost. cbn [fst snd]. rewrite (tr_laid _ _ _ Tr).
    assert (W : holds (reserve u) (face k) = true -> holds unseen (face k) = false ->
      holds (reserve s) (face k) = true).
    { intros R N. apply holds_true, trim_waits; trivial; [apply holds_true; trivial |].
      intros Q. apply holds_true in Q. congruence. }
    assert (Fs : holds unseen F = false).
    { apply not_true_is_false. intros Q. apply Nf, holds_true, Q. }
    destruct (face k) as [v |].
    - destruct (at_cell (laid_cards u) x); trivial.
      destruct (holds (reserve u) (Glass v)), (holds unseen (Glass v)); simpl; try lia.
      rewrite W; trivial.
    - destruct (holds (reserve u) F); [rewrite W; trivial | lia].
  Qed.

  Lemma trim_priced : priced r unseen s T -> priced r unseen u T.
  Proof.
    intros [Pk Pf]. split.
    - intros p k L I K Nk. pose proof (trim_cost (p, k) I). enough (cost r unseen s (p, k) = 0) by lia.
      apply Pk; trivial; unfold laid_at, kept in *;
        rewrite ?(tr_laid _ _ _ Tr), ?(tr_moved _ _ _ Tr); trivial.
    - intros I V R. exact (Pf I V (trim_waits F I R Nf)).
  Qed.

End Trim.

(** "A trim makes no price less", so "where U is left out, so are all of these". *)
Theorem trim_least : forall r unseen u s cut c, ~ In F unseen -> trimmed u s cut ->
  costs_least r unseen u c -> costs_least r unseen s c.
Proof.
  intros r unseen u s cut c Nf Tr Le T Ft Pr.
  pose proof (Le T (trim_final r unseen u s cut T Tr Ft) (trim_priced r unseen u s cut T Nf Tr Ft Pr)).
  pose proof (sum_least _ (cost r unseen u) (cost r unseen s) T (trim_cost r unseen u s cut T Nf Tr Ft)).
  unfold tower_cost in *. lia.
Qed.

Theorem trim_out_of_reach : forall r unseen u s cut, ~ In F unseen -> trimmed u s cut ->
  out_of_reach r unseen u -> out_of_reach r unseen s.
Proof.
  intros r unseen u s cut Nf Tr H T Ft Pr.
  pose proof (H T (trim_final r unseen u s cut T Tr Ft) (trim_priced r unseen u s cut T Nf Tr Ft Pr)) as G.
  pose proof (sum_least _ (cost r unseen u) (cost r unseen s) T (trim_cost r unseen u s cut T Nf Tr Ft)).
  assert (E : spare s = spare u).
  { unfold spare, cards_left, empty_cells.
    rewrite (tr_own _ _ _ Tr), (tr_deck _ _ _ Tr), (tr_laid _ _ _ Tr). trivial. }
  rewrite E. unfold tower_cost in *. lia.
Qed.

(** The counting game counts no card of the Reserve: with what U owes it is the same one. *)
Theorem trim_game : forall u s cut lim c, trimmed u s cut -> game_of s lim c = game_of u lim c.
Proof. intros u s cut lim c [O D L _ _ _ E]. unfold game_of. rewrite O, D, L, E. trivial. Qed.
