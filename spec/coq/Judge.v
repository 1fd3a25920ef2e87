(** Records judged by the printed formulas: step.md, "What is asked". *)

From Coq Require Import String List ZArith Bool.
From Couperation Require Import FormulaPrelude Formulas.
Import ListNotations.
Open Scope Z_scope.

(** The clauses among these that do not hold, in their order. *)
Definition failing (now : Now) (names : list string) : list string :=
  filter (fun name => negb (holds (let? clause := look clauses name in Some (clause now)))) names.

(** What is said of a record: the first turn that breaks clauses, 0 for the set-up, and these; else how the
    game has ended, or that it goes on; and the turns with what warns there. What is asked at the end is said of
    the last turn. *)
Record verdict : Type := Verdict {
  broken : option (Z * list string);
  reached : option Result;
  warnings : list (Z * string)
}.

Definition warns (now : Now) (names : list string) : list (Z * string) :=
  map (fun name => (t now, name)) (failing now names).

(** The turns of a record on a table before the draw. *)
Fixpoint play (now : Now) (turns : list Turn) (warned_before : list (Z * string)) : verdict :=
  match turns with
  | [] => match failing now (asked_at_end now) with
    | [] => Verdict None (Some (result now)) warned_before
    | names => Verdict (Some (t now, names)) None warned_before
    end
  | turn :: turns =>
    let now := MakeNow now now turn now in
    match failing now (asked now) with
    | [] => play (after now) turns (warned_before ++ warns now (warned now))
    | names => Verdict (Some (t now, names)) None warned_before
    end
  end.

(** Nothing written, and nothing laid: before the set-up. *)
Definition no_turn : Turn := MakeTurn 0 0 EmptyString [] Pass [] [] [].
Definition nothing_yet : State :=
  MakeState [] [] None [] [] [] None None false false false false 0 0 Going.

(** A record from its set-up on. *)
Definition judge (r : Rulings) (g : Game) (turns : list Turn) : verdict :=
  let now := begun (MakeNow r g no_turn nothing_yet) in
  match failing now (asked_at_setup now) with
  | [] => play now turns (warns now (warned_at_setup now))
  | names => Verdict (Some (0, names)) None (warns now (warned_at_setup now))
  end.
