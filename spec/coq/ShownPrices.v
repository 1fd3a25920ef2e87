(** The prices of Reductions.v are those of the check of [exchanges], and what this check finds is the least
    price: search.md, "exchanges". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Least Prices.
From Couperation Require Import Exchanges Reductions.
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

(** * The check finds no more than the least price *)

(** A card that is gone and was not seen may be another one, and lie elsewhere: say, in the deck. *)
Definition unburied (unseen : list card) (s : table) : table :=
  Table (own s) (filter (holds unseen) (gone s) ++ deck s) (laid_cards s) (reserve s)
    (filter (fun c => negb (holds unseen c)) (gone s)) (due s) (moved s) (no_draw s).

Lemma copies_split : forall (f : card -> bool) l c,
  copies (filter f l) c + copies (filter (fun d => negb (f d)) l) c = copies l c.
Proof.
  intros f l c. induction l as [| d l IH]; simpl; trivial. rewrite (copies_cons d l), <- IH.
  destruct (f d); simpl; rewrite copies_cons; lia.
Qed.

Lemma unburied_cards : forall unseen s, Permutation (all_cards s) (all_cards (unburied unseen s)).
Proof.
  intros unseen s. apply same_copies. intros c. unfold all_cards, unburied.
  cbn [own deck laid_cards reserve gone]. rewrite !copies_app.
  pose proof (copies_split (holds unseen) (gone s) c). lia.
Qed.

Lemma unburied_sound : forall r unseen s, sound r s -> sound r (unburied unseen s).
Proof.
  intros r unseen s [A B C D E G I]. pose proof (unburied_cards unseen s) as P. split; trivial.
  - exact (Permutation_NoDup P A).
  - intros v J. apply G. exact (Permutation_in _ (Permutation_sym P) J).
  - intros Fv J. apply (I Fv). exact (Permutation_in _ (Permutation_sym P) J).
Qed.

Lemma unburied_final : forall r unseen s T, final_tower r unseen s T -> final r (unburied unseen s) T.
Proof.
  intros r unseen s T [A B C D E G I J K]. split; trivial. intros c M. destruct (K c M) as [K1 K2]. split.
  - exact (Permutation_in _ (unburied_cards unseen s) K1).
  - intros Q. unfold unburied in Q. cbn [gone] in Q. apply filter_In in Q. destruct Q as [Q1 Q2].
    apply negb_true_iff in Q2. destruct K2 as [K2 | K2]; [| tauto]. apply holds_true in K2. congruence.
Qed.

Section Dealt.

  Variable r : rulings.
  Variable p : position.
  Variable s : table.
  Variable T : tower.
  Variable l : Z.

  Hypothesis S0 : sound r s.
  Hypothesis H : fits p s.
  Hypothesis Pf : In F (all_cards s) -> shows_card p F = true.
  Hypothesis Ft : final_tower r (not_seen p) s T.
  Hypothesis Pr : priced r (not_seen p) s T.
  Hypothesis Pl : forall x, inside levels l x <-> In x (map fst T).

  Let s0 : table := unburied (not_seen p) s.
  Let S1 : sound r s0 := unburied_sound r (not_seen p) s S0.
  Let Fi : final r s0 T := unburied_final r (not_seen p) s T Ft.
  Let num_at := number_at T l.

  Lemma dealt_cost : forall c h, on r c h ->
    In (cell_at l c h, Up (glass (num_at c h))) T /\
    p_cost each_one r true p l c h (num_at c h) = Some (cost_at each_one r true p T l c h) /\
    cost_at each_one r true p T l c h = cost r (not_seen p) s (cell_at l c h, Up (glass (num_at c h))).
  Proof.
    intros c h O. destruct (number_there r s0 T 0 l S1 Fi Pl c h O) as (v & I & R & E & G).
    unfold p_cost, cost_at, worth_at, num_at. rewrite G. set (x := cell_at l c h) in *.
    pose proof (in_faces _ _ _ I) as Fc. cbn [face] in Fc. destruct (ft_from _ _ _ _ Ft _ Fc) as [A Gn].
    pose proof (cost_shown r p s x (Up (Glass v)) v S0 H Pf eq_refl A) as Cs.
    assert (G1 : seen_in (p_gone p) (Glass v) = false).
    { apply not_true_is_false. intros Se. destruct Gn as [Gn | Gn].
      - apply not_seen_in in Gn. destruct Gn as [_ Gn]. unfold shows_card in Gn. rewrite Se, orb_true_r in Gn.
        discriminate.
      - apply seen_in_some in Se. exact (Gn (seen_some _ _ _ (fits_gone _ _ H) Se)). }
    assert (K : p_kept r p x && negb (p_price r true p x (Glass v) =? 0) = false).
    { destruct (p_kept r p x) eqn:Kp; trivial. simpl. apply negb_false_iff, Nat.eqb_eq. rewrite <- Cs.
      apply (priced_kept _ _ _ _ Pr); trivial; [| | discriminate].
      - exact (p_kept_laid r p s x (sound_cells _ _ S0) H Kp).
      - exact (p_kept_kept r p s x (sound_cells _ _ S0) H Kp). }
    rewrite G1, K, E, (bound_kept r s0 T 0 l S1 Fi Pl x v (on_inside r 0 l c h O) I). simpl.
    rewrite <- Cs. split; trivial. assert (C1 : cost r (not_seen p) s (x, Up (Glass v)) <= 1).
    { unfold cost. cbn [fst snd face].
      destruct (at_cell (laid_cards s) x); match goal with |- (if ?b then _ else _) <= 1 => destruct b end;
        auto. }
    destruct (cost r (not_seen p) s (x, Up (Glass v))) as [| [| k]]; simpl; auto. lia.
  Qed.

  Lemma dealt_within : exists m, F_cost each_one r true p = Some m /\
    ideal_price (tops_of r) (cost_at each_one r true p T l) (tops_of r) + m <=
    tower_cost r (not_seen p) s T.
  Proof.
    rewrite ideal_board.
    pose (g := fun e : nat * nat => (cell_at l (fst e) (snd e), Up (glass (num_at (fst e) (snd e))))).
    assert (In_T : incl (map g (board r)) T).
    { intros e I. apply in_map_iff in I. destruct I as ([c h] & <- & I). apply (board_on r 0) in I.
      apply (dealt_cost c h I). }
    assert (Once : NoDup (map g (board r))).
    { apply FinFun.Injective_map_NoDup; [| apply board_once]. intros [c h] [d k] E.
      apply (f_equal fst) in E. apply (cell_at_inj 0) in E. destruct E. simpl in *. congruence. }
    assert (Le : sum (fun e => cost_at each_one r true p T l (fst e) (snd e)) (board r) <=
      sum (cost r (not_seen p) s) (map g (board r))).
    { rewrite sum_map. apply sum_least. intros [c h] I. apply (board_on r 0) in I.
      destruct (dealt_cost c h I) as (_ & _ & E). simpl. rewrite E. trivial. }
    destruct (finish r) eqn:Fv.
    - destruct (finish_ends_on_apex _ _ _ Fv Fi) as (a & A & _).
      exists (cost r (not_seen p) s (a, Up F)).
      split; [exact (F_cost_shown r p s a (Up F) S0 H Pf eq_refl) |].
      assert (Na : ~ In (a, Up F) (map g (board r))).
      { intros I. apply in_map_iff in I. destruct I as ([c h] & E & _). unfold g, glass in E. inversion E. }
      pose proof (sum_within _ (cost r (not_seen p) s) ((a, Up F) :: map g (board r)) T) as W. simpl in W.
      unfold tower_cost. enough (cost r (not_seen p) s (a, Up F) +
        sum (cost r (not_seen p) s) (map g (board r)) <= sum (cost r (not_seen p) s) T) by lia.
      apply W; [constructor; trivial |]. intros e [<- | I]; auto.
    - exists 0. split; [unfold F_cost; rewrite Fv; trivial |].
      pose proof (sum_within _ (cost r (not_seen p) s) (map g (board r)) T Once In_T). unfold tower_cost. lia.
  Qed.

End Dealt.

(** What the check says that all final towers cost more than, they do. *)
Theorem dearer_shown : forall r p cap s T, dearer each_one r true p cap = true -> sound r s -> fits p s ->
  (In F (all_cards s) -> shows_card p F = true) ->
  final_tower r (not_seen p) s T -> priced r (not_seen p) s T ->
  (Z.of_nat (tower_cost r (not_seen p) s T) > cap)%Z.
Proof.
  intros r p cap s T C S H Pf Ft Pr.
  destruct (Z_gt_le_dec (Z.of_nat (tower_cost r (not_seen p) s T)) cap) as [G | L]; trivial. exfalso.
  unfold dearer in C. apply orb_true_iff in C. destruct C as [C | C]; [apply Z.ltb_lt in C; lia |].
  pose proof (unburied_sound r (not_seen p) s S) as S1.
  pose proof (unburied_final r (not_seen p) s T Ft) as Fi.
  destruct (final_fills _ _ _ Fi) as (l & Pl & In_T). apply negb_true_iff in C.
  assert (existsb (place_affordable each_one r true p cap) (places r) = true); [| congruence].
  apply existsb_exists. exists l. split; trivial.
  apply (place_dealt each_one r true p _ T 0 cap l S1 Fi In_T).
  - rewrite (fits_cells _ _ H). exact (ft_laid _ _ _ _ Ft).
  - intros c h O. apply (dealt_cost r p s T l S H Pf Ft Pr In_T c h O).
  - destruct (dealt_within r p s T l S H Pf Ft Pr In_T) as (m & E & Le). exists m. split; trivial. lia.
Qed.

(** So what is found by order ideals is a least price as Lemma 3 asks for one, *)
Theorem least_shown : forall r p c s, dearer each_one r true p (Z.of_nat c - 1) = true -> sound r s ->
  fits p s -> (In F (all_cards s) -> shows_card p F = true) -> costs_least r (not_seen p) s c.
Proof.
  intros r p c s C S H Pf T Ft Pr. pose proof (dearer_shown r p _ s T C S H Pf Ft Pr). lia.
Qed.

(** and the check of [exchanges] is the test of the search. *)
Theorem exchanges_shown : forall r p s, exchanges_check r p = true -> sound r s -> fits p s ->
  (In F (all_cards s) -> shows_card p F = true) -> out_of_reach r (not_seen p) s.
Proof.
  intros r p s C S H Pf T Ft Pr. rewrite (fits_spare _ _ H). exact (dearer_shown r p _ s T C S H Pf Ft Pr).
Qed.
