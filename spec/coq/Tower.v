(** Towers at one place: what it is to complete one, in the words of the clauses and in those of
    completability.md. *)

From Coq Require Import List ZArith Lia Bool Sorted Permutation Relations.
From Couperation Require Import Lists Cells Windows EarliestDeadline.
Import ListNotations.
Open Scope Z_scope.

(** * What is told *)

Inductive card := Glass (v : Z) | Finish.

Definition card_eqb (c d : card) : bool :=
  match c, d with Glass v, Glass w => v =? w | Finish, Finish => true | _, _ => false end.

Lemma card_eqb_true : forall c d, card_eqb c d = true <-> c = d.
Proof.
  intros [v |] [w |]; simpl; split; try congruence.
  - intros E. apply Z.eqb_eq in E. congruence.
  - intros E. injection E as ->. apply Z.eqb_refl.
Qed.

(** [row_order] and [between] ask for < or for <=. *)
Inductive order := Strict | Weak.
Definition holds (o : order) (a b : Z) : Prop := match o with Strict => a < b | Weak => a <= b end.

(** [finish_value]: F has the number of the card of the set-up, none, or none as the apex. *)
Inductive finish_value := Numbered | Nowhere | ApexFree.

(** A tower at one place. [top] is one more than the greatest card, [start] the number of the card of the
    set-up; [finish] tells the variant. The numbers available rise; those [located] are shown elsewhere than
    among the gone cards, of which [unseen] are not shown. *)
Record tower := Tower {
  height : nat; top : Z; start : Z; place : Z;
  finish : bool; row : order; btw : order; value : finish_value;
  up : list (cell * card);
  available : list Z; located : list Z; unseen : nat; finish_gone : bool }.

Definition in_tower (T : tower) : cell -> Prop := inside (height T) (place T).
Definition apex_of (T : tower) : cell := apex (height T) (place T).
Definition cells_of (T : tower) : list cell := cells (height T) (place T).
Definition laid_up (T : tower) (p : cell) : Prop := In p (map fst (up T)).
Definition memb (v : Z) (l : list Z) : bool := existsb (Z.eqb v) l.
Definition among (p : cell) (l : list cell) : bool := existsb (eqb p) l.

Lemma memb_true : forall v l, memb v l = true <-> In v l.
Proof.
  intros v l. unfold memb. rewrite existsb_exists. split.
  - intros (w & I & E). apply Z.eqb_eq in E. congruence.
  - intros I. exists v. split; [trivial | apply Z.eqb_refl].
Qed.

Lemma among_true : forall p l, among p l = true <-> In p l.
Proof.
  intros p l. unfold among. rewrite existsb_exists. split.
  - intros (q & I & E). apply eqb_true in E. congruence.
  - intros I. exists p. split; [trivial | apply eqb_true; reflexivity].
Qed.

(** * The words of the clauses *)

(** num(c) of a card on a cell: undefined for F without a number, and, under apex_free, for F on the top
    level. *)
Definition number (T : tower) (p : cell) (c : card) : option Z :=
  match c with
  | Glass v => Some v
  | Finish =>
    match value T with
    | Numbered => Some (start T)
    | Nowhere => None
    | ApexFree => if lev p =? Z.of_nat (height T) then None else Some (start T)
    end
  end.

(** "An order with an undefined number on either side is not asked." *)
Definition asked (o : order) (a b : option Z) : Prop :=
  match a, b with Some a, Some b => holds o a b | _, _ => True end.

(** TOW01 and TOW02 of a full tower. *)
Definition tow01 (T : tower) (t : cell -> card) : Prop :=
  forall x y, in_tower T x -> in_tower T y -> lev x = lev y -> col x < col y ->
  asked (row T) (number T x (t x)) (number T y (t y)).

Definition tow02 (T : tower) (t : cell -> card) : Prop :=
  forall x, in_tower T x -> 2 <= lev x ->
  asked (btw T) (number T (left_support x) (t (left_support x))) (number T x (t x)) /\
  asked (btw T) (number T x (t x)) (number T (right_support x) (t (right_support x))).

(** TOW08 of the apex in a full tower with all cards up: in the variant finish it is F. *)
Definition tow08 (T : tower) (t : cell -> card) : Prop := finish T = true -> t (apex_of T) = Finish.

Definition is_available (T : tower) (c : card) : Prop :=
  match c with Glass v => In v (available T) | Finish => finish T = true /\ finish_gone T = false end.

Definition used (T : tower) (t : cell -> card) (v : Z) : bool :=
  existsb (fun p => card_eqb (t p) (Glass v)) (cells_of T).

