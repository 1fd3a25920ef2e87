(** The check of [turns] on a position: table.md, "The counting game". *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting.
From Couperation Require Import Least Prices Exchanges Provenance Taken TakenTwo Game Turns LostGame.
Import ListNotations.
Open Scope nat_scope.

(** No table that the position may be, with supports under all its cards, has a continuation that wins. *)
Definition dead_fairly (r : rulings) (p : position) : Prop :=
  forall s, sound r s -> supported (laid_cards s) -> fits p s ->
  forall ts s', ~ wins_fairly r (p_limit p) s ts s'.

(** The apex has to be laid again. *)
Definition p_again (r : rulings) (p : position) : bool :=
  early r && existsb (fun a => (lev (fst a) =? Z.of_nat levels)%Z) (p_tower p).

(** "Owed is c, or 1 if that is more and the apex is to be laid again": some final tower costs no more, nor
    more than spare, and none costs less. *)
Definition p_owed (r : rulings) (p : position) (o : nat) : bool :=
  let costs_more cap := dearer (card_price r p) r true p cap in
  negb (costs_more (Z.min (Z.of_nat o) (p_spare p))) && negb ((o =? 0) && p_again r p) &&
  ((o =? 0) || (o =? 1) && p_again r p || costs_more (Z.of_nat o - 1)%Z).

Definition p_game (p : position) (o : nat) : counts :=
  Counts (p_due p) (map (@length sight) (p_own p)) (length (p_deck p)) (full_size - length (p_tower p))
    (length (filter (fun a => negb (fst (snd a))) (p_tower p))) o (Some (p_limit p)).

Definition p_anew (r : rulings) (p : position) : bool :=
  p_again r p || match early_apex r with no_win => true | _ => false end.

(** The check of the game that begins with o owed; [fuel] bounds the positions that are looked at. *)
Definition turns_check (fuel : nat) (r : rulings) (p : position) (o : nat) : bool :=
  negb (skipped r) && p_owed r p o && game_lost r (p_anew r p) fuel (p_game p o).

Lemma fits_again : forall r p s, fits p s -> (p_again r p = true <->
  early_apex r <> win_on_completion /\ apex_lies s).
Proof.
  intros r p s H. unfold p_again, early. rewrite andb_true_iff, existsb_exists. split.
  - intros (E & ([x [b o]] & I & L)). split; [destruct (early_apex r); congruence |].
    destruct (all2_left _ _ _ _ _ _ (fits_tower _ _ H) I) as ([y k] & J & (Q & _)). simpl in *. subst y.
    exists x, k. split; trivial. apply Z.eqb_eq. trivial.
  - intros (E & (x & k & I & L)). split; [destruct (early_apex r); trivial; congruence |].
    destruct (all2_right _ _ _ _ _ _ (fits_tower _ _ H) I) as (a & J & (Q & _)). exists a. split; trivial.
    simpl in Q. rewrite Q. apply Z.eqb_eq. trivial.
Qed.

(** What is owed is paid by each continuation that wins. *)
Lemma owed_paid : forall r p s o, sound r s -> fits p s -> p_owed r p o = true ->
  forall ts s', wins r s ts s' -> o <= all_D ts + all_spent ts.
Proof.
  intros r p s o S H O ts s' Wn. unfold p_owed in O. rewrite !andb_true_iff, !orb_true_iff in O.
  destruct O as [_ [[O | O] | O]].
  - apply Nat.eqb_eq in O. lia.
  - apply andb_true_iff in O. destruct O as [O Ag]. apply Nat.eqb_eq in O. subst o.
    apply (fits_again r p s H) in Ag. destruct Ag as [E (x & k & I & Lx)].
    destruct (apex_again r s ts s' x S Wn) as (t & T & Rp).
    + apply laid_at_in. eauto.
    + apply again_apex; trivial.
    + apply in_split in T. destruct T as (a & b & ->). rewrite all_D_app, all_D_cons in *.
      unfold replaced in Rp. destruct (act t); try discriminate. cbn [is_D] in *. lia.
  - exact (dearer_owed _ r true p o s O (affords_card_price r true p s S H) S H ts s' Wn).
Qed.

Lemma fits_down : forall p s, fits p s ->
  length (filter (fun a => negb (fst (snd a))) (p_tower p)) = down_cards (laid_cards s).
Proof.
  intros p s H. unfold down_cards. pose proof (fits_tower _ _ H) as T.
  induction T as [| a e l m (_ & U & _) T IH]; simpl; trivial. rewrite U.
  destruct (negb (is_up (snd e))); simpl; congruence.
Qed.

Lemma fits_owns : forall p s, fits p s -> map (@length sight) (p_own p) = map (@length card) (own s).
Proof.
  intros p s H. pose proof (fits_own _ _ H) as T. induction T as [| a b l m [A _] T IH]; simpl; trivial.
  rewrite IH, (seen_length _ _ A). trivial.
Qed.

Theorem turns_check_dead : forall fuel r p o, turns_check fuel r p o = true -> dead_fairly r p.
Proof.
  intros fuel r p o C s S Su H. unfold turns_check in C. rewrite !andb_true_iff in C.
  destruct C as [[Sk O] C].
  apply negb_true_iff in Sk. apply game_lost_right in C.
  assert (E : p_game p o = game_of s (p_limit p) o).
  { unfold p_game, game_of. rewrite (fits_due _ _ H), (fits_owns _ _ H), (fits_laid _ _ H), (fits_down _ _ H).
    rewrite (seen_length _ _ (fits_deck _ _ H)). trivial. }
  rewrite E in C. apply (counting_game_dead r s (p_limit p) o (p_anew r p)); trivial.
  - exact (owed_paid r p s o S H O).
  - intros Ea Al. unfold p_anew. rewrite (proj2 (fits_again r p s H) (conj Ea Al)). trivial.
  - intros Ea. unfold p_anew. rewrite Ea. apply orb_true_r.
Qed.

(** ** Example: d7 and e6 are empty, and two cards are left *)

Definition two_empty (hands : list nat) : position :=
  Position (map (repeat None) hands) []
    (map (fun e => (fst e, (true, Some (Glass (snd e)))))
      (filter (fun e => negb (existsb (eqb (fst e)) [(3, 7); (4, 6)]%Z))
        (combine (cells levels 3) (range 1 28))))
    (repeat None 6) (repeat None 16) 0 0.

(** Ada has both: Bo can open the one that she lays down, and then Cy can do nothing. *)
Example both_are_hers : turns_check 100 base (two_empty [2; 0; 0]) 0 = true.
Proof. vm_compute. reflexivity. Qed.

Example one_each : turns_check 100 base (two_empty [1; 1; 0]) 0 = false.
Proof. vm_compute. reflexivity. Qed.

(** Nor is it accepted when the fuel ends, or with another number owed. *)
Example no_fuel : turns_check 1 base (two_empty [2; 0; 0]) 0 || turns_check 100 base (two_empty [2; 0; 0]) 1
  = false.
Proof. vm_compute. reflexivity. Qed.
