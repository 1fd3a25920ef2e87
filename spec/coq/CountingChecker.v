(** The checker of certificates on tables that counting shows to be dead: certificate.md, "table-deadlocked,
    by counting", of the kinds cards, apex, finish, replacements and exchanges. *)

From Coq Require Import List ZArith Lia Bool Sorted.
From Couperation Require Import Cells Tower Position Reasons Repair.
From Couperation Require Table Counting Prices Exchanges TakenTwo.
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

(** [due] is the player to move. The draw limit plays no part in these kinds: 1 asks for nothing. *)
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
Inductive kind := Cards | Apex | Finishes (w : way) | Replacements | Exchanges.

Definition same_cells (l m : list cell) : bool :=
  forallb (fun c => among c m) l && forallb (fun c => among c l) m.

Definition apex_cells (P : position) : list cell :=
  filter (fun c => lev c =? Z.of_nat levels) (map cell_of (laid P)).

(** The cells below the apex where F lies up. *)
Definition finish_below (P : position) : list cell :=
  map fst (filter (fun x => card_eqb (snd x) Finish && negb (lev (fst x) =? Z.of_nat levels)) (ups P)).

(** "The numbers are those of the position, and the condition of the theorem of that kind holds." The numbers
    stand in the order of the table of certificate.md. "Of the three ways of finish the first that applies is
    meant." *)
Definition count_ok (P : position) (owners : list (list (option card))) (due : nat) (r : Table.rulings)
  (k : kind)
    (numbers : list Z) (named : list cell) : bool :=
  let p := table_position P owners due in
  let empty := 28 - Z.of_nat (length (laid P)) in
  let cards := Z.of_nat (Counting.p_cards p) in
  let down := Z.of_nat (length (filter (fun x => negb (lies_up x)) (laid P))) in
  let spare := Prices.p_spare p in
  let none := match named with [] => true | _ => false end in
  allowed (with_hands P owners) && told P &&
  match k with
  | Cards => same_numbers numbers [empty; cards] && none && Counting.cards_check p
  | Apex => same_numbers numbers [down] && same_cells named (apex_cells P) && Counting.apex_check r p
  | Replacements =>
    same_numbers numbers [empty; cards; spare + 1] && none && (0 <=? spare) && Exchanges.replacements_check r p
  | Exchanges =>
    same_numbers numbers [empty; cards; spare + 1] && none && (0 <=? spare) && TakenTwo.sharp_exchanges_check r p
  | Finishes w =>
    same_numbers numbers [1] && Table.finish r &&
    match w with
    | GoneWay => none && Counting.F_gone p
    | ReserveWay => none && negb (Counting.F_gone p) && Counting.F_in_reserve r p
    | LaidWay =>
      negb (Counting.F_gone p) && negb (Counting.F_in_reserve r p) && same_cells named (finish_below P) &&
      Counting.F_laid r p
    end
  end.

(** What is accepted is a dead table, whatever the position does not show. *)
Theorem count_ok_sound : forall P owners due r k numbers named,
  count_ok P owners due r k numbers named = true -> Counting.dead_position r (table_position P owners due).
Proof.
  intros P owners due r k numbers named H. unfold count_ok in H. rewrite !andb_true_iff in H.
  destruct H as [_ H].
  destruct k as [| | w | |]; rewrite !andb_true_iff in H.
  - apply Counting.cards_check_dead, H.
  - apply Counting.apex_check_dead, H.
  - apply Counting.finish_check_dead. unfold Counting.finish_check. destruct H as [[_ F] H]. rewrite F.
    cbn [andb].
    destruct w; rewrite !andb_true_iff in H.
    + destruct H as [_ ->]. reflexivity.
    + destruct H as [_ ->]. destruct (Counting.F_gone _); reflexivity.
    + destruct H as [_ ->]. apply orb_true_r.
  - apply Exchanges.replacements_check_dead, H.
  - apply TakenTwo.sharp_exchanges_check_dead, H.
Qed.

(** Thirteen laid cards and two hands of one, all others gone: fifteen cells and two cards. *)
Example cards_accepted :
  let P := Position printed false false Strict Strict Numbered AnyCard [((6, 1), Some (Glass 25), true)] [] []
    (map (fun v => Some (Glass v)) (range 3 22 ++ range 26 25)) [] in
  let r := table_rulings P Table.by_integers false Table.no_win false false true in
  count_ok P [[Some (Glass 1)]; [Some (Glass 2)]] 0 r Cards [27; 2] [] = true /\
  count_ok P [[Some (Glass 1)]; [Some (Glass 2)]] 0 r Cards [27; 3] [] = false.
Proof. vm_compute. auto. Qed.

Print Assumptions count_ok_sound.
