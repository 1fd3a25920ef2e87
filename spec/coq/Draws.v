(** The limit of a draw: clauses/drawing.md, DRW01 to DRW04; the greatest that a position leaves possible; and
    what a dead position says of all that it does not show, marks too. *)

From Coq Require Import List ZArith Lia Bool Arith.
From Couperation Require Import Cells Table Account Owed Final OutOfReach OutOfOrder Counting Game Turns.
From Couperation Require Import TurnsCheck.
Import ListNotations.
Open Scope nat_scope.

(** * The clauses *)

Inductive mark : Type := One_diamond | Two_diamonds | Heart.

(** The rulings that the limit hangs on, beside [draw_source], which chooses the source. *)
Record draw_rulings : Type := Draw_rulings {
  zero_all : bool;                (* hearts_below=zero_all *)
  zero_over_back : bool;          (* heart_over_back=zero *)
  at_once : bool;                 (* finish_refill=at_once *)
  in_hand : bool                  (* finish_in_hand=yes *)
}.

(** What the draw follows: no card as yet; nothing, as nobody draws ([idle]); or the card on a cell, which may
    count as one laid down ([as_down]). *)
Inductive source : Type := No_source | Idle | After (x : cell) (as_down : bool).

Section Clauses.

  Variable d : draw_rulings.
  Variable m : Z -> mark.         (* the marks *)
  Variable W : tower.
  Variable h : list card.         (* the own cards of the player to move *)

  Definition diamonds (x : cell) : nat :=
    match at_cell W x with
    | Some (Up (Glass v)) => match m v with One_diamond => 1 | Two_diamonds => 2 | Heart => 0 end
    | _ => 0
    end.

  Definition hearted (x : cell) : bool :=
    match at_cell W x with
    | Some (Up (Glass v)) => match m v with Heart => true | _ => false end
    | _ => false
    end.

  Definition backed (x : cell) : bool :=
    match at_cell W x with Some (Down _) => true | _ => false end.

  Definition heart (x : cell) : nat :=
    if (lev x =? 1)%Z then 0
    else if zero_all d && (hearted (left_support x) || hearted (right_support x)) then 0
    else if zero_over_back d && (backed (left_support x) || backed (right_support x)) then 0
    else diamonds (left_support x) + diamonds (right_support x).

  (** What a mark on x allows (DRW02, DRW03). *)
  Definition allows (x : cell) (k : mark) : nat :=
    match k with One_diamond => 1 | Two_diamonds => 2 | Heart => heart x end.

  (** What the hand lacks to two; F in front is one of it under [finish_in_hand=yes]. *)
  Definition lacking : nat := 2 - (if in_hand d then length h else hand_size h).

  (** The limit, where an up Glass card v on x allows [mark_of v x]. *)
  Definition limit_by (mark_of : Z -> cell -> nat) (s : source) : nat :=
    match s with
    | No_source => 1                                                              (* DRW01 *)
    | Idle => 0                                                                   (* DRW02 *)
    | After x true => lacking                                                     (* DRW04 *)
    | After x false =>
      match at_cell W x with
      | Some (Up (Glass v)) => mark_of v x
      | Some (Up F) => if at_once d then 0 else lacking
      | _ => lacking
      end
    end.

  Definition limit : source -> nat := limit_by (fun v x => allows x (m v)).

  (** "No card allows more than 4: a heart over two cards of two diamonds." *)
  Lemma four_at_most : forall s, limit s <= 4.
  Proof.
    assert (D : forall x, diamonds x <= 2).
    { intros x. unfold diamonds. destruct (at_cell W x) as [[[v |] |] |]; try lia. destruct (m v); lia. }
    assert (A : forall x k, allows x k <= 4).
    { intros x k. pose proof (D (left_support x)). pose proof (D (right_support x)).
      destruct k; simpl; try lia. unfold heart.
      repeat match goal with |- (if ?b then _ else _) <= _ => destruct b end; lia. }
    intros [| | x [|]]; simpl; unfold lacking; try lia.
    destruct (at_cell W x) as [[[v |] |] |]; [apply A | destruct (at_once d) | |]; lia.
  Qed.

  (** After a card laid down it is no more than the hand lacks to two. *)
  Lemma two_after_down : forall x as_down, as_down = true \/ backed x = true ->
    limit (After x as_down) <= 2 - hand_size h.
  Proof.
    assert (L : lacking <= 2 - hand_size h) by (unfold lacking, hand_size; destruct (in_hand d); lia).
    intros x as_down [-> | B]; trivial. destruct as_down; trivial. simpl. unfold backed in B.
    destruct (at_cell W x) as [[c | c] |]; try discriminate. trivial.
  Qed.

