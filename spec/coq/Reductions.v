(** The reductions of the exhaustive search that ask for prices: search.md, "cards", "exchanges" and Lemma 3.

    A position of the search stands for tables in which the unseen cards are given out in any way.  Here it is
    such a table, with the list of the cards that nobody has seen yet. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach Counting.
Import ListNotations.
Open Scope nat_scope.

(** * cards *)

(** "A position with slack below 0 is left out." *)
Definition out_of_cards (s : table) : Prop := (spare s < 0)%Z.

Theorem out_of_cards_dead : forall r s, out_of_cards s -> dead r s.
Proof. intros r s H. apply cards_dead. unfold out_of_cards, spare in H. lia. Qed.

(** * Prices as a position shows them *)

(** The price of a card on a cell, with t(v) = 1; [unseen] are "the numbers not seen yet".  F costs 1 in the
    Reserve, and else nothing. *)
Definition cost (r : rulings) (unseen : list card) (s : table) (e : cell * laid) : nat :=
  match face (snd e) with
  | F => if holds (reserve s) F then 1 else 0
  | Glass v =>
      match at_cell (laid_cards s) (fst e) with
      | Some k =>
          if negb (again r (fst e)) &&
             (same_card (face k) (Glass v) || holds unseen (face k) && holds unseen (Glass v)) then 0 else 1
      | None => if holds (reserve s) (Glass v) && negb (holds unseen (Glass v)) then 1 else 0
      end
  end.

Definition tower_cost (r : rulings) (unseen : list card) (s : table) (T : tower) : nat :=
  sum (cost r unseen s) T.

(** The final towers. A card that is seen gone is in none of them; one that is gone and was not seen may be
    another one. *)
Record final_tower (r : rulings) (unseen : list card) (s : table) (T : tower) : Prop := Final_tower {
  ft_full : length T = full_size;
  ft_cells : NoDup (map fst T);
  ft_pyramid : in_pyramid r T;
  ft_up : forall x k, In (x, k) T -> is_up k = true;
  ft_order : in_order r T;
  ft_apex : forall x k, In (x, k) T -> apex_right r x k;
  ft_once : NoDup (faces T);
  ft_laid : incl (map fst (laid_cards s)) (map fst T);
  ft_from : forall c, In c (faces T) -> In c (all_cards s) /\ (In c unseen \/ ~ In c (gone s))
}.

(** A tower has a price unless a card that [replace_target] keeps would have to be replaced, or F be taken
    from the Reserve under [finish_value=none]. *)
Record priced (r : rulings) (unseen : list card) (s : table) (T : tower) : Prop := Priced {
  priced_kept : forall p k, laid_at s p -> In (p, k) T -> kept r s p -> face k <> F ->
    cost r unseen s (p, k) = 0;
  priced_F : In F (faces T) -> finish_value r = no_number -> ~ In F (reserve s)
}.

(** The least price is c or more. *)
Definition costs_least (r : rulings) (unseen : list card) (s : table) (c : nat) : Prop :=
  forall T, final_tower r unseen s T -> priced r unseen s T -> c <= tower_cost r unseen s T.

(** * exchanges *)

(** "A position is left out when no final tower has a price of at most its slack." *)
Definition out_of_reach (r : rulings) (unseen : list card) (s : table) : Prop :=
  forall T, final_tower r unseen s T -> priced r unseen s T ->
    (Z.of_nat (tower_cost r unseen s T) > spare s)%Z.

Lemma final_final_tower : forall r unseen s T, final r s T -> final_tower r unseen s T.
Proof. intros r unseen s T [A B C D E G H I J]. split; trivial. intros c M. destruct (J c M). auto. Qed.

(** F in a tower is a card of the [finish] variant. *)
Lemma F_variant : forall r s, sound r s -> In F (all_cards s) -> finish r = true.
Proof.
  intros r s S I. destruct (finish r) eqn:E; trivial. destruct (sound_variant _ _ S E I).
Qed.

Lemma in_faces : forall (W : tower) p k, In (p, k) W -> In (face k) (faces W).
Proof. intros W p k I. exact (in_map (fun e => face (snd e)) W (p, k) I). Qed.

(** These prices are no more than those of table.md ([price]), which see all cards. *)
Lemma cost_price : forall r unseen s T e, sound r s -> final r s T -> In e T ->
  cost r unseen s e <= price r true s e.
Proof.
  intros r unseen s T [x k] S Fi I. unfold cost, price. cbn [fst snd].
  destruct (face k) as [v |] eqn:Ek.
  - destruct (at_cell (laid_cards s) x) as [j |].
    + destruct (again r x), (same_card (face j) (Glass v)); simpl; trivial.
      destruct (_ && _); lia.
    + simpl. destruct (holds (reserve s) (Glass v)); simpl; trivial. destruct (negb _); lia.
  - destruct (holds (reserve s) F) eqn:Hf; [| lia]. apply holds_true in Hf.
    assert (Fv : finish r = true).
    { apply (F_variant r s S). unfold all_cards. rewrite !in_app_iff. auto. }
    destruct (finish_ends_on_apex _ _ _ Fv Fi) as (y & J & L).
    assert (x = y) by exact (faces_one T x y k (Up F) (final_once _ _ _ Fi) I J Ek). subst y.
    destruct (at_cell (laid_cards s) x) as [j |] eqn:At; [| simpl; lia].
    exfalso. apply at_cell_in in At; [| apply S]. destruct (sound_apex _ _ S x j At L) as [_ Ej].
    specialize (Ej Fv). subst j. apply (one_place s F (sound_cards _ _ S) (in_faces _ _ _ At)).
    apply in_or_app. auto.
Qed.

Lemma tower_cost_price : forall r unseen s T, sound r s -> final r s T ->
  tower_cost r unseen s T <= tower_price r true s T.
Proof.
  intros r unseen s T S Fi. apply sum_least. intros e I. exact (cost_price r unseen s T e S Fi I).
Qed.

(** What a continuation ends with has a price here. *)
Lemma wins_priced : forall r unseen s ts s', sound r s -> wins r s ts s' -> priced r unseen s (laid_cards s').
Proof.
  intros r unseen s ts s' S Wn. pose proof (wins_final _ _ _ _ S Wn) as Fi. split.
  - intros p k L I K _. apply laid_at_in in L. destruct L as (k0 & L).
    pose proof (cost_price r unseen s _ _ S Fi I) as Le. unfold price in Le. cbn [fst snd] in Le.
    rewrite (proj1 (at_cell_in _ _ _ (sound_cells _ _ S)) L) in Le.
    destruct (again r p) eqn:Ag.
    + destruct (price_had _ _ _ _ S Wn p k0 k L I); auto.
    + destruct (same_card (face k0) (face k)) eqn:E; simpl in Le; [lia |].
      destruct (price_had _ _ _ _ S Wn p k0 k L I); trivial. right. intros Q.
      apply same_card_true in Q. congruence.
  - intros I V R. destruct (final_from _ _ _ Fi F I) as [A _].
    apply (finish_reserve_dead r s S (F_variant r s S A) V) in Wn; trivial. apply in_or_app. auto.
Qed.

(** "By the theorem there, a winning continuation has a final tower whose price is at most the slack." *)
Theorem out_of_reach_dead : forall r unseen s, sound r s -> out_of_reach r unseen s -> dead r s.
Proof.
  intros r unseen s S H ts s' Wn. pose proof (wins_final _ _ _ _ S Wn) as Fi.
  pose proof (H _ (final_final_tower r unseen s _ Fi) (wins_priced r unseen s ts s' S Wn)) as G.
  pose proof (tower_cost_price r unseen s _ S Fi). pose proof (price_paid r true s ts s' S Wn).
  apply account in Wn. unfold spare in G. lia.
Qed.

(** The least price is paid by actions D and the cards that they destroy. *)
Lemma least_paid : forall r unseen s c, sound r s -> costs_least r unseen s c ->
  forall ts s', wins r s ts s' -> c <= all_D ts + all_spent ts.
Proof.
  intros r unseen s c S H ts s' Wn. pose proof (wins_final _ _ _ _ S Wn) as Fi.
  pose proof (H _ (final_final_tower r unseen s _ Fi) (wins_priced r unseen s ts s' S Wn)).
  pose proof (tower_cost_price r unseen s _ S Fi). pose proof (price_paid r true s ts s' S Wn). lia.
Qed.

(** * Lemma 3 *)

(** "Slack falls by k + h, and by one more for D (the account)." *)
Lemma slack_falls : forall r s t s', played r s t s' ->
  spare s' = (spare s - Z.of_nat (is_D (act t)) - Z.of_nat (spent (act t)) - Z.of_nat (length (drop t)))%Z.
Proof. intros r s t s' P. apply turn_counts in P. unfold spare, empty_cells. lia. Qed.

(** What is seen stays seen, and so is the card that D takes; F is no number. *)
Definition settles (t : turn) (unseen unseen' : list card) : Prop :=
  incl unseen' unseen /\ ~ In F unseen' /\ forall c, taken t = Some c -> ~ In c unseen'.

(** Final towers after a turn are final towers before it, and have a price there. *)
Lemma final_before : forall r unseen unseen' s t s' T, played r s t s' -> settles t unseen unseen' ->
  final_tower r unseen' s' T -> final_tower r unseen s T.
Proof.
  intros r unseen unseen' s t s' T P [Se _] [A B C D E G H I J]. split; trivial.
  - intros p L. apply I. exact (turn_laid _ _ _ _ P p L).
  - intros c M. destruct (J c M) as [J1 J2]. split.
    + exact (Permutation_in _ (Permutation_sym (turn_keeps _ _ _ _ P)) J1).
    + destruct J2 as [J2 | J2]; [auto | right]. intros Gn. apply J2. exact (turn_gone _ _ _ _ P c Gn).
Qed.

Section Turn.

  Variable r : rulings.
  Variables unseen unseen' : list card.
  Variables s s' : table.
  Variable t : turn.
  Variable T : tower.

  Hypothesis S0 : sound r s.
  Hypothesis P : played r s t s'.
  Hypothesis Se : settles t unseen unseen'.
  Hypothesis Ft : final_tower r unseen' s' T.

  (** 1 for the card that D takes. *)
  Definition takes (c : card) : nat :=
    match taken t with Some d => if same_card d c then 1 else 0 | None => 0 end.

  Lemma takes_it : forall c, taken t = Some c -> takes c = 1.
  Proof.
    intros c E. unfold takes. rewrite E. destruct (same_card c c) eqn:Q; trivial.
    assert (same_card c c = true) by (apply same_card_true; trivial). congruence.
  Qed.

  Lemma still_seen : forall c, holds unseen c = false -> holds unseen' c = false /\ ~ In c unseen'.
  Proof.
    intros c E. assert (N : ~ In c unseen').
    { intros Q. apply (proj1 Se), holds_true in Q. congruence. }
    split; trivial. destruct (holds unseen' c) eqn:Q; trivial. apply holds_true in Q. tauto.
  Qed.

  (** A card of the Reserve that a final tower needs stays there unless D takes it. *)
  Lemma waits : forall c, In c (faces T) -> In c (reserve s) -> ~ In c unseen' ->
    taken t = Some c \/ In c (reserve s').
  Proof.
    intros c I R U.
    assert (M : {taken t = Some c} + {taken t <> Some c}) by (decide equality; apply card_dec).
    destruct M as [M | M]; [auto | right].
    assert (RG : In c (reserve s ++ gone s)) by (apply in_or_app; auto).
    apply (turn_away _ _ _ _ P c RG) in M. apply in_app_or in M. destruct M as [M | M]; trivial.
    exfalso. destruct (ft_from _ _ _ _ Ft c I) as [_ [Q | Q]]; tauto.
  Qed.

  (** "F costs 1 in the Reserve, 0 elsewhere: a D that takes it saves this one. Otherwise F gets dearer when
      it is sent and else stays." *)
  Lemma F_saves : forall p k, In (p, k) T -> face k = F ->
    cost r unseen s (p, k) <= cost r unseen' s' (p, k) + takes F.
  Proof.
    intros p k I E. unfold cost. cbn [fst snd]. rewrite E.
    destruct (holds (reserve s) F) eqn:R; [| lia]. apply holds_true in R.
    pose proof (in_faces _ _ _ I) as If. rewrite E in If.
    destruct (waits F If R (proj1 (proj2 Se))) as [M | M]; [rewrite (takes_it _ M); lia |].
    apply holds_true in M. rewrite M. lia.
  Qed.

  (** A laid card that no D replaces costs what it did, "or 1 in place of 0 where it was unseen"; C among
      the rest: "the card stays where it lies". *)
  Lemma stays_saves : forall p k, laid_at s p -> replaced t <> Some p -> face k <> F ->
    cost r unseen s (p, k) <= cost r unseen' s' (p, k).
  Proof.
    intros p k L N Nf. apply laid_at_in in L. destruct L as (k0 & L).
    destruct (turn_stays _ _ _ _ P p k0 L N) as (k1 & L1 & E1). unfold cost. cbn [fst snd].
    destruct (face k) as [v |]; [| tauto].
    rewrite (proj1 (at_cell_in _ _ _ (sound_cells _ _ S0)) L).
    rewrite (proj1 (at_cell_in _ _ _ (turn_cells _ _ _ _ P (sound_cells _ _ S0))) L1), E1.
    destruct (again r p); simpl; trivial. destruct (same_card (face k0) (Glass v)); simpl; trivial.
    destruct (holds unseen' (face k0)) eqn:U1; simpl; [| destruct (_ && _); lia].
    destruct (holds unseen' (Glass v)) eqn:U2; [| destruct (_ && _); lia].
    apply holds_true, (proj1 Se), holds_true in U1. apply holds_true, (proj1 Se), holds_true in U2.
    rewrite U1, U2. trivial.
  Qed.

  (** "D that takes v for the laid cell p, from which y comes back": p saves one where v ends there. *)
  Lemma replaced_saves : forall p k, replaced t = Some p -> face k <> F ->
    cost r unseen s (p, k) <= cost r unseen' s' (p, k) + takes (face k).
  Proof.
    intros p k E Nf. destruct (turn_replaces _ _ _ _ _ P E) as (_ & l & L & M). unfold cost. cbn [fst snd].
    destruct (face k) as [v |]; [| tauto].
    rewrite (proj1 (at_cell_in _ _ _ (turn_cells _ _ _ _ P (sound_cells _ _ S0))) L).
    assert (C : match at_cell (laid_cards s) p with
      | Some k0 => if negb (again r p) && (same_card (face k0) (Glass v) ||
            holds unseen (face k0) && holds unseen (Glass v)) then 0 else 1
      | None => if holds (reserve s) (Glass v) && negb (holds unseen (Glass v)) then 1 else 0 end <= 1).
    { destruct (at_cell (laid_cards s) p); destruct (_ && _); lia. }
    destruct (same_card (face l) (Glass v)) eqn:Q.
    - apply same_card_true in Q. rewrite Q in M. rewrite (takes_it _ M). lia.
    - destruct (holds unseen' (face l)) eqn:U; [| simpl; rewrite andb_false_r; lia].
      apply holds_true in U. destruct (proj2 (proj2 Se) _ M U).
  Qed.

  (** What is laid on an empty cell was the player's, was drawn, or is taken by D. *)
  Lemma laid_from : forall p, ~ laid_at s p -> laid_at s' p -> exists l, In (p, l) (laid_cards s') /\
    (taken t = Some (face l) \/ In (face l) (concat (own s) ++ deck s)).
  Proof.
    intros p N L. apply laid_at_in in L. destruct L as (l & L). exists l. split; trivial.
    destruct P as [b a h h' R' d O _ K _ Do _ _ _ _ W _ _ _ _]. unfold laid_at in N. rewrite W in L.
    assert (G : taken t = Some (face l) \/ In (face l) (draw t ++ h)).
    { unfold taken. remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
      replace (draw t ++ h) with (hand d0) by (rewrite Ed; trivial).
      replace (laid_cards s) with (tow d0) in N by (rewrite Ed; trivial). clear Ed.
      assert (No : forall k, ~ In (p, k) (tow d0)) by (intros k I; exact (N (in_map fst _ _ I))).
      destruct Do; simpl in *; try (destruct (No _ L));
        try (destruct L as [L | L]; [inversion L; subst | destruct (No _ L)]; simpl; auto;
          right; apply (Permutation_in _ (Permutation_sym H)); simpl; auto);
        exfalso; apply N; rewrite map_app; apply (in_map fst) in L; rewrite map_app in L; exact L. }
    destruct G as [G | G]; [auto | right]. rewrite O, K, concat_app. simpl. rewrite !in_app_iff in *. tauto.
  Qed.

  (** "A, B: a card is laid on p, which was empty", and D "that takes v for the empty cell p": p saves one
      where it is v that ends there. *)
  Lemma laid_saves : forall p k, In (p, k) T -> ~ laid_at s p -> laid_at s' p -> face k <> F ->
    cost r unseen s (p, k) <= cost r unseen' s' (p, k) + takes (face k).
  Proof.
    intros p k I N L Nf. destruct (laid_from p N L) as (l & Il & Fr). apply at_cell_none in N.
    unfold cost. cbn [fst snd]. destruct (face k) as [v |]; [| tauto]. rewrite N.
    rewrite (proj1 (at_cell_in _ _ _ (turn_cells _ _ _ _ P (sound_cells _ _ S0))) Il).
    destruct (holds (reserve s) (Glass v)) eqn:R; simpl; [| lia].
    destruct (holds unseen (Glass v)) eqn:U; simpl; [lia |].
    rewrite (proj1 (still_seen _ U)), andb_false_r, orb_false_r.
    destruct (same_card (face l) (Glass v)) eqn:Q; [| rewrite andb_false_r; lia].
    apply same_card_true in Q. rewrite Q in Fr.
    destruct Fr as [M | J]; [rewrite (takes_it _ M); lia | exfalso].
    apply holds_true in R. pose proof (sound_cards _ _ S0) as Nd. unfold all_cards in Nd.
    rewrite app_assoc in Nd. apply (NoDup_count_occ card_dec) with (x := Glass v) in Nd.
    rewrite !count_occ_app in Nd. apply (count_occ_In card_dec) in J. rewrite count_occ_app in J.
    apply (count_occ_In card_dec) in R. lia.
  Qed.

  (** A cell that stays empty: the price goes with a card that D takes, and comes with one that is sent. *)
  Lemma empty_saves : forall p k, In (p, k) T -> ~ laid_at s p -> ~ laid_at s' p -> face k <> F ->
    cost r unseen s (p, k) <= cost r unseen' s' (p, k) + takes (face k).
  Proof.
    intros p k I N N' Nf. apply at_cell_none in N. apply at_cell_none in N'.
    pose proof (in_faces _ _ _ I) as If.
    unfold cost. cbn [fst snd]. destruct (face k) as [v |]; [| tauto]. rewrite N, N'.
    destruct (holds (reserve s) (Glass v)) eqn:R; simpl; [| lia].
    destruct (holds unseen (Glass v)) eqn:U; simpl; [lia |]. apply holds_true in R.
    destruct (still_seen _ U) as [U1 U2].
    destruct (waits (Glass v) If R U2) as [M | M]; [rewrite (takes_it _ M); lia |].
    apply holds_true in M. rewrite M, U1. simpl. lia.
  Qed.

  (** "Compare the prices of one final tower before and after the turn, cell by cell": only the cell at
      which the card taken ends saves one. *)
  Lemma cell_saves : forall p k, In (p, k) T ->
    cost r unseen s (p, k) <= cost r unseen' s' (p, k) + takes (face k).
  Proof.
    intros p k I. destruct (card_dec (face k) F) as [E | Nf]; [rewrite E; apply F_saves; trivial |].
    destruct (in_dec cell_dec p (map fst (laid_cards s))) as [L | N].
    - assert (M : {replaced t = Some p} + {replaced t <> Some p}) by (decide equality; apply cell_dec).
      destruct M as [M | M]; [apply replaced_saves; trivial |]. pose proof (stays_saves p k L M Nf). lia.
    - destruct (in_dec cell_dec p (map fst (laid_cards s'))) as [L | N'];
        [apply laid_saves | apply empty_saves]; trivial.
  Qed.

  (** "In every case at most one cell saves one", and only by D. *)
  Lemma takes_once : forall W : tower, NoDup (faces W) ->
    sum (fun e => takes (face (snd e))) W <= is_D (act t).
  Proof.
    intros W N. assert (One : forall c, takes c <= is_D (act t)).
    { intros c. unfold takes, taken. destruct (act t); simpl; try lia.
      destruct (same_card _ _); trivial. lia. }
    assert (Same : forall c d, takes c <> 0 -> takes d <> 0 -> c = d).
    { intros c d. unfold takes. destruct (taken t) as [e |]; [| tauto].
      destruct (same_card e c) eqn:Qc, (same_card e d) eqn:Qd; try tauto.
      apply same_card_true in Qc. apply same_card_true in Qd. congruence. }
    induction W as [| e W IH]; simpl; [lia |]. inversion N as [| ? ? N1 N2]; subst.
    destruct (Nat.eq_dec (takes (face (snd e))) 0) as [-> | Nz]; [exact (IH N2) |].
    enough (sum (fun e => takes (face (snd e))) W = 0) by (pose proof (One (face (snd e))); lia).
    clear -N1 Nz Same. induction W as [| d W IH]; trivial. simpl in *.
    destruct (Nat.eq_dec (takes (face (snd d))) 0) as [-> | Nd]; [apply IH; tauto |].
    destruct N1. left. exact (Same _ _ Nd Nz).
  Qed.

  Lemma tower_saves : tower_cost r unseen s T <= tower_cost r unseen' s' T + is_D (act t).
  Proof.
    apply Nat.le_trans with (tower_cost r unseen' s' T + sum (fun e => takes (face (snd e))) T).
    - unfold tower_cost. assert (G : forall e, In e T ->
        cost r unseen s e <= cost r unseen' s' e + takes (face (snd e))).
      { intros [p k] I. apply cell_saves; trivial. }
      revert G. generalize T. intros V G. induction V as [| e V IH]; simpl; [lia |].
      pose proof (G e (or_introl eq_refl)). assert (forall d, In d V -> cost r unseen s d <=
        cost r unseen' s' d + takes (face (snd d))) by (intros d D; apply G; right; trivial).
      specialize (IH H0). lia.
    - pose proof (takes_once T (ft_once _ _ _ _ Ft)). lia.
  Qed.

  (** A tower with a price after the turn had one before. *)
  Lemma priced_before : priced r unseen' s' T -> priced r unseen s T.
  Proof.
    intros [Pk Pf]. split.
    - intros p k L I K Nf. destruct (turn_kept _ _ _ _ _ P (sound_cells _ _ S0) K) as [M K'].
      pose proof (Pk p k (turn_laid _ _ _ _ P p L) I K' Nf). pose proof (stays_saves p k L M Nf). lia.
    - intros I V R. destruct (waits F I R (proj1 (proj2 Se))) as [M | M]; [| exact (Pf I V M)].
      destruct (taken_has_number _ _ _ _ _ P M) as (n & N). unfold num in N. rewrite V in N. discriminate.
  Qed.

End Turn.

(** "The least price falls by one at most, and only by D." *)
Theorem least_falls : forall r unseen unseen' s t s' c, sound r s -> played r s t s' ->
  settles t unseen unseen' -> costs_least r unseen s c -> costs_least r unseen' s' (c - is_D (act t)).
Proof.
  intros r unseen unseen' s t s' c S P Se L T Ft Pr.
  pose proof (L T (final_before _ _ _ _ _ _ _ P Se Ft) (priced_before _ _ _ _ _ _ _ S P Se Ft Pr)).
  pose proof (tower_saves _ _ _ _ _ _ _ S P Se Ft). lia.
Qed.

(** Lemma 3: from a position with slack s and least price c, a turn that destroys k cards for D and drops h
    leads to a position that is left out if k + h > s - c. *)
Theorem too_many_destroyed : forall r unseen unseen' s t s' c, sound r s -> played r s t s' ->
  settles t unseen unseen' -> costs_least r unseen s c ->
  (Z.of_nat (spent (act t)) + Z.of_nat (length (drop t)) > spare s - Z.of_nat c)%Z ->
  out_of_reach r unseen' s'.
Proof.
  intros r unseen unseen' s t s' c S P Se L H T Ft Pr.
  pose proof (least_falls _ _ _ _ _ _ _ S P Se L T Ft Pr). rewrite (slack_falls _ _ _ _ P). lia.
Qed.

(** "The same ones": an apex that has to be laid again costs one, before a turn and after it. *)
Lemma again_costs : forall r unseen s, sound r s -> finish r = false -> early_apex r <> win_on_completion ->
  apex_lies s -> costs_least r unseen s 1.
Proof.
  intros r unseen s S Fv Ea (x & k0 & L & Lx) T Ft _.
  assert (I : In x (map fst T)) by (apply (ft_laid _ _ _ _ Ft); exact (in_map fst _ _ L)).
  apply in_map_iff in I. destruct I as ([y k] & E & I). simpl in E. subst y.
  assert (C : cost r unseen s (x, k) = 1).
  { unfold cost. cbn [fst snd]. destruct (ft_from _ _ _ _ Ft _ (in_faces _ _ _ I)) as [A _].
    destruct (face k) as [v |]; [| destruct (sound_variant _ _ S Fv A)].
    rewrite (proj1 (at_cell_in _ _ _ (sound_cells _ _ S)) L), (again_apex r x Ea Lx). trivial. }
  pose proof (sum_within _ (cost r unseen s) [(x, k)] T) as W. unfold tower_cost. simpl in W. rewrite C in W.
  apply W; [constructor; [tauto | constructor] |]. intros e [<- | []]; trivial.
Qed.

(** ** Examples *)

(** The 1 lies up on d1, down on e1 a card that nobody saw (it is the 9); the 5 is in the Reserve. *)
Definition two_laid : table :=
  Table [[Glass 2]; [Glass 3]] [Glass 4]
    [((3, 1), Up (Glass 1)); ((4, 1), Down (Glass 9))]%Z [Glass 5; Glass 10] [Glass 11] 0 true false.

Definition nobody_saw : list card := [Glass 9; Glass 10; Glass 11].

(** The 1 may stay and another card costs 1; under the back the 10 may lie, and the 2 may not; the 5 is in
    the Reserve, and the 10, which is there too, was not seen there. *)
Example costs_of : map (fun e => cost base nobody_saw two_laid (fst e, Up (Glass (snd e))))
  [((3, 1), 1); ((3, 1), 2); ((4, 1), 9); ((4, 1), 10); ((4, 1), 2); ((5, 1), 5); ((5, 1), 10); ((5, 1), 4)]%Z
  = [0; 1; 0; 0; 1; 1; 0; 0].
Proof. vm_compute. reflexivity. Qed.
