(** The prices of Reductions.v are those of the check of [exchanges]: search.md, "exchanges". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Least Prices.
From Couperation Require Import Reductions.
Import ListNotations.
Open Scope nat_scope.

(** The numbers not seen yet, of a position as Counting.v has it. *)
Definition glass_cards : list card := map glass (seq 1 50).
Definition not_seen (p : position) : list card := filter (fun c => negb (shows_card p c)) glass_cards.

Lemma not_seen_in : forall p c, In c (not_seen p) <-> In c glass_cards /\ shows_card p c = false.
Proof. intros p c. unfold not_seen. rewrite filter_In, negb_true_iff. tauto. Qed.

Lemma shown_seen : forall p c, shows_card p c = true -> holds (not_seen p) c = false.
Proof.
  intros p c Sh. apply not_true_is_false. intros E. apply holds_true in E. apply not_seen_in in E.
  destruct E as [_ E]. congruence.
Qed.

Lemma not_seen_glass : forall p v, (1 <= v <= 50)%Z ->
  holds (not_seen p) (Glass v) = negb (shows_card p (Glass v)).
Proof.
  intros p v R. destruct (shows_card p (Glass v)) eqn:Sh; [exact (shown_seen p _ Sh) |].
  apply holds_true. apply not_seen_in. split; trivial.
  replace (Glass v) with (glass (Z.to_nat v)) by (unfold glass; rewrite Z2Nat.id by lia; trivial).
  apply (in_map glass (seq 1 50)), in_seq. lia.
Qed.

(** A card of the Reserve that a position shows, it shows there. *)
Lemma shown_in_reserve : forall p s c, NoDup (all_cards s) -> fits p s -> In c (reserve s) ->
  shows_card p c = seen_in (p_reserve p) c.
Proof.
  intros p s c N H I. assert (R : forall l, In c l -> copies l c <> 0).
  { intros l J E. apply (count_occ_In card_dec) in J. unfold copies in E. lia. }
  apply R in I. apply (NoDup_count_occ card_dec) with (x := c) in N. fold (copies (all_cards s) c) in N.
  unfold all_cards in N. rewrite !copies_app in N. unfold shows_card.
  assert (Q : forall a, (a = true -> False) -> a = false) by (intros [|]; auto; intros X; destruct X; auto).
  rewrite (Q (existsb (fun l => seen_in l c) (p_own p))), (Q (seen_in (p_deck p) c)),
    (Q (existsb (fun a => same_sight (snd (snd a)) c) (p_tower p))), (Q (seen_in (p_gone p) c)).
  - simpl. apply orb_false_r.
  - intros E. apply seen_in_some in E. apply (seen_some _ _ _ (fits_gone _ _ H)), R in E. lia.
  - intros E. apply existsb_exists in E. destruct E as ([y [u o]] & J & E). simpl in E.
    destruct o as [d |]; [| discriminate]. apply same_card_true in E. subst d.
    destruct (all2_left _ _ _ _ _ _ (fits_tower _ _ H) J) as ([z j] & Jl & (_ & _ & Sw)). simpl in Sw.
    apply in_faces in Jl. rewrite Sw in Jl. apply R in Jl. unfold faces in Jl. lia.
  - intros E. apply seen_in_some in E. apply (seen_some _ _ _ (fits_deck _ _ H)), R in E. lia.
  - intros E. apply existsb_exists in E. destruct E as (os & Io & E). apply seen_in_some in E.
    destruct (all2_left _ _ _ _ _ _ (fits_own _ _ H) Io) as (h & Ih & (Qh & _)).
    assert (J : In c (concat (own s))) by (apply in_concat; exists h; split; trivial;
      exact (seen_some _ _ _ Qh E)).
    apply R in J. lia.
Qed.

(** The price of a number is that of Prices.v, where F is placed. *)
Theorem cost_shown : forall r p s x k v, sound r s -> fits p s ->
  (In F (all_cards s) -> shows_card p F = true) -> face k = Glass v -> In (Glass v) (all_cards s) ->
  cost r (not_seen p) s (x, k) = p_price r true p x (Glass v).
Proof.
  intros r p s x k v S H Pf E A. pose proof (sound_numbers _ _ S v A) as Rv.
  assert (M : NoDup (map fst (p_tower p))) by (rewrite (fits_cells _ _ H); apply S).
  pose proof (fits_at p s x (sound_cells _ _ S) H) as At. unfold cost, p_price. cbn [fst snd]. rewrite E.
  destruct (p_at (p_tower p) x) as [[up o] |] eqn:Pt.
  - destruct At as (k0 & At & _ & Sw). rewrite At. apply at_cell_in in At; [| apply S].
    assert (A0 : In (face k0) (all_cards s)).
    { apply in_faces in At. unfold all_cards. fold (faces (laid_cards s)). rewrite !in_app_iff. auto. }
    destruct o as [d |].
    + simpl in Sw. subst d. assert (Sh : shows_card p (face k0) = true).
      { apply p_at_in in Pt; trivial. unfold shows_card. rewrite !orb_true_iff. left. left. right.
        apply existsb_exists. exists (x, (up, Some (face k0))). split; trivial. simpl.
        apply same_card_true. trivial. }
      rewrite (shown_seen p _ Sh). destruct (again r x), (same_card (face k0) (Glass v)); trivial.
    + pose proof (shown_elsewhere p s x up k0) as El. destruct (shows_card p (Glass v)) eqn:Sh.
      * rewrite not_seen_glass, Sh, andb_false_r, orb_false_r by trivial.
        destruct (same_card (face k0) (Glass v)) eqn:Q; [| rewrite andb_false_r, orb_true_r; trivial].
        apply same_card_true in Q. destruct (El (Glass v) (sound_cards _ _ S) M H Pt At Sh Q).
      * destruct (face k0) as [w |] eqn:E0.
        -- rewrite !not_seen_glass by (trivial; exact (sound_numbers _ _ S w A0)). rewrite Sh.
           destruct (shows_card p (Glass w)) eqn:Sw0.
           { destruct (El (Glass w) (sound_cards _ _ S) M H Pt At Sw0 eq_refl). }
           simpl. rewrite orb_true_r, andb_true_r, orb_false_r. destruct (again r x); trivial.
        -- destruct (El F (sound_cards _ _ S) M H Pt At (Pf A0) eq_refl).
  - rewrite At, not_seen_glass, negb_involutive by trivial. simpl.
    destruct (holds (reserve s) (Glass v)) eqn:R; simpl.
    + apply holds_true in R. rewrite (shown_in_reserve p s _ (sound_cards _ _ S) H R). trivial.
    + destruct (seen_in (p_reserve p) (Glass v)) eqn:Q; trivial. apply seen_in_some in Q.
      apply (seen_some _ _ _ (fits_reserve _ _ H)), holds_true in Q. congruence.
Qed.

(** F costs what the check says: 1 where it is seen in the Reserve. *)
Theorem F_cost_shown : forall r p s x k, sound r s -> fits p s ->
  (In F (all_cards s) -> shows_card p F = true) -> face k = F ->
  F_cost each_one r true p = Some (cost r (not_seen p) s (x, k)).
Proof.
  intros r p s x k S H Pf E. unfold F_cost, cost, each_one. cbn [fst snd]. rewrite E, andb_true_r.
  destruct (holds (reserve s) F) eqn:R.
  - apply holds_true in R. assert (A : In F (all_cards s)) by (unfold all_cards; rewrite !in_app_iff; auto).
    rewrite <- (shown_in_reserve p s F (sound_cards _ _ S) H R), (Pf A), (F_variant r s S A). trivial.
  - destruct (seen_in (p_reserve p) F) eqn:Q; [| rewrite andb_false_r; trivial].
    apply seen_in_some in Q. apply (seen_some _ _ _ (fits_reserve _ _ H)), holds_true in Q. congruence.
Qed.

Print Assumptions cost_shown.
Print Assumptions F_cost_shown.
