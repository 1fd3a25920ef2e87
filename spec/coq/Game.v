(** The counting game: table.md, "The counting game".  The numbers and marks of all cards are forgotten. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table Account Owed Final.
Import ListNotations.
Open Scope nat_scope.

(** * Positions and turns of the game *)

Record counts : Type := Counts {
  mover : nat;                    (* the player to move, from 0 *)
  owns : list nat;                (* the own cards of each player *)
  stack : nat;                    (* the deck *)
  empties : nat;                  (* empty cells *)
  downs : nat;                    (* down cards *)
  owe : nat;                      (* what is owed *)
  allowance : option nat          (* the draw limit; [None] after a card was laid down *)
}.

(** "After a card was laid down max(0, 2 - hand), F in front counting as no hand card": a player of the
    [finish] variant who owns n > 0 cards counts as having n - 1 in the hand. *)
Definition limit_of (r : rulings) (g : counts) : nat :=
  match allowance g with
  | Some k => k
  | None => 2 - (nth (mover g) (owns g) 0 - if finish r then 1 else 0)
  end.

(** "One more in the [finish] variant if the limit is not 0." *)
Definition draws_most (r : rulings) (g : counts) : nat :=
  limit_of r g + if finish r && negb (limit_of r g =? 0) then 1 else 0.

(** An action with n own cards, e empty cells and dn down cards: what is left of them, what is paid,
    whether the action is C, and whether it lays a card down. *)
Inductive acts (r : rulings) : nat -> nat -> nat -> nat -> nat -> nat -> nat -> bool -> bool -> Prop :=
| acts_A : forall n e dn, acts r (S n) (S e) dn n e dn 0 false false
| acts_B : forall n e dn, acts r (S n) (S (S e)) dn n (S e) (S dn) 0 false true
| acts_C : forall n e dn, acts r n e (S dn) n e dn 0 true false
| acts_D : forall n e dn j, 1 <= j -> acts r (n + S j) (S e) dn n e dn j false false
| acts_D_down : forall n e dn j, 1 <= j -> reserve_either r = true ->
    acts r (n + S j) (S (S e)) dn n (S e) (S dn) j false true
| acts_D_up_for_up : forall n e dn j, 1 <= j -> acts r (n + S j) e dn (n + 1) e dn j false false
| acts_D_up_for_down : forall n e dn j, 1 <= j -> acts r (n + S j) e (S dn) (n + 1) e dn j false false
| acts_D_down_for_up : forall n e dn j, 1 <= j -> reserve_either r = true ->
    acts r (n + S j) e dn (n + 1) e (S dn) j false true
| acts_D_down_for_down : forall n e dn j, 1 <= j -> reserve_either r = true ->
    acts r (n + S j) e (S dn) (n + 1) e (S dn) j false true.

(** What a player keeps at most. *)
Definition keeps (r : rulings) : nat := if finish r then 4 else 3.

Fixpoint set_own (i n : nat) (l : list nat) : list nat :=
  match l, i with
  | [], _ => []
  | _ :: m, 0 => n :: m
  | x :: m, S j => x :: set_own j n m
  end.

Definition mover_after (g : counts) : nat := if S (mover g) =? length (owns g) then 0 else S (mover g).

(** A turn: d cards drawn, an action. *)
Definition after (r : rulings) (g : counts) (d n e dn j : nat) (down : bool) : counts :=
  Counts (mover_after g) (set_own (mover g) (Nat.min n (keeps r)) (owns g)) (stack g - d) e dn (owe g - j)
    (if down then None else Some 4).

(** "The game is won when after A or D (under [win_on_completion] also after C) no cell is empty, no card
    is down and nothing is owed." *)
Definition wins_now (r : rulings) (opened : bool) (h : counts) : Prop :=
  empties h = 0 /\ downs h = 0 /\ owe h = 0 /\
  (opened = false \/ early_apex r = win_on_completion).

(** "When a turn leaves no cell empty and does not win, the game goes on under [win_on_completion]; in the
    variant first under [no_win], or where the apex is to be laid again, it goes on with at least 1 owed
    anew; otherwise it is lost." [anew] tells whether it may be laid again. *)
Definition owed_anew (h : counts) : counts :=
  Counts (mover h) (owns h) (stack h) (empties h) (downs h) (Nat.max 1 (owe h)) (allowance h).

Inductive continues (r : rulings) (anew : bool) (h : counts) : counts -> Prop :=
| goes_on_empty : empties h <> 0 -> continues r anew h h
| goes_on_full : empties h = 0 -> early_apex r = win_on_completion -> continues r anew h h
| goes_on_again : empties h = 0 -> early_apex r <> win_on_completion -> anew = true -> finish r = false ->
    continues r anew h (owed_anew h).

Inductive game_won (r : rulings) (anew : bool) (g : counts) : Prop :=
| won_now : forall d n e dn j opened down, d <= draws_most r g -> d <= stack g ->
    acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j opened down ->
    mover g < length (owns g) ->
    wins_now r opened (after r g d n e dn j down) -> game_won r anew g
| won_later : forall d n e dn j opened down h, d <= draws_most r g -> d <= stack g ->
    acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j opened down ->
    mover g < length (owns g) ->
    continues r anew (after r g d n e dn j down) h -> game_won r anew h -> game_won r anew g.

(** "Positions with empty cells and owed together above S are lost." *)
Definition all_owned (g : counts) : nat := fold_right Nat.add 0 (owns g) + stack g.

Lemma sum_set_own : forall l i n, i < length l ->
  fold_right Nat.add 0 (set_own i n l) + nth i l 0 = fold_right Nat.add 0 l + n.
Proof.
  induction l as [| x l IH]; simpl; intros i n L; [lia |].
  destruct i as [| i]; simpl; [lia |]. specialize (IH i n ltac:(lia)). lia.
Qed.

Lemma acts_pay : forall r n e dn n' e' dn' j o w, acts r n e dn n' e' dn' j o w -> n + e' >= n' + e + j.
Proof. intros r n e dn n' e' dn' j o w A. destruct A; lia. Qed.

Theorem too_few_lost : forall r anew g, game_won r anew g -> empties g + owe g <= all_owned g.
Proof.
  intros r anew g W.
  assert (G : forall g d n e dn j o w, d <= stack g ->
    acts r (nth (mover g) (owns g) 0 + d) (empties g) (downs g) n e dn j o w -> mover g < length (owns g) ->
    empties (after r g d n e dn j w) + owe (after r g d n e dn j w) <= all_owned (after r g d n e dn j w) ->
    empties g + owe g <= all_owned g).
  { clear g W. intros g d n e dn j o w Ds A M L. apply acts_pay in A.
    unfold all_owned, after in *. simpl in *.
    pose proof (sum_set_own (owns g) (mover g) (Nat.min n (keeps r)) M). lia. }
  induction W as [g d n e dn j o w _ Ds A M (E & _ & O & _) | g d n e dn j o w h _ Ds A M Cn _ IH].
  - apply (G g d n e dn j o w Ds A M). lia.
  - apply (G g d n e dn j o w Ds A M). destruct Cn as [_ | _ _ | _ _ _ _]; trivial.
    unfold all_owned, owed_anew in *. cbn [empties owe owns stack] in *. lia.
Qed.

(** * Towers whose cards have their supports (TOW03) *)

Definition supported (W : tower) : Prop := forall x k, In (x, k) W -> (1 < lev x)%Z ->
  In (left_support x) (map fst W) /\ In (right_support x) (map fst W).

(** Where the apex lies all of its pyramid is laid. *)
Lemma apex_bears : forall W l, supported W -> In (apex levels l) (map fst W) ->
  forall x, inside levels l x -> In x (map fst W).
Proof.
  intros W l Su A x I. remember (Z.to_nat (7 - lev x)) as n eqn:N. revert x I N.
  induction n as [| n IH]; intros x I N.
  - assert (x = apex levels l) as ->; trivial.
    apply cell_ext; unfold inside, apex, levels, col, lev in *; cbn [fst snd] in *; lia.
  - assert (G : exists y, inside levels l y /\ (lev y = lev x + 1)%Z /\
      (x = left_support y \/ x = right_support y)).
    { destruct (Z_le_gt_dec (col x) (l + 7 - (lev x + 1))) as [L | G].
      - exists (col x, lev x + 1)%Z. unfold inside, left_support, levels, col, lev in *. cbn [fst snd] in *.
        split; [lia |]. split; [lia |]. left. apply cell_ext; unfold col, lev; cbn [fst snd]; lia.
      - exists (col x - 1, lev x + 1)%Z.
        unfold inside, right_support, levels, col, lev in *. cbn [fst snd] in *.
        split; [lia |]. split; [lia |]. right. apply cell_ext; unfold col, lev; cbn [fst snd]; lia. }
    destruct G as (y & Iy & Ly & Sy).
    assert (Y : In y (map fst W)) by (apply IH; trivial; lia).
    apply in_map_iff in Y. destruct Y as ([z k] & E & Y). simpl in E. subst z.
    destruct (Su y k Y) as [L R]; [unfold inside in I; lia |]. destruct Sy as [-> | ->]; trivial.
Qed.

Lemma pyramid_size : forall r W, NoDup (map fst W) -> in_pyramid r W -> length W <= full_size.
Proof.
  intros r W N (l & L & I). rewrite <- (map_length fst W). unfold full_size.
  replace 28 with (length (cells levels l)).
  - apply NoDup_incl_length; trivial. intros x X. apply in_map_iff in X. destruct X as ([y k] & E & X).
    simpl in E. subst y. apply in_cells. eauto.
  - unfold places in L. destruct (floating r); simpl in L; intuition (subst; vm_compute; trivial).
Qed.

(** A full tower lies on all cells of its pyramid. *)
Lemma full_apex : forall r W, NoDup (map fst W) -> in_pyramid r W -> length W = full_size ->
  exists l, (forall x, inside levels l x <-> In x (map fst W)).
Proof.
  intros r W N (l & L & I) Fu. exists l.
  assert (J : incl (map fst W) (cells levels l)).
  { intros x X. apply in_map_iff in X. destruct X as ([y k] & E & X). simpl in E. subst y.
    apply in_cells. eauto. }
  assert (K : incl (cells levels l) (map fst W)).
  { apply NoDup_length_incl; [trivial | | exact J]. rewrite map_length, Fu.
    unfold places in L. destruct (floating r); simpl in L; intuition (subst; vm_compute; trivial). }
  intros x. rewrite <- in_cells. split; [apply K | apply J].
Qed.

(** "The last empty cell is the apex: all others bear it." *)
Lemma last_is_apex : forall r W x k, NoDup (map fst ((x, k) :: W)) -> in_pyramid r ((x, k) :: W) ->
  supported W -> length W + 1 = full_size -> lev x = Z.of_nat levels.
Proof.
  intros r W x k N P Su L. destruct (full_apex r _ N P) as (l & E); [simpl; lia |].
  assert (A : In (apex levels l) (map fst ((x, k) :: W))) by (apply E; cell_lia).
  destruct A as [A | A]; [simpl in A; subst x; trivial |].
  exfalso. inversion N as [| ? ? N1 _]; subst. apply N1. apply (apex_bears W l Su A).
  apply E. simpl. auto.
Qed.