End Clauses.

(** * The greatest limit that the marks leave possible *)

(** The marks that a position gives. *)
Definition given_marks : Type := list (Z * mark).

Fixpoint given (g : given_marks) (v : Z) : option mark :=
  match g with
  | [] => None
  | (w, k) :: g => if (w =? v)%Z then Some k else given g v
  end.

(** Marks that a table may have. *)
Definition agree (g : given_marks) (m : Z -> mark) : Prop := forall v k, given g v = Some k -> m v = k.

(** Two diamonds where no mark is given. *)
Definition favoured (g : given_marks) (v : Z) : mark :=
  match given g v with Some k => k | None => Two_diamonds end.

(** The tower as the position shows it, and the own cards of the player to move. *)
Definition p_laid (p : position) : tower := map as_laid (p_tower p).

Definition some_card (o : sight) : card := match o with Some c => c | None => Glass 0 end.
Definition p_hand (p : position) : list card := map some_card (nth (p_due p) (p_own p) []).

(** The source itself may be a heart, or show two diamonds. *)
Definition greatest_limit (d : draw_rulings) (g : given_marks) (p : position) (s : source) : nat :=
  let allowing := allows d (favoured g) (p_laid p) in
  limit_by d (p_laid p) (p_hand p) (fun v x =>
    match given g v with
    | Some k => allowing x k
    | None => Nat.max (allowing x Two_diamonds) (allowing x Heart)
    end) s.

(** Up cards are seen. *)
Definition p_told (p : position) : bool := forallb known (p_tower p).

Lemma laid_shown : forall p s x, fits p s -> p_told p = true ->
  match at_cell (laid_cards s) x with
  | Some (Up c) => at_cell (p_laid p) x = Some (Up c)
  | Some (Down _) => exists c, at_cell (p_laid p) x = Some (Down c)
  | None => at_cell (p_laid p) x = None
  end.
Proof.
  intros p s x H. unfold p_told, p_laid. pose proof (fits_tower _ _ H) as T.
  induction T as [| [y [b o]] [z k] l W (E & U & Sw) T IH]; simpl; trivial.
  intros K. apply andb_true_iff in K. destruct K as [K1 K]. simpl in *. subst y b.
  destruct (eqb z x); [| exact (IH K)]. destruct k as [c | c]; simpl in *; [| eauto].
  destruct o; [simpl in Sw; congruence | discriminate].
Qed.

(** More marks are two diamonds, and no more are hearts. *)
Lemma favoured_more : forall d g m p s x k, fits p s -> p_told p = true -> agree g m ->
  allows d m (laid_cards s) x k <= allows d (favoured g) (p_laid p) x k.
