(** The checker of certificates on tables that counting shows to be dead: certificate.md, "table-deadlocked,
    by counting". *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Cells Tower Position Reasons Repair TowerChecker.
From Couperation Require Table OutOfOrder Counting Prices Exchanges TakenTwo Intervals Game TurnsCheck Draws.
Import ListNotations.
Open Scope Z_scope.

(** * The position as the pages on tables have it *)

Definition own_card (c : card) : Table.card := match c with Glass v => Table.Glass v | Finish => Table.F end.
Definition sights (l : list (option card)) : list Counting.sight := map (option_map own_card) l.

(** A position with these cards of the players, F in front of one of them among that player's. *)
Definition with_hands (P : position) (owners : list (list (option card))) : position :=
  Position (on P) (variant P) (middle P) (row_order P) (between P) (value_of_finish P) (target P) (laid P)
    (concat owners) (reserve P) (gone P) (deck P).

(** "In all the deck has the cards that lie nowhere else." *)
Definition whole_deck (P : position) : list (option card) :=
  deck P ++ repeat None (Z.to_nat (game P - Z.of_nat (length (all_cards P)))).

(** [due] is the player to move. The limit of the draw is told later ([with_limit]): 1 asks for nothing. *)
Definition table_position (P : position) (owners : list (list (option card))) (due : nat) : Counting.position
  :=
  Counting.Position (map sights owners) (sights (whole_deck (with_hands P owners)))
    (map (fun x => (cell_of x, (lies_up x, option_map own_card (card_of x)))) (laid P))
    (sights (reserve P)) (sights (gone P)) due 1.

Definition table_rulings (P : position) (facedown : Table.facedown_ruling) (either : bool)
    (early : Table.apex_ruling) (stands skips sent : bool) : Table.rulings :=
  Table.Rulings (variant P) (negb (middle P))
    (match row_order P with Strict => true | Weak => false end)
    (match between P with Strict => true | Weak => false end) facedown
    (match target P with
     | AnyCard => Table.any_card | NotAnchor => Table.not_anchor | FacedownOnly => Table.facedown_only
     end) either early
    (match value_of_finish P with
     | Numbered => Table.is_25 | Nowhere => Table.no_number | ApexFree => Table.apex_free
     end) stands skips sent.

(** * Tests *)

Inductive way := GoneWay | ReserveWay | LaidWay.

(** [fuel] bounds the positions of the counting game that are looked at. *)
Inductive kind :=
  Cards | Apex | Finishes (w : way) | Replacements | Exchanges | Stuck | Order | Interval
  | Turns (fuel : nat).

Definition same_cells (l m : list cell) : bool :=
  forallb (fun c => among c m) l && forallb (fun c => among c l) m.

Definition apex_cells (P : position) : list cell :=
  filter (fun c => lev c =? Z.of_nat levels) (map cell_of (laid P)).

(** The cells below the apex where F lies up. *)
Definition finish_below (P : position) : list cell :=
  map fst (filter (fun x => card_eqb (snd x) Finish && negb (lev (fst x) =? Z.of_nat levels)) (ups P)).

(** How many pairs of up cards of a tower break TOW01 or TOW02. *)
Definition broken_pairs (r : Table.rulings) (V : Table.tower) : Z :=
  let numbers := flat_map (fun e => match snd e with
    | Table.Up c => match Table.read r (fst e) c with Some n => [(fst e, n)] | None => [] end
    | Table.Down _ => []
    end) V in
  let breaks (a b : cell * Z) :=
    match Table.asks (Table.row_strict r) (Table.between_strict r) (fst a) (fst b) with
    | Some k => snd b <? snd a + k
    | None => false
    end in
  Z.of_nat (length (filter (fun ab => breaks (fst ab) (snd ab)) (list_prod numbers numbers))).

(** The counting game is not asked where the hand is filled after the action, nor with more than 8 cards in
    the deck, or 20 in the deck and of own cards. *)
Definition turns_asked (r : Table.rulings) (d : Draws.draw_rulings) (p : Counting.position) : bool :=
  negb (Table.finish r && Draws.at_once d) && (length (Counting.p_deck p) <=? 8)%nat &&
  (Counting.p_cards p <=? 20)%nat.

(** ** A certificate *)

Section Certificate.

  Variable P : position.
  Variable owners : list (list (option card)).
  Variable due : nat.
  Variable r : Table.rulings.
  Variable d : Draws.draw_rulings.
  Variable marks : Draws.given_marks.
  Variable source : Draws.source.

  (** The position before the draw, and with the greatest limit that the marks leave possible. *)
  Definition before_draw : Counting.position := table_position P owners due.
  Definition limit : nat := Draws.greatest_limit d marks before_draw source.
  Definition limited : Counting.position := Draws.with_limit limit before_draw.

  Definition empty : Z := 28 - Z.of_nat (length (laid P)).
  Definition down : Z := Z.of_nat (length (filter (fun x => negb (lies_up x)) (laid P))).
  Definition cards : Z := Z.of_nat (Counting.p_cards before_draw).
  Definition deck_cards : Z := Z.of_nat (length (Counting.p_deck before_draw)).
  Definition spare : Z := Prices.p_spare before_draw.

  (** "The numbers are those of the position, and the condition of the theorem of that kind holds." The
      numbers stand in the order of the table of certificate.md, [named] are its cells and [values] its cards.
      "Of the three ways of finish the first that applies is meant." *)
  Definition kind_ok (k : kind) (numbers : list Z) (named : list cell) (values : list Z) : bool :=
    let p := limited in
    let numbers_are := same_numbers numbers in
    let no_cells := match named with [] => true | _ => false end in
    let no_cards := match values with [] => true | _ => false end in
    match k with
    | Cards => numbers_are [empty; cards] && no_cells && no_cards && Counting.cards_check p
    | Apex => numbers_are [down] && same_cells named (apex_cells P) && no_cards && Counting.apex_check r p
    | Replacements =>
      numbers_are [empty; cards; spare + 1] && no_cells && no_cards && (0 <=? spare) &&
      Exchanges.replacements_check r p
    | Exchanges =>
      numbers_are [empty; cards; spare + 1] && no_cells && no_cards && (0 <=? spare) &&
      TakenTwo.sharp_exchanges_check r p
    | Finishes w =>
      numbers_are [1] && no_cards && Table.finish r &&
      match w with
      | GoneWay => no_cells && Counting.F_gone p
      | ReserveWay => no_cells && negb (Counting.F_gone p) && Counting.F_in_reserve r p
      | LaidWay =>
        negb (Counting.F_gone p) && negb (Counting.F_in_reserve r p) && same_cells named (finish_below P) &&
        Counting.F_laid r p
      end
    | Stuck =>
      numbers_are [Z.of_nat due + 1; deck_cards; Z.of_nat limit] && no_cells && no_cards &&
      Counting.stuck_check r p
    | Order =>
      let V := OutOfOrder.only named (Counting.p_known p) in
      numbers_are [broken_pairs r V; Z.of_nat (length (filter (fun e => negb (Table.is_up (snd e))) V))] &&
      rising_cells named && forallb (fun c => among c (map cell_of (laid P))) named && no_cards &&
      Counting.order_check r p named
    | Interval =>
      match numbers, places P with
      | [_; _; a; b], [l] =>
        numbers_are [empty; cards; a; b] && same_numbers values (Intervals.comers p a b) && (0 <=? spare) &&
        negb (TurnsCheck.p_again r p) && Intervals.interval_check r p l a b named
      | _, _ => false
      end
    | Turns fuel =>
      match numbers with
      | _ :: _ :: owed :: _ =>
        numbers_are ([empty; down; owed; deck_cards; Z.of_nat limit] ++
          map (fun own => Z.of_nat (length own)) owners) && (0 <=? owed) && no_cells && no_cards &&
        turns_asked r d p && TurnsCheck.turns_check fuel r p (Z.to_nat owed)
      | _ => false
      end
    end.

  Definition count_ok (k : kind) (numbers : list Z) (named : list cell) (values : list Z) : bool :=
    allowed (with_hands P owners) && told P && kind_ok k numbers named values.

  Ltac bools H := rewrite !andb_true_iff in H.

  (** The check of each kind makes the position dead; that of turns where all laid cards have supports. *)
  Lemma kind_ok_dead : forall k numbers named values, kind_ok k numbers named values = true ->
    match k with
    | Turns _ => TurnsCheck.dead_fairly r limited
    | _ => Counting.dead_position r limited
    end.
  Proof.
    intros k numbers named values H. unfold kind_ok in H. cbv zeta in H.
    destruct k as [| | w | | | | | | fuel].
    9: { destruct numbers as [| e [| n [| owed rest]]]; try discriminate. bools H. destruct H as [_ H].
         exact (TurnsCheck.turns_check_dead fuel r limited (Z.to_nat owed) H). }
    8: { destruct numbers as [| e [| c [| a [| b [|]]]]]; try discriminate.
         destruct (places P) as [| l [|]]; try discriminate. bools H. destruct H as [_ H].
         exact (Intervals.interval_check_dead r limited l a b named H). }
    all: bools H; destruct H as [H0 H].
    - exact (Counting.cards_check_dead r limited H).
    - exact (Counting.apex_check_dead r limited H).
    - apply Counting.finish_check_dead. unfold Counting.finish_check. destruct H0 as [_ ->]. cbn [andb].
      rewrite !orb_true_iff. destruct w; bools H; destruct H as [_ H]; auto.
    - exact (Exchanges.replacements_check_dead r limited H).
    - exact (TakenTwo.sharp_exchanges_check_dead r limited H).
    - exact (Counting.stuck_check_dead r limited H).
    - exact (Counting.order_check_dead r limited named H).
  Qed.

  (** An allowed position has supports under all its cards (TOW03). *)
  Lemma allowed_supported : allowed (with_hands P owners) = true ->
    forall s, Counting.fits before_draw s -> Game.supported (Account.laid_cards s).
  Proof.
    intros A s H x k I L. apply allowed_parts in A. destruct A as (_ & _ & _ & _ & _ & A).
    assert (C : map fst (Account.laid_cards s) = map cell_of (laid P)).
    { rewrite <- (Counting.fits_cells _ _ H). cbn. rewrite map_map. trivial. }
    apply (in_map fst) in I. cbn [fst] in I. rewrite C in *.
    apply in_map_iff in I. destruct I as (y & <- & I). specialize (A y I). unfold laid_allowed in A.
    rewrite !andb_true_iff, orb_true_iff in A. destruct A as [[[A | A] _] _]; [apply Z.eqb_eq in A; lia |].
    apply andb_true_iff in A. destruct A as [A1 A2]. apply among_true in A1, A2. auto.
  Qed.

  Lemma told_position : told P = true -> Draws.p_told before_draw = true.
  Proof.
    unfold told, Draws.p_told. rewrite !forallb_forall. intros T a I. cbn in I. apply in_map_iff in I.
    destruct I as (y & <- & I). specialize (T y I). unfold Counting.known. cbn.
    destruct (lies_up y); trivial. destruct (card_of y); [trivial | discriminate].
  Qed.

  (** What is accepted is never won, whatever the position does not show. *)
  Theorem count_ok_sound : forall k numbers named values, count_ok k numbers named values = true ->
    match k with
    | Turns _ => Draws.never_won_fairly r d marks source before_draw
    | _ => Draws.never_won r d marks source before_draw
    end.
  Proof.
    intros k numbers named values H. unfold count_ok in H. bools H. destruct H as [[A T] H].
    apply kind_ok_dead in H. apply told_position in T.
    destruct k; try (apply Draws.dead_never_won; trivial; fail).
    apply Draws.dead_fairly_never_won; trivial. exact (allowed_supported A).
  Qed.

End Certificate.

(** ** Examples *)

Definition no_owner_draws : Draws.draw_rulings := Draws.Draw_rulings false false false false.

Definition example (tower : list (cell * option card * bool)) (gone : list Z) : position :=
  Position printed false true Strict Strict Numbered AnyCard tower [] [] (map (fun v => Some (Glass v)) gone)
    [].

Definition example_rulings : Table.rulings :=
  table_rulings (example [] []) Table.by_integers false Table.no_win false false true.

(** All marks unknown, in turn 1. *)
Definition example_ok (P : position) (hands : list (list Z)) :
    kind -> list Z -> list cell -> list Z -> bool :=
  count_ok P (map (map (fun v => Some (Glass v))) hands) 0 example_rulings no_owner_draws [] Draws.No_source.

(** One card on the table, and two hands of one, all others gone: 27 cells and two cards. *)
Example cards_accepted :
  let P := example [((6, 1), Some (Glass 25), true)] (range 3 22 ++ range 26 25) in
  example_ok P [[1]; [2]] Cards [27; 2] [] [] = true /\ example_ok P [[1]; [2]] Cards [27; 3] [] [] = false.
Proof. vm_compute. auto. Qed.

(** Ada has no card and the deck is empty; the limit would be 1. *)
Example stuck_accepted :
  let P := example [((6, 1), Some (Glass 25), true)] (range 3 22 ++ range 26 25) in
  example_ok P [[]; [1; 2]] Stuck [1; 0; 1] [] [] = true /\
  example_ok P [[1; 2]; []] Stuck [1; 0; 1] [] [] = false.
Proof. vm_compute. auto. Qed.

(** 20 and 19 right of the 25: three pairs break TOW01, which no card mends; that of two it does. *)
Example order_accepted :
  let P := example [((6, 1), Some (Glass 25), true); ((7, 1), Some (Glass 20), true);
    ((8, 1), Some (Glass 19), true)] [] in
  let K := [(6, 1); (7, 1); (8, 1)] in
  example_ok P [[1]; [2]] Order [3; 0] K [] = true /\
  example_ok P [[1]; [2]] Order [1; 0] [(6, 1); (7, 1)] [] = false.
Proof. vm_compute. auto. Qed.

(** The 1 and the 3 side by side, the 2 gone, 26 cards for as many cells: nothing comes between. *)
Example interval_accepted :
  let P := example [((5, 1), Some (Glass 1), true); ((6, 1), Some (Glass 3), true)] (2 :: range 30 21) in
  example_ok P [[4]; [5]] Interval [26; 26; 1; 3] [(5, 2)] [] = true /\
  example_ok P [[4]; [5]] Interval [26; 26; 1; 3] [(5, 2)] [2] = false.
Proof. vm_compute. auto. Qed.

(** d7 and e6 are empty, and Ada has both cards that are left: Bo or Cy will have none to lay. *)
Example turns_accepted :
  let P := example (map (fun e => (fst e, Some (Glass (snd e)), true))
    (filter (fun e => negb (among (fst e) [(3, 7); (4, 6)])) (combine (cells levels 3) (range 1 28))))
    (range 29 22) in
  let left := filter (fun v => negb (holds_card (Glass v) (seen_cards (all_cards P)))) (range 1 50) in
  example_ok P [left; []; []] (Turns 100) [2; 0; 0; 0; 1; 2; 0; 0] [] [] = true /\
  example_ok P [left; []; []] (Turns 100) [2; 0; 1; 0; 1; 2; 0; 0] [] [] = false /\
  example_ok P [left; []; []] (Turns 1) [2; 0; 0; 0; 1; 2; 0; 0] [] [] = false.
Proof. vm_compute. auto. Qed.
