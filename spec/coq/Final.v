(** The final tower of a continuation that wins, and what it costs: table.md, "Cards against actions D" and
    "Cards against replacements", with the price 1 for each card taken. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed.
Import ListNotations.
Open Scope nat_scope.

(** * Tables that can come about *)

(** Each card is in one place and no cell bears two; the tower lies in a pyramid (TOW04), its apex, if it
    lies, is right (TOW08), F is nowhere down (ACT08); the Glass cards are 1 to 50, and F is in the
    [finish] variant only. *)
Record sound (r : rulings) (s : table) : Prop := Sound {
  sound_cards : NoDup (all_cards s);
  sound_cells : NoDup (map fst (laid_cards s));
  sound_pyramid : in_pyramid r (laid_cards s);
  sound_apex : forall x k, In (x, k) (laid_cards s) -> apex_right r x k;
  sound_backs : forall x, ~ In (x, Down F) (laid_cards s);
  sound_numbers : forall v, In (Glass v) (all_cards s) -> (1 <= v <= 50)%Z;
  sound_variant : finish r = false -> ~ In F (all_cards s)
}.

(** What a turn may put on a cell: what lay there, that card turned up, or what the action lays. *)
Lemma does_puts : forall d a d', does d a d' -> forall x k, In (x, k) (tow d') ->
  In (x, k) (tow d) \/ (exists c, k = Up c /\ In (x, Down c) (tow d)) \/
  match a with
  | A c y => x = y /\ k = Up c
  | B c y => x = y /\ k = Down c
  | D _ _ _ l y _ => x = y /\ k = l
  | _ => False
  end.
Proof.
  intros d a d' H x k I. destruct H; simpl in *; auto;
    try (destruct I as [I | I]; [inversion I |]; auto; fail);
    apply in_app_or in I; destruct I as [I | [I | I]];
    try (left; apply in_or_app; simpl; auto; fail); inversion I; subst; auto.
  right. left. exists c. split; trivial. apply in_or_app. simpl. auto.
Qed.

(** A turn that lays a card leaves the tower in a pyramid; another one leaves its cells as they are. *)
Lemma does_same_cells : forall d a d', does d a d' -> target a = None ->
  map fst (tow d') = map fst (tow d).
Proof. intros d a d' H E. destruct H; try discriminate; simpl; trivial. rewrite !map_app. trivial. Qed.

Lemma pyramid_cells : forall r V W, map fst V = map fst W -> in_pyramid r W -> in_pyramid r V.
Proof.
  intros r V W E (l & L & I). exists l. split; trivial. intros x k J.
  assert (X : In x (map fst W)) by (rewrite <- E; apply (in_map fst V (x, k)); trivial).
  apply in_map_iff in X. destruct X as ([y j] & Y & J'). simpl in Y. subst y. eauto.
Qed.

Lemma turn_sound : forall r s t s', sound r s -> played r s t s' -> sound r s'.
Proof.
  intros r s t s' [N1 N2 P Ap Bk Nu Va] Pl. pose proof (turn_keeps _ _ _ _ Pl) as Pm. split.
  - exact (Permutation_NoDup Pm N1).
  - exact (turn_cells _ _ _ _ Pl N2).
  - destruct Pl as [b a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ _ _]. rewrite W.
    destruct (act t) eqn:Ea; simpl in Lg; try (apply Lg; fail);
      (eapply pyramid_cells; [apply (does_same_cells _ _ _ Do); trivial | exact P]).
  - intros x k I. destruct Pl as [b a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ _ _]. rewrite W in I.
    destruct (does_puts _ _ _ Do x k I) as [J | [(c & -> & J) | J]]; [exact (Ap x k J) | |].
    + intros L. destruct (Ap x (Down c) J L) as [U _]. discriminate.
    + destruct (act t); try (destruct J; fail); destruct J as [-> ->]; apply Lg.
  - intros x I. destruct Pl as [b a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ _ _]. rewrite W in I.
    destruct (does_puts _ _ _ Do x _ I) as [J | [(c & E & J) | J]]; [exact (Bk x J) | discriminate |].
    destruct (act t); try (destruct J; fail); destruct J as [_ J]; [discriminate | |].
    + destruct Lg as [_ Lg]. congruence.
    + destruct Lg as (_ & _ & Lg & _). congruence.
  - intros v I. apply Nu. eapply Permutation_in; [apply Permutation_sym; exact Pm | trivial].
  - intros V I. apply (Va V). eapply Permutation_in; [apply Permutation_sym; exact Pm | trivial].
Qed.

Lemma run_sound : forall r s ts s', run r s ts s' -> sound r s -> sound r s'.
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; trivial.
  intros S. apply IH. eapply turn_sound; eauto.
Qed.

(** Destroyed cards never return. *)
Lemma turn_gone : forall r s t s', played r s t s' -> incl (gone s) (gone s').
Proof.
  intros r s t s' [b a h h' R' d _ _ _ _ Do _ _ _ _ _ _ G _ _] c I. rewrite G.
  apply in_or_app. right. apply in_or_app. right.
  assert (E : gone s = out (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s))) by trivial.
  rewrite E in I. clear -Do I. destruct Do; simpl in *; trivial; apply in_or_app; auto.
Qed.

Lemma run_gone : forall r s ts s', run r s ts s' -> incl (gone s) (gone s').
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; [apply incl_refl |].
  eapply incl_tran; [eapply turn_gone; eauto | exact IH].
Qed.

(** * The final tower *)

(** A tower with which a game from s may be won. *)
Record final (r : rulings) (s : table) (T : tower) : Prop := Final {
  final_full : length T = full_size;
  final_cells : NoDup (map fst T);
  final_pyramid : in_pyramid r T;
  final_up : forall x k, In (x, k) T -> is_up k = true;
  final_order : in_order r T;
  final_apex : forall x k, In (x, k) T -> apex_right r x k;
  final_once : NoDup (faces T);
  final_laid : incl (map fst (laid_cards s)) (map fst T);
  final_from : forall c, In c (faces T) -> In c (all_cards s) /\ ~ In c (gone s)
}.

Theorem wins_final : forall r s ts s', sound r s -> wins r s ts s' -> final r s (laid_cards s').
Proof.
  intros r s ts s' S H. pose proof (wins_run _ _ _ _ H) as R.
  destruct (run_sound _ _ _ _ R S) as [N1 N2 P Ap Bk Nu Va].
  assert (M : NoDup (faces (laid_cards s'))) by (apply faces_once; trivial).
  destruct H as (b & t & s1 & E & _ & Pl & NL & (L & U & Wn)). split; trivial.
  - destruct Pl as [b' a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ _ _]. rewrite W in *.
    unfold not_lost in NL. unfold won in Wn. rewrite W in *.
    destruct (act t) eqn:Ea; simpl in Lg; try (apply Lg; fail); [apply NL |].
    destruct (early_apex r); trivial; destruct Wn as (x & X & _); discriminate.
  - intros p0 L0. exact (run_laid _ _ _ _ R p0 L0).
  - intros c I. split.
    + eapply Permutation_in; [apply Permutation_sym, (run_keeps _ _ _ _ R) |].
      unfold all_cards, faces in *. rewrite !in_app_iff. auto.
    + intros G. apply (run_gone _ _ _ _ R) in G. apply (one_place s' c N1 I).
      apply in_or_app. auto.
Qed.

(** A full tower fills its pyramid; so it has an apex. *)
Lemma final_fills : forall r s T, final r s T -> exists l, In l (places r) /\
  forall x, inside levels l x <-> In x (map fst T).
Proof.
  intros r s T Fi. destruct (final_pyramid _ _ _ Fi) as (l & L & I). exists l. split; trivial.
  assert (J : incl (map fst T) (cells levels l)).
  { intros x X. apply in_map_iff in X. destruct X as ([y k] & E & X). simpl in E. subst y.
    apply in_cells. eauto. }
  assert (K : incl (cells levels l) (map fst T)).
  { apply NoDup_length_incl; [exact (final_cells _ _ _ Fi) | | exact J].
    rewrite map_length, (final_full _ _ _ Fi). unfold places in L.
    destruct (floating r); simpl in L; intuition (subst; vm_compute; trivial). }
  intros x. rewrite <- in_cells. split; [apply K | apply J].
Qed.

Lemma final_has_apex : forall r s T, final r s T -> exists x k, In (x, k) T /\ lev x = Z.of_nat levels.
Proof.
  intros r s T Fi. destruct (final_fills _ _ _ Fi) as (l & _ & E).
  assert (I : In (apex levels l) (map fst T)) by (apply E; cell_lia).
  apply in_map_iff in I. destruct I as ([x k] & X & I). simpl in X.
  exists x, k. split; trivial. subst x. trivial.
Qed.

(** * Which cells owe an action D *)

(** Laid again: the apex lies, and [early_apex] is not [win_on_completion]. *)
Definition again (r : rulings) (x : cell) : bool :=
  match early_apex r with win_on_completion => false | _ => (lev x =? Z.of_nat levels)%Z end.

(** The apex that has to be laid again is replaced. *)
Lemma apex_again : forall r s ts s' x, sound r s -> wins r s ts s' -> laid_at s x -> again r x = true ->
  exists t, In t ts /\ replaced t = Some x.
Proof.
  intros r s ts s' x S H L Ag. pose proof (wins_run _ _ _ _ H) as Rn.
  pose proof (sound_pyramid _ _ (run_sound _ _ _ _ Rn S)) as (l & _ & In7).
  destruct H as (b & t & s1 & -> & R & Pl & _ & (_ & _ & Wn)).
  exists t. split; [apply in_or_app; simpl; auto |].
  pose proof (run_laid _ _ _ _ R x L) as L1. pose proof (turn_laid _ _ _ _ Pl x L1) as L2.
  unfold again in Ag. assert (E : exists y, target (act t) = Some y /\ lev y = Z.of_nat levels).
  { destruct (early_apex r); trivial. discriminate. }
  clear Wn. assert (Lx : lev x = Z.of_nat levels).
  { destruct (early_apex r); try discriminate; apply Z.eqb_eq; trivial. }
  destruct E as (y & E & Ly). destruct Pl as [b' a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _].
  assert (Y : In y (map fst (tow d))).
  { destruct (act t); inversion E; subst; inversion Do; subst; simpl; auto.
    rewrite map_app. apply in_or_app. simpl. auto. }
  assert (Exy : x = y).
  { assert (Q : forall z, In z (map fst (laid_cards s')) -> inside levels l z).
    { intros z Z. apply in_map_iff in Z. destruct Z as ([z' k] & E' & Z). simpl in E'. subst z'. eauto. }
    pose proof (Q x L2) as Qx. rewrite <- W in Y. pose proof (Q y Y) as Qy.
    apply cell_ext; unfold inside in *; lia. }
  subst y. unfold replaced, laid_at in *. unfold target in E.
  remember (Desk (draw t ++ h) (laid_cards s1) (reserve s1) (gone s1) (moved s1)) as d0 eqn:Ed.
  replace (laid_cards s1) with (tow d0) in L1 by (rewrite Ed; trivial). clear Ed.
  destruct Do; simpl in *; try discriminate; inversion E; subst; trivial; tauto.
Qed.

(** A laid cell whose card is another one at the end was replaced. *)
Lemma changed_replaced : forall r s ts s' p k k', run r s ts s' -> NoDup (map fst (laid_cards s)) ->
  In (p, k) (laid_cards s) -> In (p, k') (laid_cards s') -> face k <> face k' ->
  exists t, In t ts /\ replaced t = Some p.
Proof.
  intros r s ts s' p k k' R N I J D. destruct (replaced_dec ts p) as [M | M]; trivial.
  destruct (run_stays _ _ _ _ R p k I M) as (k2 & I2 & E2). exfalso. apply D.
  rewrite <- E2. f_equal. exact (once_laid _ _ _ _ (run_cells _ _ _ _ R N) I2 J).
Qed.

(** * Which cells [replace_target] keeps *)

(** The card on a laid cell can never be replaced: it is up under [facedown_only], or that of the set-up. *)
Definition kept (r : rulings) (s : table) (p : cell) : Prop :=
  match replace_target r with
  | any_card => False
  | not_anchor => p = g1 /\ moved s = false
  | facedown_only => exists c, In (p, Up c) (laid_cards s)
  end.

Lemma turn_kept : forall r s t s' p, played r s t s' -> NoDup (map fst (laid_cards s)) -> kept r s p ->
  replaced t <> Some p /\ kept r s' p.
Proof.
  intros r s t s' p Pl N K. assert (Nt : replaced t <> Some p).
  { destruct Pl as [b a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ _ _]. unfold replaced. unfold kept in K.
    destruct (act t) as [| | | u v E l x [old |] |]; try discriminate. intros Q. inversion Q; subst x.
    destruct Lg as (_ & _ & _ & _ & _ & Lg). unfold may_replace in Lg. simpl in Lg.
    destruct (replace_target r); trivial.
    - destruct K as [-> K], Lg as [Lg | Lg]; congruence.
    - destruct K as [c K]. destruct (does_replace _ _ _ _ _ _ _ _ Do) as (V1 & V2 & E1 & _). simpl in E1.
      assert (old = Up c) as ->; [| discriminate].
      apply (once_laid (laid_cards s) p); trivial. rewrite E1. apply in_or_app. simpl. auto. }
  split; trivial.
  destruct Pl as [b a h h' R' d _ _ _ _ Do Lg _ _ _ W _ _ Mv _]. unfold kept in *. rewrite W, Mv.
  destruct (replace_target r); trivial.
  - destruct K as [-> K]. split; trivial. unfold replaced in Nt.
    remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
    replace (moved s) with (off d0) in K by (rewrite Ed; trivial). clear Ed.
    destruct Do; simpl in *; trivial. rewrite K. simpl. destruct (eqb_spec x g1); trivial. congruence.
  - destruct K as [c K]. exists c. unfold replaced in Nt.
    remember (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) as d0 eqn:Ed.
    replace (laid_cards s) with (tow d0) in K by (rewrite Ed; trivial). clear Ed.
    destruct Do; simpl in *; auto;
      (apply in_app_or in K; apply in_or_app; simpl; destruct K as [K | [K | K]]; auto;
        inversion K; congruence).
Qed.

Lemma run_kept : forall r s ts s' p, run r s ts s' -> NoDup (map fst (laid_cards s)) -> kept r s p ->
  forall t, In t ts -> replaced t <> Some p.
Proof.
  intros r s ts s' p R. induction R as [s | s t s1 ts s2 P _ _ IH]; intros N K u U; [destruct U |].
  destruct (turn_kept _ _ _ _ _ P N K) as [Nt K1].
  destruct U as [<- | U]; trivial. apply IH; trivial. exact (turn_cells _ _ _ _ P N).
Qed.

(** * Prices *)

Definition same_card (c d : card) : bool := if card_dec c d then true else false.
Definition holds (l : list card) (c : card) : bool := existsb (same_card c) l.

Lemma same_card_true : forall c d, same_card c d = true <-> c = d.
Proof. intros c d. unfold same_card. destruct (card_dec c d); split; congruence. Qed.

Lemma holds_true : forall l c, holds l c = true <-> In c l.
Proof.
  intros l c. unfold holds. rewrite existsb_exists. split.
  - intros (d & I & E). apply same_card_true in E. congruence.
  - intros I. exists c. split; trivial. apply same_card_true. trivial.
Qed.

(** The price of a card on a cell of the final tower: 1 for another card on a laid cell or for an apex to
    be laid again, and, where the Reserve counts, 1 for a card of the Reserve on an empty cell. *)
Definition price (r : rulings) (counts_reserve : bool) (s : table) (e : cell * laid) : nat :=
  match at_cell (laid_cards s) (fst e) with
  | Some k => if again r (fst e) || negb (same_card (face k) (face (snd e))) then 1 else 0
  | None => if counts_reserve && holds (reserve s) (face (snd e)) then 1 else 0
  end.

(** The price of a final tower, and whether it can be had at all. *)
Definition tower_price (r : rulings) (counts_reserve : bool) (s : table) (T : tower) : nat :=
  sum (price r counts_reserve s) T.

Definition has_price (r : rulings) (s : table) (T : tower) : Prop :=
  forall p k k', In (p, k) (laid_cards s) -> In (p, k') T ->
    again r p = true \/ face k <> face k' -> ~ kept r s p.

Lemma price_one : forall r b s e, price r b s e <= 1.
Proof.
  intros r b s e. unfold price. destruct (at_cell _ _); [destruct (_ || _) | destruct (_ && _)]; lia.
Qed.

Lemma price_owes : forall r b s ts s' p k, sound r s -> wins r s ts s' -> In (p, k) (laid_cards s') ->
  price r b s (p, k) <> 0 -> owes s ts s' p.
Proof.
  intros r b s ts s' p k S H I N. unfold price in N. simpl in N.
  destruct (at_cell (laid_cards s) p) as [k0 |] eqn:At.
  - apply at_cell_in in At; [| apply S]. assert (L : laid_at s p) by (apply laid_at_in; eauto).
    left. split; trivial. destruct (again r p) eqn:Ag; [eapply apex_again; eauto |]. simpl in N.
    destruct (same_card (face k0) (face k)) eqn:E; simpl in N; [congruence |].
    apply (changed_replaced r s ts s' p k0 k (wins_run _ _ _ _ H) (sound_cells _ _ S) At I).
    intros Q. apply same_card_true in Q. congruence.
  - right. split; [apply at_cell_none; trivial |]. exists k. split; trivial.
    destruct b; simpl in N; [| congruence]. destruct (holds (reserve s) (face k)) eqn:E; [| congruence].
    apply holds_true in E. apply in_or_app. auto.
Qed.

(** "So the price is at most m + k": here, with the price 1 for each card taken, at most m. *)
Theorem price_paid : forall r b s ts s', sound r s -> wins r s ts s' ->
  tower_price r b s (laid_cards s') <= all_D ts.
Proof.
  intros r b s ts s' S H. pose proof (wins_run _ _ _ _ H) as R.
  pose (f := fun e : cell * laid => negb (price r b s e =? 0)).
  assert (E : forall T, sum (price r b s) T = length (map fst (filter f T))).
  { intros T. induction T as [| e T IH]; simpl; trivial. rewrite IH. unfold f at 2.
    pose proof (price_one r b s e). destruct (Nat.eqb_spec (price r b s e) 0); simpl; lia. }
  unfold tower_price. rewrite E. apply (owed r s ts s'); trivial; [apply S | |].
  - apply filter_once. exact (run_cells _ _ _ _ R (sound_cells _ _ S)).
  - intros p P. apply in_map_iff in P. destruct P as ([q k] & Q & P). simpl in Q. subst q.
    apply filter_In in P. destruct P as [P Fp]. apply (price_owes r b s ts s' p k S H P).
    unfold f in Fp. apply negb_true_iff, Nat.eqb_neq in Fp. trivial.
Qed.

Theorem price_had : forall r s ts s', sound r s -> wins r s ts s' -> has_price r s (laid_cards s').
Proof.
  intros r s ts s' S H p k k' I J C K.
  pose proof (wins_run _ _ _ _ H) as R.
  assert (E : exists t, In t ts /\ replaced t = Some p).
  { destruct C as [Ag | C].
    - apply (apex_again r s ts s' p S H); trivial. apply laid_at_in. eauto.
    - apply (changed_replaced r s ts s' p k k' R (sound_cells _ _ S) I J C). }
  destruct E as (t & T & E). exact (run_kept _ _ _ _ p R (sound_cells _ _ S) K t T E).
Qed.

(** Prices of another kind: t tells what a card taken costs, if it can be taken. *)
Definition worth (t : card -> option nat) (k : nat) (c : card) : option nat :=
  match k with 0 => Some 0 | _ => t c end.

Fixpoint bill (t : card -> option nat) (r : rulings) (b : bool) (s : table) (T : tower) : option nat :=
  match T with
  | [] => Some 0
  | e :: T =>
      match worth t (price r b s e) (face (snd e)), bill t r b s T with
      | Some k, Some n => Some (k + n)
      | _, _ => None
      end
  end.

(** A continuation that wins pays the bill of its final tower with its actions D and the cards that they
    destroy: "the D that takes v, with the cards that it destroys and what follows from it, accounts for
    t(v) of m + k". *)
Definition affords (t : card -> option nat) (r : rulings) (b : bool) (s : table) : Prop :=
  forall ts s', wins r s ts s' ->
  exists n, bill t r b s (laid_cards s') = Some n /\ n <= all_D ts + all_spent ts.

(** The theorem of table.md: if no final tower has a price of at most spare, the table is dead. *)
Theorem bill_dead : forall t r b s, sound r s -> affords t r b s ->
  (forall T n, final r s T -> has_price r s T -> bill t r b s T = Some n -> (Z.of_nat n > spare s)%Z) ->
  dead r s.
Proof.
  intros t r b s S Af H ts s' Wn. destruct (Af ts s' Wn) as (n & B & L).
  pose proof (H _ n (wins_final _ _ _ _ S Wn) (price_had _ _ _ _ S Wn) B) as G.
  apply account in Wn. unfold spare in G. lia.
Qed.

(** So what a final tower costs at the least is owed to actions D. *)
Theorem bill_owed : forall t r b s c, sound r s -> affords t r b s ->
  (forall T n, final r s T -> has_price r s T -> bill t r b s T = Some n -> c <= n) ->
  forall ts s', wins r s ts s' -> c <= all_D ts + all_spent ts.
Proof.
  intros t r b s c S Af H ts s' Wn. destruct (Af ts s' Wn) as (n & B & L).
  pose proof (H _ n (wins_final _ _ _ _ S Wn) (price_had _ _ _ _ S Wn) B). lia.
Qed.

(** With t(v) = 1 the bill is the number of cards to be taken, *)
Definition each_one (c : card) : option nat := Some 1.

Lemma bill_one : forall r b s T, bill each_one r b s T = Some (tower_price r b s T).
Proof.
  intros r b s T. unfold tower_price. induction T as [| e T IH]; simpl; trivial. rewrite IH.
  pose proof (price_one r b s e). unfold worth, each_one.
  destruct (price r b s e) as [| [| k]]; trivial. lia.
Qed.

(** and it is paid by the actions D alone. Kind [exchanges] with t(v) = 1 and, where the Reserve is free,
    kind [replacements]. *)
Theorem affords_one : forall r b s, sound r s -> affords each_one r b s.
Proof.
  intros r b s S ts s' Wn. exists (tower_price r b s (laid_cards s')). split; [apply bill_one |].
  pose proof (price_paid r b _ _ _ S Wn). lia.
Qed.
