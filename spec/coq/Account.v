(** The turns of a game, what they do to the cards, and the account of table.md (Lemma 1).

    A turn is a relation between tables.  What it does to the cards is that of step.md; of the clauses only
    those stand here that a proof needs.  The relation so allows more turns than the rules do: a table from
    which it has no way to a win is dead. *)

From Coq Require Import List ZArith Lia Bool Arith Permutation.
From Couperation Require Import Cells Table.
Import ListNotations.
Open Scope nat_scope.

(** * Tables *)

(** A table before the draw of the player to move (step.md, "The state before a turn").  The own cards of a
    player are the hand, and F where it lies in front: F is nowhere in a hand (DRW06, ACT07). *)
Record table : Type := Table {
  own : list (list card);         (* H and f: for each player, in the order of the table *)
  deck : list card;               (* K *)
  laid_cards : tower;             (* W *)
  reserve : list card;            (* R *)
  gone : list card;               (* G *)
  due : nat;                      (* the player to move, from 0 *)
  moved : bool;                   (* whether the card of the set-up was replaced *)
  no_draw : bool                  (* whether the draw limit of DRW01 to DRW04 is 0 *)
}.

(** All cards of a table. *)
Definition all_cards (s : table) : list card :=
  concat (own s) ++ deck s ++ map (fun e => face (snd e)) (laid_cards s) ++ reserve s ++ gone s.

(** * Turns *)

(** The actions.  D sends u and v, destroys E and lays l on x, in place of what is named, if anything is.
    (The signs of a D are in [pays].) *)
Inductive action : Type :=
| A (c : card) (x : cell)
| B (c : card) (x : cell)
| C (x : cell) (c : card)
| D (u v : card) (E : list card) (l : laid) (x : cell) (old : option laid)
| Pass.

Record turn : Type := Turn {
  draw : list card;
  act : action;
  fill : list card;
  drop : list card;
  trim : list card
}.

(** What an action changes: the own cards of the player, the tower, the Reserve and the gone cards. *)
Record desk : Type := Desk {
  hand : list card;
  tow : tower;
  row : list card;
  out : list card;
  off : bool                      (* [moved] *)
}.

(** The cell of the set-up. *)
Definition g1 : cell := (6%Z, 1%Z).

(** What an action does (step.md, "After the action"). A card leaves the own cards for an empty cell
    (ACT02, ACT03, TOW06); C turns a card where it lies (ACT04); D sends two cards to the Reserve,
    destroys others, and takes a card from the Reserve (ACT05, ACT06), to an empty cell or in place of one
    that comes to the player (ACT07). *)