Proof.
  intros d g m p s x k H K Ag.
  assert (D : forall y, diamonds m (laid_cards s) y <= diamonds (favoured g) (p_laid p) y).
  { intros y. pose proof (laid_shown p s y H K) as L. unfold diamonds.
    destruct (at_cell (laid_cards s) y) as [[[v |] | c] |]; try lia. rewrite L. unfold favoured.
    destruct (given g v) as [j |] eqn:G; [rewrite (Ag v j G); lia | destruct (m v); lia]. }
  assert (Hd : forall y, hearted (favoured g) (p_laid p) y = true -> hearted m (laid_cards s) y = true).
  { intros y. pose proof (laid_shown p s y H K) as L. unfold hearted.
    destruct (at_cell (laid_cards s) y) as [[[v |] | c] |]; [| rewrite L; trivial | |].
    - rewrite L. unfold favoured. destruct (given g v) as [j |] eqn:G; [| discriminate].
      rewrite (Ag v j G). trivial.
    - destruct L as [c' L]. rewrite L. discriminate.
    - rewrite L. trivial. }
  assert (B : forall y, backed (p_laid p) y = backed (laid_cards s) y).
  { intros y. pose proof (laid_shown p s y H K) as L. unfold backed.
    destruct (at_cell (laid_cards s) y) as [[c | c] |]; [| destruct L as [c' L] |]; rewrite L; trivial. }
  destruct k; simpl; trivial. unfold heart. destruct (lev x =? 1)%Z; trivial. rewrite !B.
  pose proof (D (left_support x)). pose proof (D (right_support x)).
  destruct (zero_over_back d && _).
  { destruct (zero_all d && _); simpl; lia. }
  destruct (zero_all d); simpl; [| lia].
  destruct (hearted (favoured g) (p_laid p) (left_support x)) eqn:L; [rewrite (Hd _ L); simpl; lia |].
  destruct (hearted (favoured g) (p_laid p) (right_support x)) eqn:R; [rewrite (Hd _ R), orb_true_r; lia |].
  destruct (_ || _); simpl; lia.
Qed.

(** The position shows F in front, and so how many cards the hand has. *)
Lemma hand_shown : forall r p s, sound r s -> fits p s ->
  let h := nth (due s) (own s) [] in
  length (p_hand p) = length h /\ hand_size (p_hand p) <= hand_size h.
Proof.
  intros r p s S H h. unfold p_hand. rewrite map_length, <- (fits_due _ _ H).
  assert (C : copies h F <= 1).
  { pose proof (sound_cards _ _ S) as N. apply (NoDup_count_occ card_dec) with (x := F) in N.
    subst h. destruct (le_lt_dec (length (own s)) (due s)) as [L | L].
    { rewrite nth_overflow by trivial. auto. }
    destruct (nth_split (own s) [] L) as (a & b & E & _). unfold all_cards in N. rewrite E, concat_app in N.
    simpl in N. unfold copies. rewrite !count_occ_app in N. lia. }
  assert (O : owned_as (nth (due s) (p_own p) []) h).
  { subst h. pose proof (fits_own _ _ H) as T. generalize (due s). clear -T.
    assert (N : owned_as [] []) by (split; [exists []; split; constructor | intros []]).
    induction T as [| a b l m A T IH]; intros [| n]; simpl; trivial. }
  clearbody h. destruct O as [Se Fo]. pose proof (seen_length _ _ Se) as L. split; [lia |].
  unfold hand_size. rewrite map_length, L.
  assert (copies h F <= copies (map some_card (nth (due s) (p_own p) [])) F); [| lia].
  destruct (in_dec card_dec F h) as [I | N].
  - specialize (Fo I). apply (in_map some_card) in Fo. cbn [some_card] in Fo.
    apply (count_occ_In card_dec) in Fo. unfold copies in *. lia.
  - apply (count_occ_not_In card_dec) in N. unfold copies. lia.
Qed.

(** No table that the position may be has a greater limit, whatever the marks are. *)
Theorem greatest_limit_right : forall r d g m p s src,
  sound r s -> fits p s -> p_told p = true -> agree g m ->
  limit d m (laid_cards s) (nth (due s) (own s) []) src <= greatest_limit d g p src.
Proof.
  intros r d g m p s src S H K Ag. destruct (hand_shown r p s S H) as [L Hs].
  assert (La : lacking d (nth (due s) (own s) []) <= lacking d (p_hand p)).
  { unfold lacking. destruct (in_hand d); lia. }
  unfold limit, greatest_limit, limit_by. destruct src as [| | x [|]]; trivial.
  pose proof (laid_shown p s x H K) as Sh.
  destruct (at_cell (laid_cards s) x) as [[[v |] | c] |]; [| | destruct Sh as [c' Sh] |]; rewrite Sh; trivial;
    [| destruct (at_once d); trivial].
  pose proof (fun k => favoured_more d g m p s x k H K Ag) as Mo.
  destruct (given g v) as [k |] eqn:G; [rewrite (Ag v k G); apply Mo |].
  specialize (Mo (m v)). destruct (m v); cbn [allows] in *; lia.
Qed.

(** * Dead positions *)

Definition with_limit (n : nat) (p : position) : position :=
  Position (p_own p) (p_deck p) (p_tower p) (p_reserve p) (p_gone p) (p_due p) n.

(** What holds of every table that the position may be, with marks that agree with those given, where the
    limit n of the draw is that of the clauses. (With the limit 1 [fits] asks nothing of it.) *)
Definition whatever (r : rulings) (d : draw_rulings) (g : given_marks) (src : source) (p : position)
    (holds : nat -> table -> Prop) : Prop :=
  forall s m, sound r s -> fits (with_limit 1 p) s -> agree g m ->
  let n := limit d m (laid_cards s) (nth (due s) (own s) []) src in
  no_draw s = (n =? 0) -> holds n s.

(** No continuation wins, *)
Definition never_won (r : rulings) (d : draw_rulings) (g : given_marks) (src : source) (p : position) : Prop
  := whatever r d g src p (fun _ s => dead r s).

(** or none that keeps the clauses of Turns.v. *)
Definition never_won_fairly (r : rulings) (d : draw_rulings) (g : given_marks) (src : source) (p : position)
  : Prop := whatever r d g src p (fun n s => forall ts s', ~ wins_fairly r n s ts s').

(** A greater limit forbids less. *)
Lemma wins_with_more : forall r n n' s ts s', n <= n' -> wins_fairly r n s ts s' -> wins_fairly r n' s ts s'.
Proof.
  intros r n n' s ts s' L W.
  assert (Fa : forall t s1, fair r n s t s1 -> fair r n' s t s1).
  { intros t s1 ((D1 & D2) & Fi). repeat split; try tauto; [lia |]. intros E. apply D2. lia. }
  destruct W as [n s t s' P N F0 Wn | n k s t s1 ts s' P N F0 G Lm W].
  - apply fairly_last; auto.
  - apply fairly_more with k s1; auto.
Qed.

Lemma fits_with_limit : forall r d g m p s src, sound r s -> fits (with_limit 1 p) s -> p_told p = true ->
  agree g m -> no_draw s = (limit d m (laid_cards s) (nth (due s) (own s) []) src =? 0) ->
  fits (with_limit (greatest_limit d g p src) p) s.
Proof.
  intros r d g m p s src S H K Ag E. pose proof (greatest_limit_right r d g m _ s src S H K Ag) as L.
  destruct H. split; trivial. simpl. intros Z. rewrite E. apply Nat.eqb_eq.
  change (greatest_limit d g (with_limit 1 p) src) with (greatest_limit d g p src) in L. lia.
Qed.

Theorem dead_never_won : forall r d g src p, p_told p = true ->
  dead_position r (with_limit (greatest_limit d g p src) p) -> never_won r d g src p.
Proof.
  intros r d g src p K De s m S H Ag n E. exact (De s S (fits_with_limit r d g m p s src S H K Ag E)).
Qed.

Theorem dead_fairly_never_won : forall r d g src p, p_told p = true ->
  (forall s, fits (with_limit 1 p) s -> supported (laid_cards s)) ->
  dead_fairly r (with_limit (greatest_limit d g p src) p) -> never_won_fairly r d g src p.
Proof.
  intros r d g src p K Su De s m S H Ag n E ts s' W.
  apply (De s S (Su s H) (fits_with_limit r d g m p s src S H K Ag E) ts s'). simpl.
  apply (wins_with_more r n); trivial. exact (greatest_limit_right r d g m _ s src S H K Ag).
Qed.

(** ** Examples *)

Definition usual_draws : draw_rulings := Draw_rulings false false false false.

(** f2 over f1 and g1; Ada has one card and F in front. *)
Definition heart_on_f2 (f1 : Z) (up : bool) : position :=
  Position [[None; Some F]; [None; None; None]] (repeat None 8)
    [((6, 1), (true, Some (Glass 25))); ((5, 1), (up, Some (Glass f1))); ((5, 2), (true, Some (Glass 21)))]%Z
    (repeat None 6) [] 0 1.

Definition on_f2 (d : draw_rulings) (g : given_marks) (f1 : Z) (up : bool) : nat :=
  greatest_limit d g (heart_on_f2 f1 up) (After (5, 2)%Z false).

(** Nothing is known of the marks; those under the heart show one and none; the heart is none. *)
Example marks_of_f2 : map (fun g => on_f2 usual_draws g 17 true)
  [[]; [(17, Heart); (25, One_diamond)]; [(17, Heart); (25, One_diamond); (21, Heart)];
   [(21, One_diamond)]]%Z = [4; 2; 1; 1].
Proof. vm_compute. reflexivity. Qed.

(** A heart, or a back, under the heart, where that brings the limit to nought. *)
Example nought_under_f2 : (on_f2 (Draw_rulings true false false false) [(21, Heart); (17, Heart)] 17 true,
  on_f2 (Draw_rulings false true false false) [(21, Heart)] 17 false,
  on_f2 usual_draws [(21, Heart)] 17 false)%Z = (0, 0, 2).
Proof. vm_compute. reflexivity. Qed.

(** After a down card the hand of one card lacks one, and none where F in front is one of it. *)
Example lacking_to_two : map (fun d => greatest_limit d [] (heart_on_f2 17 false) (After (5, 1)%Z false))
  [usual_draws; Draw_rulings false false false true] = [1; 0].
Proof. vm_compute. reflexivity. Qed.

Example no_card_yet : map (greatest_limit usual_draws [] (heart_on_f2 17 true))
  [No_source; Idle; After (5, 2)%Z true; After (6, 1)%Z false] = [1; 0; 1; 2].
Proof. vm_compute. reflexivity. Qed.
