(** Cards, towers and the orders asked of them: step.md, "The things of the game" and "Symbols";
    clauses/tower.md, TOW01, TOW02 and TOW07. *)

From Coq Require Import List ZArith Lia Bool.
From Couperation Require Import Cells Down.
Import ListNotations.
Open Scope Z_scope.

(** * Cards *)

(** A Glass card with its number, or the Finish card. *)
Inductive card : Type := Glass (v : Z) | F.

Definition card_dec (c d : card) : {c = d} + {c <> d}.
Proof. decide equality. apply Z.eq_dec. Defined.

(** A card as it lies. *)
Inductive laid : Type := Up (c : card) | Down (c : card).

Definition face (l : laid) : card := match l with Up c => c | Down c => c end.
Definition is_up (l : laid) : bool := match l with Up _ => true | Down _ => false end.

(** The tower: the laid cards by their cells. *)
Definition tower : Type := list (cell * laid).

(** * Rulings *)

Inductive facedown_ruling : Type := by_integers | by_deck | by_repeats | ignored.
Inductive target_ruling : Type := any_card | not_anchor | facedown_only.
Inductive apex_ruling : Type := forbidden | no_win | win_on_completion | loses.
Inductive finish_ruling : Type := is_25 | no_number | apex_free.

(** The rulings that these pages need, and the variant. *)
Record rulings : Type := Rulings {
  finish : bool;                      (* the variant is finish *)
  floating : bool;                    (* anchor=floating *)
  row_strict : bool;                  (* row_order=strict *)
  between_strict : bool;              (* between=strict *)
  facedown : facedown_ruling;
  replace_target : target_ruling;
  reserve_either : bool;              (* reserve_face=either *)
  early_apex : apex_ruling;
  finish_value : finish_ruling;
  opened_stands : bool;               (* opened_against=stands *)
  skipped : bool;                     (* no_action=skipped *)
  take_sent : bool                    (* take_sent=allowed *)
}.

(** * Numbers *)

(** The number of a card. *)
Definition num (r : rulings) (c : card) : option Z :=
  match c with
  | Glass v => Some v
  | F => match finish_value r with no_number => None | _ => Some 25 end
  end.

(** The number that an up card shows on a cell: none for F on the apex under [finish_value=apex_free]. *)
Definition read (r : rulings) (x : cell) (c : card) : option Z :=
  match c, finish_value r with
  | F, apex_free => if lev x =? Z.of_nat levels then None else num r c
  | _, _ => num r c
  end.

(** The numbers that can be read in a tower ([num2] in step.md). *)
Definition shows (r : rulings) (W : tower) (x : cell) (n : Z) : Prop :=
  exists c, In (x, Up c) W /\ read r x c = Some n.

(** The same with the numbers h for the down cards. *)
Definition bears (r : rulings) (h : cell -> Z) (W : tower) (x : cell) (n : Z) : Prop :=
  shows r W x n \/ exists c, In (x, Down c) W /\ n = h x.

(** * Orders *)

(** Below, or not above. *)
Definition less (strict : bool) (a b : Z) : Prop := a + (if strict then 1 else 0) <= b.

Lemma less_strict : forall a b, less true a b <-> a < b.
Proof. intros a b. unfold less. lia. Qed.

Lemma less_weak : forall a b, less false a b <-> a <= b.
Proof. intros a b. unfold less. lia. Qed.

(** TOW01 and TOW02, asked of cells with numbers; a cell without a number is asked nothing. *)
Definition rising (row : bool) (v : cell -> Z -> Prop) : Prop :=
  forall x y a b, v x a -> v y b -> lev x = lev y -> col x < col y -> less row a b.

Definition straddling (btw : bool) (v : cell -> Z -> Prop) : Prop :=
  (forall x a b, v (left_support x) a -> v x b -> less btw a b) /\
  (forall x a b, v x a -> v (right_support x) b -> less btw a b).

Definition ordered (row btw : bool) (v : cell -> Z -> Prop) : Prop := rising row v /\ straddling btw v.

(** TOW01 and TOW02 of the up cards. *)
Definition in_order (r : rulings) (W : tower) : Prop :=
  ordered (row_strict r) (between_strict r) (shows r W).

(** The numbers that a down card may have. *)
Definition back_range (r : rulings) (n : Z) : Prop :=
  match facedown r with by_deck | by_repeats => 1 <= n <= 50 | _ => True end.