(** "Every up card stays where it is. Can all other cells, the empty ones and those with a down card, be given
    distinct cards that are still to be had, so that all orders hold with every card up?" Of the numbers that
    are not located as many stay unused as there are unseen gone cards. *)
Definition completion (T : tower) (t : cell -> card) : Prop :=
  (forall p c, In (p, c) (up T) -> t p = c) /\
  (forall p, in_tower T p -> ~ laid_up T p -> is_available T (t p)) /\
  (forall p q, in_tower T p -> in_tower T q -> t p = t q -> p = q) /\
  tow01 T t /\ tow02 T t /\ tow08 T t /\
  (unseen T <= count (fun v => negb (memb v (located T)) && negb (used T t v)) (available T))%nat.

Definition completable (T : tower) : Prop := exists t, completion T t.

(** What holds of every tower of a position: cards exist once and lie inside the pyramid, numbers are those of
    cards, the apex of the variant finish takes no Glass card, F exists in that variant only and is not gone
    where it is up. *)
Record valid (T : tower) : Prop := {
  some_level : (1 <= height T)%nat;
  up_cells : NoDup (map fst (up T));
  up_inside : forall p, laid_up T p -> in_tower T p;
  up_numbers : forall p v, In (p, Glass v) (up T) -> 0 < v < top T;
  up_once : forall p v, In (p, Glass v) (up T) -> ~ In v (available T);
  up_distinct : NoDup (map snd (up T));
  up_apex : forall c, finish T = true -> In (apex_of T, c) (up T) -> c = Finish;
  up_finish : forall p, In (p, Finish) (up T) -> finish T = true /\ finish_gone T = false;
  available_rises : StronglySorted Z.lt (available T);
  available_numbers : forall v, In v (available T) -> 0 < v < top T;
  start_number : 0 < start T < top T }.

(** * The words of completability.md *)

(** "A cell is fixed when a Glass card is up on it." *)
Definition fixed (T : tower) : list (cell * Z) :=
  flat_map (fun x => match snd x with Glass v => [(fst x, v)] | Finish => [] end) (up T).

(** The apex's bounds, "The Finish card's apex". *)
Definition apex_bound (T : tower) : list (bound cell) :=
  match finish T, value T with
  | true, Numbered =>
    match btw T with
    | Strict => [Bound (apex_of T) (start T) (start T)]
    | Weak => [Bound (apex_of T) (start T + 1) (start T - 1)]
    end
  | _, _ => []
  end.

Definition bounds (T : tower) : list (bound cell) :=
  map (fun x => Bound (fst x) (snd x) (snd x)) (fixed T) ++ apex_bound T.

(** "The other cells are free, but for the apex in the finish variant": listed along the linear extension. *)
Definition free (T : tower) : list cell :=
  filter (fun p => negb (among p (map fst (up T))) && negb (finish T && eqb p (apex_of T))) (cells_of T).

Definition lo_of (T : tower) : cell -> Z := lo belowb (bounds T).
Definition hi_of (T : tower) : cell -> Z := hi belowb (top T) (bounds T).

(** F lies up on another cell than the apex. *)
Definition stray (T : tower) (p : cell) : Prop := In (p, Finish) (up T) /\ p <> apex_of T.

(** The bounds of all cells with a number, the free ones given numbers by f. *)
Definition all_bounds (T : tower) (f : cell -> Z) : list (bound cell) :=
  bounds T ++ map (fun p => Bound p (f p) (f p)) (free T).

(** "A map from the free cells to distinct members of A with which p < q implies value(p) < value(q) for all
    fixed and free cells p and q, and which leaves at least u members of A that are not located unused", and
    what an apex of F asks besides. *)
Definition filling (T : tower) (f : cell -> Z) : Prop :=
  (forall p, In p (free T) -> In (f p) (available T)) /\
  (forall p q, In p (free T) -> In q (free T) -> f p = f q -> p = q) /\
  agree below (all_bounds T f) /\
  (unseen T <= count (fun v => negb (memb v (located T)) &&
    negb (memb v (map f (free T)))) (available T))%nat.

(** The tower at d of the printed board with 1 on d1 and 27 on j1: 25 numbers for 26 cells. *)
Definition two_corners (v : Z) : tower :=
  Tower levels 51 25 3 false Strict Strict Numbered [((3, 1), Glass 1); ((9, 1), Glass v)]
    (filter (fun x => negb (x =? v)) (range 2 49)) [] 0 false.

Example two_corners_windows :
  length (free (two_corners 27)) = 26%nat /\ lo_of (two_corners 27) (3, 7) = 1 /\
    hi_of (two_corners 27) (3, 7) = 27.
Proof. vm_compute. auto. Qed.