Inductive does : desk -> action -> desk -> Prop :=
| does_A : forall h h' W R G m c x,
    Permutation h (c :: h') -> ~ In x (map fst W) ->
    does (Desk h W R G m) (A c x) (Desk h' ((x, Up c) :: W) R G m)
| does_B : forall h h' W R G m c x,
    Permutation h (c :: h') -> ~ In x (map fst W) ->
    does (Desk h W R G m) (B c x) (Desk h' ((x, Down c) :: W) R G m)
| does_C : forall h W V R G m x c,
    does (Desk h (W ++ (x, Down c) :: V) R G m) (C x c) (Desk h (W ++ (x, Up c) :: V) R G m)
| does_D : forall h h' W R R' G m u v E l x,
    Permutation h (u :: v :: E ++ h') -> Permutation (u :: v :: R) (face l :: R') -> ~ In x (map fst W) ->
    does (Desk h W R G m) (D u v E l x None) (Desk h' ((x, l) :: W) R' (E ++ G) m)
| does_D_replacing : forall h h' W V R R' G m u v E l x old,
    Permutation h (u :: v :: E ++ h') -> Permutation (u :: v :: R) (face l :: R') ->
    does (Desk h (W ++ (x, old) :: V) R G m) (D u v E l x (Some old))
         (Desk (face old :: h') (W ++ (x, l) :: V) R' (E ++ G) (m || eqb x g1))
| does_nothing : forall d, does d Pass d.

(** ** The clauses that are asked *)

(** ACT05, in the weakest of its readings ([adjust=up_to]): the number taken is the sum or the difference
    of the numbers sent, changed by the number of destroyed cards at most. *)
Definition pays (r : rulings) (u v : card) (E : list card) (c : card) : Prop :=
  exists a b n z, (num r u = Some a /\ num r v = Some b /\ num r c = Some n /\
    - Z.of_nat (length E) <= z <= Z.of_nat (length E) /\ (n = a + b + z \/ n = Z.abs (a - b) + z))%Z.

(** ACT07: [replace_target].  Under [not_anchor] the card of the set-up stays until it was replaced. *)
Definition may_replace (r : rulings) (was_moved : bool) (x : cell) (old : laid) : Prop :=
  match replace_target r with
  | any_card => True
  | not_anchor => x <> g1 \/ was_moved = true
  | facedown_only => is_up old = false
  end.

(** TOW08: the apex is up, and F in the [finish] variant. *)
Definition apex_right (r : rulings) (x : cell) (l : laid) : Prop :=
  lev x = Z.of_nat levels -> is_up l = true /\ (finish r = true -> l = Up F).

(** TOW04: the columns at which the pyramid may begin. *)
Definition places (r : rulings) : list Z :=
  (if floating r then [0; 1; 2; 3; 4; 5; 6] else [3])%Z.

Definition in_pyramid (r : rulings) (W : tower) : Prop :=
  exists l, In l (places r) /\ forall x k, In (x, k) W -> inside levels l x.

(** What is asked of a tower once a card was laid (TOW01, TOW02, TOW07, TOW04, TOW08). *)
Definition laid_well (r : rulings) (W : tower) (x : cell) (l : laid) : Prop :=
  orders r W /\ in_pyramid r W /\ apex_right r x l.

Definition legal (r : rulings) (d : desk) (a : action) (d' : desk) : Prop :=
  match a with
  | A c x => laid_well r (tow d') x (Up c)
  | B c x => laid_well r (tow d') x (Down c) /\ c <> F
  | C _ _ => True
  | D u v E l x old =>
      laid_well r (tow d') x l /\ pays r u v E (face l) /\ l <> Down F /\
      (is_up l = false -> reserve_either r = true) /\
      (take_sent r = false -> face l <> u /\ face l <> v) /\
      match old with Some k => may_replace r (off d) x k | None => True end
  | Pass => True
  end.

(** ** A whole turn (step.md, "After the draw" to "After the limits") *)

Definition next (s : table) : nat := if S (due s) =? length (own s) then 0 else S (due s).

(** The player due draws from the top of the deck, acts, may fill the hand, drops and trims. How many
    cards are drawn is bounded by the deck alone, and where the limit is 0 by nothing being drawn; the
    limits of hand and Reserve, and what the next limit of a draw is, are left open. *)
Inductive played (r : rulings) (s : table) (t : turn) (s' : table) : Prop :=
| plays : forall before after h h' R' d,
    own s = before ++ h :: after -> length before = due s ->
    deck s = draw t ++ fill t ++ deck s' ->
    (no_draw s = true -> draw t = []) ->
    does (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) (act t) d ->
    legal r (Desk (draw t ++ h) (laid_cards s) (reserve s) (gone s) (moved s)) (act t) d ->
    Permutation (fill t ++ hand d) (drop t ++ h') ->
    Permutation (row d) (trim t ++ R') ->
    own s' = before ++ h' :: after -> laid_cards s' = tow d -> reserve s' = R' ->
    gone s' = trim t ++ drop t ++ out d -> moved s' = off d -> due s' = next s ->
    played r s t s'.

(** ** How a game goes on and is won *)

(** Play goes on: an opened card has not lost the game (END02), and a turn without an action has ended it
    (END03) unless [no_action=skipped]. (That under [early_apex=loses] an apex over a down card loses is
    left out.) *)
Definition not_lost (r : rulings) (t : turn) (s' : table) : Prop :=
  match act t with
  | C _ _ => in_order r (laid_cards s') /\ (numbered r (laid_cards s') \/ opened_stands r = true)
  | Pass => skipped r = true
  | _ => True
  end.

(** The cell that an action lays a card on. *)
Definition target (a : action) : option cell :=
  match a with A _ x => Some x | B _ x => Some x | D _ _ _ _ x _ => Some x | _ => None end.

(** The cards of a full tower. *)
Definition full_size : nat := 28.

(** The win (END01): 28 up cards, and the turn has laid the apex or, under [win_on_completion], they are
    in order. *)
Definition won (r : rulings) (t : turn) (s' : table) : Prop :=
  length (laid_cards s') = full_size /\ (forall x l, In (x, l) (laid_cards s') -> is_up l = true) /\
  match early_apex r with
  | win_on_completion => in_order r (laid_cards s')
  | _ => exists x, target (act t) = Some x /\ lev x = Z.of_nat levels
  end.

(** Turns from one table to another; *)
Inductive run (r : rulings) : table -> list turn -> table -> Prop :=
| run_none : forall s, run r s [] s
| run_turn : forall s t s1 ts s2,
    played r s t s1 -> not_lost r t s1 -> run r s1 ts s2 -> run r s (t :: ts) s2.

(** a continuation that wins: turns of which the last one wins. *)
Definition wins (r : rulings) (s : table) (ts : list turn) (s' : table) : Prop :=
  exists before t s1, ts = before ++ [t] /\
    run r s before s1 /\ played r s1 t s' /\ not_lost r t s' /\ won r t s'.

Definition dead (r : rulings) (s : table) : Prop := forall ts s', ~ wins r s ts s'.

Lemma run_app : forall r s ts s1 us s2, run r s ts s1 -> run r s1 us s2 -> run r s (ts ++ us) s2.
Proof. intros r s ts s1 us s2 R. induction R; simpl; trivial. intros. econstructor; eauto. Qed.

Lemma wins_run : forall r s ts s', wins r s ts s' -> run r s ts s'.
Proof.
  intros r s ts s' (b & t & s1 & -> & R & P & N & _). apply run_app with s1; trivial.
  econstructor; eauto. constructor.
Qed.

(** * What is counted *)

(** S: all own cards and the cards of the deck. *)
Definition cards_left (s : table) : nat := length (concat (own s)) + length (deck s).

(** e: the empty cells, 28 less the laid cards; and spare. *)
Definition empty_cells (s : table) : Z := Z.of_nat full_size - Z.of_nat (length (laid_cards s)).
Definition spare (s : table) : Z := Z.of_nat (cards_left s) - empty_cells s.

(** The actions D, the cards that they destroy, and the cards dropped, of one turn and of several. *)
Definition is_D (a : action) : nat := match a with D _ _ _ _ _ _ => 1 | _ => 0 end.
Definition spent (a : action) : nat := match a with D _ _ E _ _ _ => length E | _ => 0 end.

Definition total (f : turn -> nat) (ts : list turn) : nat := fold_right (fun t n => f t + n) 0 ts.

Definition all_D (ts : list turn) : nat := total (fun t => is_D (act t)) ts.
Definition all_spent (ts : list turn) : nat := total (fun t => spent (act t)) ts.
Definition all_dropped (ts : list turn) : nat := total (fun t => length (drop t)) ts.

(** "A and B take one card off and fill one empty cell. C changes nothing. D takes two cards off and one
    for each card destroyed; on an empty cell it fills it, and as a replacement it brings one card back."
    *)
Lemma does_counts : forall d a d', does d a d' ->
  length (hand d) + length (tow d) = length (hand d') + length (tow d') + is_D a + spent a.
Proof.
  intros d a d' H. destruct H; simpl;
    repeat match goal with P : Permutation _ _ |- _ => apply Permutation_length in P; simpl in P end;
    rewrite ?app_length in *; simpl; lia.
Qed.

(** One turn: what S falls by. *)
Lemma turn_counts : forall r s t s', played r s t s' ->
  cards_left s + length (laid_cards s) =
  cards_left s' + length (laid_cards s') + is_D (act t) + spent (act t) + length (drop t).
Proof.
  intros r s t s' [b a h h' R' d O _ K _ Do _ H _ O' W _ _ _ _].
  apply does_counts in Do. simpl in Do. apply Permutation_length in H.
  unfold cards_left. rewrite O, O', K, W, !concat_app. simpl.
  rewrite !app_length in *. lia.
Qed.

Lemma run_counts : forall r s ts s', run r s ts s' ->
  cards_left s + length (laid_cards s) =
  cards_left s' + length (laid_cards s') + all_D ts + all_spent ts + all_dropped ts.
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; unfold all_D, all_spent, all_dropped in *;
    simpl; [lia |].
  apply turn_counts in P. lia.
Qed.

(** Lemma 1, the account: e + m + k + h <= S. *)
Theorem account : forall r s ts s', wins r s ts s' ->
  (empty_cells s + Z.of_nat (all_D ts) + Z.of_nat (all_spent ts) + Z.of_nat (all_dropped ts) <=
   Z.of_nat (cards_left s))%Z.
Proof.
  intros r s ts s' H. pose proof (run_counts _ _ _ _ (wins_run _ _ _ _ H)) as E.
  destruct H as (b & t & s1 & _ & _ & _ & _ & (L & _)). rewrite L in E.
  unfold empty_cells. lia.
Qed.

(** Kind [cards]: "If e > S the table is dead, by Lemma 1." *)
Theorem cards_dead : forall r s, (empty_cells s > Z.of_nat (cards_left s))%Z -> dead r s.
Proof. intros r s H ts s' Wn. apply account in Wn. lia. Qed.

(** * Each card is in one place (step.md, "What stays true") *)

Definition copies (l : list card) (c : card) : nat := count_occ card_dec l c.

Arguments copies : simpl never.

Lemma copies_app : forall l m c, copies (l ++ m) c = copies l c + copies m c.
Proof. intros. apply count_occ_app. Qed.

Definition one (d c : card) : nat := if card_dec d c then 1 else 0.

Lemma copies_cons : forall d l c, copies (d :: l) c = one d c + copies l c.
Proof. intros. unfold copies, one. simpl. destruct (card_dec d c); trivial. Qed.

Lemma copies_nil : forall c, copies [] c = 0.
Proof. trivial. Qed.

Lemma copies_same : forall l m c, Permutation l m -> copies l c = copies m c.
Proof. intros l m c P. apply (Permutation_count_occ card_dec) with (x := c) in P. exact P. Qed.

Lemma same_copies : forall l m, (forall c, copies l c = copies m c) -> Permutation l m.
Proof. intros l m H. apply (Permutation_count_occ card_dec). exact H. Qed.

Ltac copies_in P := repeat rewrite ?copies_app, ?copies_cons in P.

Definition faces (W : tower) : list card := map (fun e => face (snd e)) W.

(** A turn moves cards and neither makes nor loses one. *)
Lemma does_keeps : forall d a d', does d a d' -> forall c,
  copies (hand d) c + copies (faces (tow d)) c + copies (row d) c + copies (out d) c =
  copies (hand d') c + copies (faces (tow d')) c + copies (row d') c + copies (out d') c.
Proof.
  intros d a d' H c. destruct H; simpl; unfold faces;
    repeat match goal with P : Permutation _ _ |- _ => apply copies_same with (c := c) in P; copies_in P end;
    rewrite ?map_app; simpl; repeat rewrite ?copies_app, ?copies_cons; lia.
Qed.

Lemma turn_keeps : forall r s t s', played r s t s' -> Permutation (all_cards s) (all_cards s').
Proof.
  intros r s t s' [b a h h' R' d O _ K _ Do _ H T O' W R G _ _]. apply same_copies. intros c.
  apply does_keeps with (c := c) in Do. simpl in Do.
  apply copies_same with (c := c) in H. apply copies_same with (c := c) in T.
  unfold all_cards, faces in *. rewrite O, O', K, W, R, G, !concat_app. simpl.
  rewrite !copies_app in *. lia.
Qed.

(** "Each card is in one place": what holds before the first turn holds after each. *)
Theorem run_keeps : forall r s ts s', run r s ts s' -> Permutation (all_cards s) (all_cards s').
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; [apply Permutation_refl |].
  eapply perm_trans; [eapply turn_keeps; eauto | exact IH].
Qed.

Lemma run_once : forall r s ts s', run r s ts s' -> NoDup (all_cards s) -> NoDup (all_cards s').
Proof. intros r s ts s' R N. eapply Permutation_NoDup; [eapply run_keeps; eauto | trivial]. Qed.

(** No two cards lie on one cell (TOW06). *)
Lemma does_cells : forall d a d', does d a d' -> NoDup (map fst (tow d)) -> NoDup (map fst (tow d')).
Proof.
  intros d a d' H. destruct H; simpl; intros N; trivial; try (constructor; trivial);
    rewrite map_app in *; simpl in *; trivial.
Qed.

Lemma turn_cells : forall r s t s', played r s t s' ->
  NoDup (map fst (laid_cards s)) -> NoDup (map fst (laid_cards s')).
Proof.
  intros r s t s' [b a h h' R' d _ _ _ _ Do _ _ _ _ W _ _ _ _] N. rewrite W. exact (does_cells _ _ _ Do N).
Qed.

Lemma run_cells : forall r s ts s', run r s ts s' ->
  NoDup (map fst (laid_cards s)) -> NoDup (map fst (laid_cards s')).
Proof.
  intros r s ts s' R. induction R as [s | s t s1 ts s2 P _ _ IH]; trivial.
  intros N. apply IH. eapply turn_cells; eauto.
Qed.