(** How strict orders are once down cards have numbers: under [repeats] not at all. *)
Definition strict_with_backs (r : rulings) (s : bool) : bool :=
  match facedown r with by_repeats => false | _ => s end.

(** TOW07. *)
Definition numbered (r : rulings) (W : tower) : Prop :=
  facedown r = ignored \/
  exists h, (forall x c, In (x, Down c) W -> back_range r (h x)) /\
    ordered (strict_with_backs r (row_strict r)) (strict_with_backs r (between_strict r)) (bears r h W).

(** All orders of a tower. *)
Definition orders (r : rulings) (W : tower) : Prop := in_order r W /\ numbered r W.

(** Fewer cards with numbers are asked fewer orders. *)
Lemma ordered_fewer : forall row btw (v w : cell -> Z -> Prop),
  (forall x n, w x n -> v x n) -> ordered row btw v -> ordered row btw w.
Proof.
  intros row btw v w S (R & L & G). split; [| split].
  - intros x y a b X Y. apply R; auto.
  - intros x a b X Y. apply (L x); auto.
  - intros x a b X Y. apply (G x); auto.
Qed.

(** "Where a whole tower is in order, any of its cards are." (table.md, "A tower out of order") *)
Lemma orders_fewer : forall r W V, incl V W -> orders r W -> orders r V.
Proof.
  intros r W V I [O N]. assert (S : forall x n, shows r V x n -> shows r W x n).
  { intros x n (c & J & R). exists c. auto. }
  split; [exact (ordered_fewer _ _ _ _ S O) |].
  destruct N as [N | (h & B & N)]; [left; trivial | right]. exists h. split; [eauto |].
  apply ordered_fewer with (bears r h W); trivial.
  intros x n [T | (c & J & E)]; [left; auto | right; eauto].
Qed.

(** Only what can be read counts: towers that show the same and have the same backs are alike. *)
Lemma orders_alike : forall r V W,
  (forall x n, shows r V x n -> shows r W x n) ->
  (forall x c, In (x, Down c) V -> exists d, In (x, Down d) W) ->
  orders r W -> orders r V.
Proof.
  intros r V W S B [O N]. split; [exact (ordered_fewer _ _ _ _ S O) |].
  destruct N as [N | (h & C & N)]; [left; trivial | right]. exists h. split.
  - intros x c I. destruct (B x c I) as [d J]. eauto.
  - apply ordered_fewer with (bears r h W); trivial. intros x n [T | (c & J & E)]; [left; auto | right].
    destruct (B x c J) as [d K]. eauto.
Qed.

(** * The card on a cell *)

Fixpoint at_cell (W : tower) (x : cell) : option laid :=
  match W with
  | [] => None
  | (y, l) :: W => if eqb y x then Some l else at_cell W x
  end.

Lemma at_cell_in : forall (W : tower) x l, NoDup (map fst W) -> (In (x, l) W <-> at_cell W x = Some l).
Proof.
  induction W as [| [y k] W IH]; simpl; intros x l N; [split; [tauto | discriminate] |].
  inversion N as [| ? ? N1 N2]; subst. destruct (eqb_spec y x) as [-> | Ne].
  - split; [intros [E | I]; [congruence |] | intros E; left; congruence].
    exfalso. apply N1. change x with (fst (x, l)). apply in_map. trivial.
  - rewrite <- (IH x l N2). split; [intros [E | I]; [congruence | trivial] | auto].
Qed.

Lemma at_cell_none : forall (W : tower) x, at_cell W x = None <-> ~ In x (map fst W).
Proof.
  induction W as [| [y k] W IH]; simpl; intros x; [tauto |].
  destruct (eqb_spec y x) as [-> | Ne]; [split; [discriminate | tauto] |].
  rewrite IH. tauto.
Qed.

Lemma once_laid : forall (W : tower) x k l, NoDup (map fst W) -> In (x, k) W -> In (x, l) W -> k = l.
Proof. intros W x k l N I J. apply at_cell_in in I; apply at_cell_in in J; trivial. congruence. Qed.

(** * Deciding the orders, by Down.v *)

(** The orders between two cells. *)
Definition asks (row btw : bool) (p q : cell) : option Z :=
  let k (strict : bool) := if strict then Some 1 else Some 0 in
  if (lev p =? lev q) && (col p <? col q) then k row
  else if eqb p (left_support q) || eqb q (right_support p) then k btw
  else None.

