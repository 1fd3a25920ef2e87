(** Checks of the reasons [exchanges] and [replacements] of table.md on a position. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Least.
Import ListNotations.
Open Scope nat_scope.

(** * Prices as a position tells them *)

Definition same_sight (o : sight) (c : card) : bool :=
  match o with Some d => same_card d c | None => false end.

Definition seen_in (l : list sight) (c : card) : bool := existsb (fun o => same_sight o c) l.

(** Whether the position shows a card somewhere. *)
Definition shows_card (p : position) (c : card) : bool :=
  existsb (fun l => seen_in l c) (p_own p) || seen_in (p_deck p) c ||
  existsb (fun a => same_sight (snd (snd a)) c) (p_tower p) || seen_in (p_reserve p) c ||
  seen_in (p_gone p) c.

Fixpoint p_at (l : list (cell * (bool * sight))) (x : cell) : option (bool * sight) :=
  match l with
  | [] => None
  | (y, k) :: l => if eqb y x then Some k else p_at l x
  end.

(** The first five rows of the table of prices: 1 where it says t(v) or none. *)
Definition p_price (r : rulings) (counts_reserve : bool) (p : position) (x : cell) (c : card) : nat :=
  match p_at (p_tower p) x with
  | Some (_, Some d) => if again r x || negb (same_card d c) then 1 else 0
  | Some (_, None) => if again r x || shows_card p c then 1 else 0
  | None => if counts_reserve && seen_in (p_reserve p) c then 1 else 0
  end.

(** The card on a cell that [replace_target] keeps. *)
Definition p_kept (r : rulings) (p : position) (x : cell) : bool :=
  match replace_target r with
  | any_card => false
  | not_anchor => eqb x g1 && anchor_lies p
  | facedown_only => match p_at (p_tower p) x with Some (up, _) => up | None => false end
  end.

(** The bounds that an apex of F gives under [finish_value=25]. *)
Definition bound_by_F (r : rulings) (l : Z) (x : cell) (v : nat) : bool :=
  match finish r, finish_value r with
  | true, is_25 =>
      let k := if between_strict r then 0 else 1 in
      (negb (belowb x (apex levels l)) || (v <? 25 + k)) && (negb (belowb (apex levels l) x) || (25 <? v + k))
  | _, _ => true
  end.

(** The cell of a column and a level of the pyramid at l. *)
Definition cell_at (l : Z) (c r : nat) : cell := (l + Z.of_nat c, Z.of_nat r)%Z.

Definition glass (v : nat) : card := Glass (Z.of_nat v).

(** The price of a number on a cell, where it has one. *)
Definition p_cost (t : card -> option nat) (r : rulings) (b : bool) (p : position) (l : Z) (c h v : nat) :
    option nat :=
  let x := cell_at l c h in
  let k := p_price r b p x (glass v) in
  if seen_in (p_gone p) (glass v) || (p_kept r p x && negb (k =? 0)) || negb (bound_by_F r l x v) then None
  else worth t k (glass v).

(** The cells of Glass cards: all, or all but an apex of F. *)
Definition tops_of (r : rulings) : list nat := if finish r then [6; 6; 5; 4; 3; 2; 1] else staircase.

(** F on the apex costs what a card taken costs if it waits in the Reserve. *)
Definition F_cost (t : card -> option nat) (r : rulings) (b : bool) (p : position) : option nat :=
  if finish r && b && seen_in (p_reserve p) F then t F else Some 0.

Definition p_spare (p : position) : Z :=
  (Z.of_nat (p_cards p) + Z.of_nat (length (p_tower p)) - Z.of_nat full_size)%Z.

(** Whether some final tower at a place costs no more than a cap. *)
Definition place_affordable (t : card -> option nat) (r : rulings) (b : bool) (p : position)
    (cap l : Z) : bool :=
  forallb (fun a => insideb levels l (fst a)) (p_tower p) &&
  match F_cost t r b p with
  | Some n => (Z.of_nat n <=? cap)%Z && affordable (tops_of r) 50 (p_cost t r b p l) (Z.to_nat cap - n)
  | None => false
  end.

(** Whether every final tower costs more. *)
Definition dearer (t : card -> option nat) (r : rulings) (b : bool) (p : position) (cap : Z) : bool :=
  (cap <? 0)%Z || negb (existsb (place_affordable t r b p cap) (places r)).

Definition prices_check (t : card -> option nat) (r : rulings) (b : bool) (p : position) : bool :=
  dearer t r b p (p_spare p).

(** * They are no more than the prices at the table *)

Lemma fits_spare : forall p s, fits p s -> spare s = p_spare p.
Proof.
  intros p s H. unfold spare, p_spare, empty_cells. rewrite (fits_cards _ _ H), (fits_laid _ _ H). lia.
Qed.

Lemma p_at_in : forall l x k, NoDup (map fst l) -> (In (x, k) l <-> p_at l x = Some k).
Proof.
  induction l as [| [y j] l IH]; simpl; intros x k N; [split; [tauto | discriminate] |].
  inversion N as [| ? ? N1 N2]; subst. destruct (eqb_spec y x) as [-> | Ny].
  - split; [intros [E | I]; [congruence |] | intros E; left; congruence].
    exfalso. apply N1. exact (in_map fst _ _ I).
  - rewrite <- (IH x k N2). split; [intros [E | I]; [congruence | trivial] | auto].
Qed.

Lemma p_at_none : forall l x, p_at l x = None -> ~ In x (map fst l).
Proof.
  induction l as [| [y j] l IH]; simpl; intros x E; [tauto |].
  destruct (eqb_spec y x) as [-> | N]; [discriminate |].
    intros [Q | I]; [tauto | exact (IH x E I)].
Qed.

Lemma seen_in_some : forall l c, seen_in l c = true <-> In (Some c) l.
Proof.
  intros l c. unfold seen_in. rewrite existsb_exists. split.
  - intros ([d |] & I & E); [| discriminate]. apply same_card_true in E. subst d. trivial.
  - intros I. exists (Some c). split; trivial. apply same_card_true. trivial.
Qed.

(** A laid card lies nowhere else. *)
Lemma laid_alone : forall s c, NoDup (all_cards s) -> In c (faces (laid_cards s)) ->
  ~ In c (concat (own s) ++ deck s ++ reserve s ++ gone s).
Proof.
  intros s c N I J. assert (C : copies (all_cards s) c <= 1).
  { apply (NoDup_count_occ card_dec) with (x := c) in N. exact N. }
  unfold all_cards in C. fold (faces (laid_cards s)) in C. rewrite !copies_app in C.
  apply (count_occ_In card_dec) in I. apply (count_occ_In card_dec) in J.
  fold (copies (faces (laid_cards s)) c) in I.
  fold (copies (concat (own s) ++ deck s ++ reserve s ++ gone s) c) in J. rewrite !copies_app in J. lia.
Qed.

(** A card that the position shows is none that lies on a cell where no card is seen. *)
Lemma shown_elsewhere : forall p s x up k c, NoDup (all_cards s) -> NoDup (map fst (p_tower p)) -> fits p s ->
  p_at (p_tower p) x = Some (up, None) -> In (x, k) (laid_cards s) -> shows_card p c = true -> face k <> c.
Proof.
  intros p s x up k c N M H At I Sh E.
  assert (Ic : In c (faces (laid_cards s))) by (rewrite <- E; exact (in_map (fun e => face (snd e)) _ _ I)).
  pose proof (laid_alone s c N Ic) as Al. rewrite !in_app_iff in Al.
  unfold shows_card in Sh. rewrite !orb_true_iff in Sh. destruct Sh as [[[[Sh | Sh] | Sh] | Sh] | Sh].
  - apply existsb_exists in Sh. destruct Sh as (os & Io & Sh). apply seen_in_some in Sh.
    destruct (all2_left _ _ _ _ _ _ (fits_own _ _ H) Io) as (h & Ih & (Q & _)).
    apply Al. left. apply in_concat. exists h. split; trivial. exact (seen_some _ _ _ Q Sh).
  - apply seen_in_some in Sh. pose proof (seen_some _ _ _ (fits_deck _ _ H) Sh). tauto.
  - apply existsb_exists in Sh. destruct Sh as ([y [u o]] & J & Sh). simpl in Sh.
    destruct o as [d |]; [| discriminate]. apply same_card_true in Sh. subst d.
    destruct (all2_left _ _ _ _ _ _ (fits_tower _ _ H) J) as ([z j] & Jl & (Q & _ & Sw)). simpl in *. subst z.
    assert (x = y) by (apply (one_cell s x y k j N I Jl); congruence). subst y.
    apply p_at_in in J; trivial. congruence.
  - apply seen_in_some in Sh. pose proof (seen_some _ _ _ (fits_reserve _ _ H) Sh). tauto.
  - apply seen_in_some in Sh. pose proof (seen_some _ _ _ (fits_gone _ _ H) Sh). tauto.
Qed.

Lemma fits_at : forall p s x, NoDup (map fst (laid_cards s)) -> fits p s ->
  match p_at (p_tower p) x with
  | Some (up, o) => exists k, at_cell (laid_cards s) x = Some k /\ up = is_up k /\ shown_as o (face k)
  | None => at_cell (laid_cards s) x = None
  end.
Proof.
  intros p s x N H. assert (M : NoDup (map fst (p_tower p))) by (rewrite (fits_cells _ _ H); trivial).
  destruct (p_at (p_tower p) x) as [[up o] |] eqn:At.
  - apply p_at_in in At; trivial.
    destruct (all2_left _ _ _ _ _ _ (fits_tower _ _ H) At) as ([y k] & J & (Q & U & Sw)). simpl in *. subst y.
    exists k. split; [apply at_cell_in; trivial | auto].
  - apply at_cell_none. rewrite <- (fits_cells _ _ H). apply p_at_none. trivial.
Qed.

(** Where the position's price is 1 the table's is. *)
Lemma p_price_least : forall r b p s x k, sound r s -> fits p s ->
  p_price r b p x (face k) <> 0 -> price r b s (x, k) = 1.
Proof.
  intros r b p s x k S H P. unfold p_price in P. unfold price. simpl.
  pose proof (fits_at p s x (sound_cells _ _ S) H) as At.
  assert (M : NoDup (map fst (p_tower p))) by (rewrite (fits_cells _ _ H); apply S).
  destruct (p_at (p_tower p) x) as [[up [d |]] |] eqn:Pt.
  - destruct At as (k0 & At & _ & Sw). simpl in Sw. rewrite At, Sw. destruct (_ || _); tauto.
  - destruct At as (k0 & At & _). rewrite At. destruct (again r x); trivial. simpl in *.
    destruct (shows_card p (face k)) eqn:Sh; [| tauto].
    destruct (same_card (face k0) (face k)) eqn:E; trivial. apply same_card_true in E.
    apply at_cell_in in At; [| apply S].
    destruct (shown_elsewhere p s x up k0 (face k) (sound_cards _ _ S) M H Pt At Sh E).
  - rewrite At. destruct b; simpl in *; [| tauto].
    destruct (seen_in (p_reserve p) (face k)) eqn:Se; [| tauto].
    apply seen_in_some in Se.
    rewrite (proj2 (holds_true _ _) (seen_some _ _ _ (fits_reserve _ _ H) Se)). trivial.
Qed.

(** A card that the position keeps is kept at the table. *)
Lemma p_kept_kept : forall r p s x, NoDup (map fst (laid_cards s)) -> fits p s -> p_kept r p x = true ->
  kept r s x.
Proof.
  intros r p s x N H K. unfold p_kept in K. unfold kept.
  assert (M : NoDup (map fst (p_tower p))) by (rewrite (fits_cells _ _ H); trivial).
  destruct (replace_target r); [discriminate | |].
  - apply andb_true_iff in K. destruct K as [E A]. rewrite (fits_moved _ _ H), A.
    split; trivial. apply eqb_true. trivial.
  - pose proof (fits_at p s x N H) as At. destruct (p_at (p_tower p) x) as [[up o] |]; [| discriminate].
    destruct At as (k & At & U & _). rewrite K in U. destruct k as [c | c]; [| discriminate].
    exists c. apply at_cell_in; trivial.
Qed.

Lemma p_kept_laid : forall r p s x, NoDup (map fst (laid_cards s)) -> fits p s -> p_kept r p x = true ->
  laid_at s x.
Proof.
  intros r p s x N H K. unfold laid_at. rewrite <- (fits_cells _ _ H). unfold p_kept in K.
  destruct (replace_target r); [discriminate | |].
  - apply andb_true_iff in K. destruct K as [E A]. apply eqb_true in E. subst x.
    apply existsb_exists in A. destruct A as ([y k] & I & A). simpl in A. rewrite !andb_true_iff in A.
    destruct A as ((E & _) & _). apply eqb_true in E. subst y. exact (in_map fst _ _ I).
  - destruct (p_at (p_tower p) x) as [[up o] |] eqn:At; [| discriminate].
    apply p_at_in in At; [exact (in_map fst _ _ At) |]. rewrite (fits_cells _ _ H). trivial.
Qed.