(** The bounds of a cell: an up card's number, twice; for a down card those given. *)
Definition bound (r : rulings) (free : option Z) (W : tower) (x : cell) : option Z :=
  match at_cell W x with
  | Some (Up c) => read r x c
  | Some (Down _) => free
  | None => None
  end.

(** Whether something with a number lies on a cell. *)
Definition has_number (r : rulings) (e : cell * laid) : bool :=
  match snd e with
  | Down _ => true
  | Up c => match read r (fst e) c with Some _ => true | None => false end
  end.

(** Cells sorted by 2 col + lev, which is a linear extension (completability.md, "Why this order"). *)
Fixpoint insert (x : cell) (l : list cell) : list cell :=
  match l with
  | [] => [x]
  | y :: m => if key x <=? key y then x :: l else y :: insert x m
  end.

Definition along (l : list cell) : list cell := fold_right insert [] l.

Lemma insert_in : forall x l y, In y (insert x l) <-> y = x \/ In y l.
Proof.
  intros x l y. induction l as [| z l IH]; simpl; [intuition congruence |].
  destruct (key x <=? key z); simpl; [intuition congruence |]. rewrite IH. tauto.
Qed.

Lemma along_in : forall l y, In y (along l) <-> In y l.
Proof.
  induction l as [| x l IH]; simpl; intros y; [tauto |]. rewrite insert_in, IH. intuition congruence.
Qed.

Lemma insert_once : forall x l, ~ In x l -> NoDup l -> NoDup (insert x l).
Proof.
  intros x l. induction l as [| y l IH]; simpl; intros N D; [constructor; trivial |].
  inversion D; subst. simpl in N. destruct (key x <=? key y); constructor; trivial.
  - rewrite insert_in. intros [-> | I]; tauto.
  - apply IH; tauto.
Qed.

Lemma along_once : forall l, NoDup l -> NoDup (along l).
Proof.
  induction l as [| x l IH]; simpl; intros D; [constructor |]. inversion D; subst.
  apply insert_once; auto. rewrite along_in. trivial.
Qed.

Lemma insert_later : forall k x l, key x >= k -> (forall y, In y l -> key y >= k) ->
  forall y, In y (insert x l) -> key y >= k.
Proof. intros k x l X L y I. apply insert_in in I. destruct I as [-> |]; auto. Qed.

Lemma along_sorted : forall l pre p post, along l = pre ++ p :: post ->
  forall q, In q post -> key p <= key q.
Proof.
  assert (G : forall x l,
    (forall pre p post, l = pre ++ p :: post -> forall q, In q post -> key p <= key q) ->
    forall pre p post, insert x l = pre ++ p :: post -> forall q, In q post -> key p <= key q).
  { intros x l. induction l as [| y l IH]; simpl; intros S pre p post E q Q.
    - destruct pre as [| z [| ? ?]]; inversion E; subst. destruct Q.
    - destruct (key x <=? key y) eqn:K.
      + destruct pre as [| z pre]; simpl in E; injection E as E1 E2.
        * subst p post. apply Z.leb_le in K. destruct Q as [<- | Q]; trivial.
          pose proof (S [] y l eq_refl q Q). lia.
        * eapply S; [symmetry; rewrite <- E2; trivial | trivial].
      + apply Z.leb_gt in K. destruct pre as [| z pre]; simpl in E; injection E as E1 E2.
        * subst p post. apply insert_in in Q. destruct Q as [-> | Q]; [lia |].
          exact (S [] y l eq_refl q Q).
        * eapply IH; [| exact E2 | exact Q]. intros pre' p' post' E' q' Q'.
          apply (S (y :: pre') p' post'); [rewrite E'; trivial | trivial]. }
  induction l as [| x l IH]; simpl; intros pre p post E q Q; [destruct pre; discriminate |].
  exact (G x (along l) IH pre p post E q Q).
Qed.

Definition numbered_cells (r : rulings) (W : tower) : list cell :=
  along (map fst (filter (has_number r) W)).

(** Whether numbers exist for the down cards, between the bounds given. *)
Definition can_number (r : rulings) (row btw : bool) (a b : option Z) (W : tower) : bool :=
  can_stand cell (numbered_cells r W) (asks row btw) (bound r a W) (bound r b W).

Ltac support_lia := unfold key, left_support, right_support, col, lev in *; cbn [fst snd] in *; lia.

(** An order raises 2 col + lev. *)
Lemma asks_up : forall row btw p q k, asks row btw p q = Some k -> key p < key q.
Proof.
  intros row btw p q k. unfold asks.
  destruct (Z.eqb_spec (lev p) (lev q)) as [L | L], (Z.ltb_spec (col p) (col q)) as [C | C]; simpl;
    try (intros _; unfold key; lia);
    (destruct (eqb_spec p (left_support q)) as [E | _]; simpl; [intros _; subst p; support_lia |]);
    (destruct (eqb_spec q (right_support p)) as [E | _]; simpl;
      [intros _; subst q; support_lia | discriminate]).
Qed.

Lemma asks_one : forall row btw p q k, asks row btw p q = Some k -> 0 <= k <= 1.
Proof.
  intros row btw p q k. unfold asks.
  destruct (_ && _), row; try (intros E; inversion E; lia);
    destruct (_ || _), btw; try (intros E; inversion E; lia).
Qed.

(** Keeping the orders of [asks] is keeping TOW01 and TOW02 among these cells. *)
Lemma keeps_orders_ordered : forall row btw l h,
  keeps_orders cell l (asks row btw) h <-> ordered row btw (fun x n => In x l /\ n = h x).
Proof.
  intros row btw l h. split.
  - intros K. split; [| split].
    + intros x y a b [X ->] [Y ->] L C. apply (K x y); trivial. unfold asks.
      rewrite (proj2 (Z.eqb_eq _ _) L), (proj2 (Z.ltb_lt _ _) C). destruct row; trivial.
    + intros x a b [X ->] [Y ->]. apply (K (left_support x) x); trivial. unfold asks.
      replace (lev (left_support x) =? lev x) with false by (symmetry; apply Z.eqb_neq; support_lia).
      simpl. rewrite (proj2 (eqb_true _ _) eq_refl). destruct btw; trivial.
    + intros x a b [X ->] [Y ->]. apply (K x (right_support x)); trivial. unfold asks.
      replace (lev x =? lev (right_support x)) with false by (symmetry; apply Z.eqb_neq; support_lia).
      simpl. rewrite (proj2 (eqb_true _ _) eq_refl), orb_true_r. destruct btw; trivial.
  - intros (R & L & G) p q k P Q A. unfold asks in A.
    destruct (Z.eqb_spec (lev p) (lev q)), (Z.ltb_spec (col p) (col q)); simpl in A;
      try (assert (k = if row then 1 else 0) as -> by (destruct row; congruence); apply (R p q); auto; fail);
      (destruct (eqb_spec p (left_support q)) as [-> | _]; simpl in A;
        [assert (k = if btw then 1 else 0) as -> by (destruct btw; congruence); apply (L q); auto |]);
      (destruct (eqb_spec q (right_support p)) as [-> | _]; simpl in A;
        [assert (k = if btw then 1 else 0) as -> by (destruct btw; congruence); apply (G p); auto
        | discriminate]).
Qed.

Lemma numbered_cells_in : forall r W x,
  In x (numbered_cells r W) <-> exists l, In (x, l) W /\ has_number r (x, l) = true.
Proof.
  intros r W x. unfold numbered_cells. rewrite along_in, in_map_iff. split.
  - intros ([y l] & E & I). simpl in E. subst y. apply filter_In in I. exists l. exact I.
  - intros (l & I). exists (x, l). split; trivial. apply filter_In. exact I.
Qed.

Lemma filter_once : forall f (W : tower), NoDup (map fst W) -> NoDup (map fst (filter f W)).
Proof.
  intros f W. induction W as [| e W IH]; simpl; intros N; trivial. inversion N as [| ? ? N1 N2]; subst.
  destruct (f e); simpl; auto. constructor; auto. intros I. apply N1.
  apply in_map_iff in I. destruct I as (d & E & I). apply filter_In in I. rewrite <- E. apply in_map. tauto.
Qed.

Lemma numbered_cells_once : forall r W, NoDup (map fst W) -> NoDup (numbered_cells r W).
Proof. intros r W N. apply along_once, filter_once, N. Qed.

(** The cells with numbers lie along a linear extension of the orders. *)
Lemma numbered_cells_forward : forall r W row btw pre p post, numbered_cells r W = pre ++ p :: post ->
  forall q, In q (p :: post) -> asks row btw q p = None.
Proof.
  intros r W row btw pre p post E q Q. destruct (asks row btw q p) as [k |] eqn:A; trivial.
  apply asks_up in A. destruct Q as [<- | Q]; [lia |].
  pose proof (along_sorted _ _ _ _ E q Q). lia.
Qed.

(** Numbers g that are those of the up cards and h on the down ones. *)
Lemma bears_cells : forall r W g h,
  (forall x c n, In (x, Up c) W -> read r x c = Some n -> g x = n) ->
  (forall x c, In (x, Down c) W -> g x = h x) ->
  forall x n, bears r h W x n <-> In x (numbered_cells r W) /\ n = g x.
Proof.
  intros r W g h U D x n. rewrite numbered_cells_in. split.
  - intros [(c & I & R) | (c & I & E)].
    + split; [| symmetry; eapply U; eauto]. exists (Up c). split; trivial.
      unfold has_number. simpl. rewrite R. trivial.
    + split; [exists (Down c); auto |]. rewrite (D x c I). trivial.
  - intros (([c | c] & I & N) & E).
    + left. exists c. split; trivial. unfold has_number in N. simpl in N.
      destruct (read r x c) as [m |] eqn:R; [| discriminate]. rewrite E. f_equal. symmetry. eauto.
    + right. exists c. rewrite E. eauto.
Qed.

Lemma ordered_same : forall row btw (v w : cell -> Z -> Prop),
  (forall x n, v x n <-> w x n) -> ordered row btw v <-> ordered row btw w.
Proof. intros row btw v w E. split; apply ordered_fewer; intros x n; apply E. Qed.

(** The check is right: it is [true] exactly when numbers exist. *)
Theorem can_number_correct : forall r row btw a b W, NoDup (map fst W) ->
  can_number r row btw a b W = true <->
  exists h, (forall x c, In (x, Down c) W ->
      (forall n, a = Some n -> n <= h x) /\ (forall n, b = Some n -> h x <= n)) /\
    ordered row btw (bears r h W).
Proof.
  intros r row btw a b W N. unfold can_number.
  rewrite (can_stand_correct cell cell_dec); [| apply numbered_cells_once, N | apply asks_one
    | apply numbered_cells_forward].
  split.
  - intros (h & K & B). assert (L : forall x l, In (x, l) W -> has_number r (x, l) = true ->
      at_cell W x = Some l /\ In x (numbered_cells r W)).
    { intros x l I H. split; [apply at_cell_in; trivial | apply numbered_cells_in; eauto]. }
    exists h. split.
    + intros x c I. destruct (L x (Down c) I eq_refl) as [E J]. destruct (B x J) as [Lo Hi].
      unfold bound in Lo, Hi. rewrite E in Lo, Hi. auto.
    + apply keeps_orders_ordered in K. revert K. apply ordered_fewer. intros x n. apply bears_cells; trivial.
      clear x n. intros x c n I R. assert (H : has_number r (x, Up c) = true).
      { unfold has_number. simpl. rewrite R. trivial. }
      destruct (L x (Up c) I H) as [E J]. destruct (B x J) as [Lo Hi].
      unfold bound in Lo, Hi. rewrite E in Lo, Hi. specialize (Lo n R). specialize (Hi n R). lia.
  - intros (h & B & O).
    pose (g := fun x => match at_cell W x with
      | Some (Up c) => match read r x c with Some n => n | None => 0 end
      | _ => h x end).
    assert (U : forall x c n, In (x, Up c) W -> read r x c = Some n -> g x = n).
    { intros x c n I R. apply at_cell_in in I; trivial. unfold g. rewrite I, R. trivial. }
    assert (D : forall x c, In (x, Down c) W -> g x = h x).
    { intros x c I. apply at_cell_in in I; trivial. unfold g. rewrite I. trivial. }
    exists g. split.
    + apply keeps_orders_ordered. revert O. apply ordered_fewer. intros x n. apply bears_cells; trivial.
    + intros x X. apply numbered_cells_in in X. destruct X as ([c | c] & I & H);
        unfold bound; rewrite (proj1 (at_cell_in W x _ N) I).
      * split; intros n R; rewrite (U x c n I R); lia.
      * rewrite (D x c I). apply (B x c I).
Qed.

(** ** The orders of the rulings *)

Definition only_up (W : tower) : tower := filter (fun e => is_up (snd e)) W.

(** TOW01 and TOW02 of the up cards. *)
Definition in_orderb (r : rulings) (W : tower) : bool :=
  can_number r (row_strict r) (between_strict r) None None (only_up W).

(** TOW07. *)
Definition numberedb (r : rulings) (W : tower) : bool :=
  let can := can_number r (strict_with_backs r (row_strict r)) (strict_with_backs r (between_strict r)) in
  match facedown r with
  | by_integers => can None None W
  | by_deck | by_repeats => can (Some 1) (Some 50) W
  | ignored => true
  end.

Definition ordersb (r : rulings) (W : tower) : bool := in_orderb r W && numberedb r W.

Lemma in_orderb_correct : forall r W, NoDup (map fst W) -> in_orderb r W = true <-> in_order r W.
Proof.
  intros r W N. unfold in_orderb. rewrite can_number_correct by (apply filter_once, N).
  assert (E : forall h x n, bears r h (only_up W) x n <-> shows r W x n).
  { intros h x n. unfold only_up. split.
    - intros [(c & I & R) | (c & I & R)]; apply filter_In in I; [exists c; tauto | destruct I; discriminate].
    - intros (c & I & R). left. exists c. split; trivial. apply filter_In. auto. }
  unfold in_order. split.
  - intros (h & _ & O). revert O. apply ordered_same. intros. symmetry. apply E.
  - intros O. exists (fun _ => 0). split.
    + intros x c I. apply filter_In in I. destruct I. discriminate.
    + revert O. apply ordered_same. intros. apply E.
Qed.

Lemma numberedb_correct : forall r W, NoDup (map fst W) -> numberedb r W = true <-> numbered r W.
Proof.
  intros r W N. unfold numberedb, numbered, back_range.
  destruct (facedown r) eqn:Fd; [| | | tauto]; rewrite can_number_correct by trivial.
  1: { split; [intros (h & _ & O); right; eauto | intros [? | (h & _ & O)]; [discriminate |]].
       exists h. split; [split; discriminate | trivial]. }
  all: split;
    [intros (h & B & O); right; exists h; split; trivial; intros x c I; destruct (B x c I) as [L H];
      specialize (L 1 eq_refl); specialize (H 50 eq_refl); lia |];
    intros [E | (h & B & O)]; [discriminate E |]; exists h; split; trivial;
    intros x c I; specialize (B x c I); split; intros n E; inversion E; lia.
Qed.

Theorem ordersb_correct : forall r W, NoDup (map fst W) -> ordersb r W = true <-> orders r W.
Proof.
  intros r W N. unfold ordersb, orders. rewrite andb_true_iff, in_orderb_correct, numberedb_correct; tauto.
Qed.

(** ** Examples: records of TOW07 *)

Definition plain (fd : facedown_ruling) : rulings :=
  Rulings false true true true fd any_card false no_win is_25 false false true.

(** f1 up with 24 left of the 25, f2 down: no number is left there, but under [repeats] it is. *)
Definition on_24_and_25 : tower :=
  [((6, 1), Up (Glass 25)); ((5, 1), Up (Glass 24)); ((5, 2), Down (Glass 38))].

Example no_number_between : ordersb (plain by_integers) on_24_and_25 = false.
Proof. vm_compute. reflexivity. Qed.

Example equal_numbers : ordersb (plain by_repeats) on_24_and_25 = true.
Proof. vm_compute. reflexivity. Qed.

(** A down card left of the 1: an integer stands there, a number of the deck does not. *)
Definition left_of_1 : tower := [((6, 1), Up (Glass 25)); ((5, 1), Up (Glass 1)); ((4, 1), Down (Glass 9))].

Example left_of_1_integers : ordersb (plain by_integers) left_of_1 = true.
Proof. vm_compute. reflexivity. Qed.

Example left_of_1_deck : ordersb (plain by_deck) left_of_1 = false.
Proof. vm_compute. reflexivity. Qed.

(** Under [ignored] not even the order through a down card is asked. *)
Definition through_a_back : tower :=
  [((6, 1), Up (Glass 25)); ((5, 1), Down (Glass 17)); ((5, 2), Up (Glass 21)); ((4, 1), Up (Glass 22))].

Example through_a_back_ignored : ordersb (plain ignored) through_a_back = true.
Proof. vm_compute. reflexivity. Qed.

Example through_a_back_repeats : ordersb (plain by_repeats) through_a_back = false.
Proof. vm_compute. reflexivity. Qed.
