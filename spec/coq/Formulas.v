(** The formulas of the pages as tests/spec/coq_formulas.py prints them. *)

From Coq Require Import String List ZArith Bool.
From Couperation Require Import FormulaPrelude.
Import ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
Open Scope list_scope.

Inductive Card : Type :=
  | Glass (_ : Z)
  | F.
Definition same_Card (x y : Card) : bool :=
  match x, y with
  | Glass x0, Glass y0 => same x0 y0
  | F, F => true
  | _, _ => false
  end.
#[global] Instance Card_eq : Eq Card.
Proof. shapes same_Card. Defined.

Record Cell : Type := MakeCell { col : Z; lev : Z }.
Definition same_Cell (x y : Cell) : bool :=
  match x, y with
  | MakeCell x0 x1, MakeCell y0 y1 => same x0 y0 &&& same x1 y1
  end.
#[global] Instance Cell_eq : Eq Cell.
Proof. shapes same_Cell. Defined.

Inductive Sign : Type :=
  | Plus
  | Minus
  | Idle.
Definition same_Sign (x y : Sign) : bool :=
  match x, y with
  | Plus, Plus => true
  | Minus, Minus => true
  | Idle, Idle => true
  | _, _ => false
  end.
#[global] Instance Sign_eq : Eq Sign.
Proof. shapes same_Sign. Defined.

Record Shift : Type := MakeShift { sign : Sign; card : Card }.
Definition same_Shift (x y : Shift) : bool :=
  match x, y with
  | MakeShift x0 x1, MakeShift y0 y1 => same x0 y0 &&& same x1 y1
  end.
#[global] Instance Shift_eq : Eq Shift.
Proof. shapes same_Shift. Defined.

Inductive Laid : Type :=
  | Up (_ : Card)
  | Down (_ : Card).
Definition same_Laid (x y : Laid) : bool :=
  match x, y with
  | Up x0, Up y0 => same x0 y0
  | Down x0, Down y0 => same x0 y0
  | _, _ => false
  end.
#[global] Instance Laid_eq : Eq Laid.
Proof. shapes same_Laid. Defined.

Inductive Old : Type :=
  | Nothing
  | Was (_ : Laid)
  | Unshown.
Definition same_Old (x y : Old) : bool :=
  match x, y with
  | Nothing, Nothing => true
  | Was x0, Was y0 => same x0 y0
  | Unshown, Unshown => true
  | _, _ => false
  end.
#[global] Instance Old_eq : Eq Old.
Proof. shapes same_Old. Defined.

Inductive Action : Type :=
  | A (_ : Card) (_ : Cell)
  | B (_ : Card) (_ : Cell)
  | C (_ : Cell) (_ : Card)
  | D (_ : Card) (_ : Sign) (_ : Card) (_ : (list Shift)) (_ : Laid) (_ : Cell) (_ : Old)
  | Pass.
Definition same_Action (x y : Action) : bool :=
  match x, y with
  | A x0 x1, A y0 y1 => same x0 y0 &&& same x1 y1
  | B x0 x1, B y0 y1 => same x0 y0 &&& same x1 y1
  | C x0 x1, C y0 y1 => same x0 y0 &&& same x1 y1
  | D x0 x1 x2 x3 x4 x5 x6, D y0 y1 y2 y3 y4 y5 y6 => same x0 y0 &&& same x1 y1 &&& same x2 y2 &&& same x3 y3
    &&& same x4 y4 &&& same x5 y5 &&& same x6 y6
  | Pass, Pass => true
  | _, _ => false
  end.
#[global] Instance Action_eq : Eq Action.
Proof. shapes same_Action. Defined.

Inductive Mark : Type :=
  | Diamonds (_ : Z)
  | Heart.
Definition same_Mark (x y : Mark) : bool :=
  match x, y with
  | Diamonds x0, Diamonds y0 => same x0 y0
  | Heart, Heart => true
  | _, _ => false
  end.
#[global] Instance Mark_eq : Eq Mark.
Proof. shapes same_Mark. Defined.

Record Payment : Type := MakePayment { one : Card; way : Sign; other : Card; shifts : (list Shift); pick :
  Card }.
Definition same_Payment (x y : Payment) : bool :=
  match x, y with
  | MakePayment x0 x1 x2 x3 x4, MakePayment y0 y1 y2 y3 y4 => same x0 y0 &&& same x1 y1 &&& same x2 y2 &&&
    same x3 y3 &&& same x4 y4
  end.
#[global] Instance Payment_eq : Eq Payment.
Proof. shapes same_Payment. Defined.

Inductive Result : Type :=
  | Going
  | Won
  | Lost
  | Stuck
  | Unstated.
Definition same_Result (x y : Result) : bool :=
  match x, y with
  | Going, Going => true
  | Won, Won => true
  | Lost, Lost => true
  | Stuck, Stuck => true
  | Unstated, Unstated => true
  | _, _ => false
  end.
#[global] Instance Result_eq : Eq Result.
Proof. shapes same_Result. Defined.

Record Rulings : Type := MakeRulings { anchor : string; spread : string; row_order : string; between : string;
  facedown : string; replace_target : string; take_sent : string; adjust : string; reserve_face : string;
  early_apex : string; hearts_below : string; draw_amount : string; draw_source : string; finish_value :
  string; finish_half : string; finish_reserve_count : string; no_action : string; finish_refill : string;
  refill_amount : string; heart_over_back : string; opened_against : string; replacements : string;
  finish_in_hand : string }.

Record Game : Type := MakeGame { levels : Z; cards : Z; anchor_card : Z; deal : Z; hand_limit : Z; refill : Z;
  size : (list (Z * Z)); players : (list string); mark : (list (Z * Mark)); finish : bool; deals : (list (list
  Card)); reserve : (list Card); deck : (list Card); order : (list Card); stated : Result }.

Record Turn : Type := MakeTurn { t : Z; number : Z; name : string; d : (list Card); a : Action; fill : (list
  Card); drop : (list Card); trim : (list Card) }.

Record State : Type := MakeState { W : (list (Cell * Laid)); H : (list (Z * (list Card))); f : (option Z); R :
  (list Card); G : (list Card); K : (list Card); laid : (option Cell); touched : (option Cell); laid_down :
  bool; moved : bool; turned : bool; replaced : bool; skipped : Z; due : Z; result : Result }.

Record Now : Type := MakeNow { its_rulings :> Rulings; its_game :> Game; its_turn :> Turn; its_state :> State
  }.

Definition n (now : Now) : Z :=
  (length_of (players now)).

Definition cells (now : Now) : (list Cell) :=
  (members (each (range 1 (levels now)) (fun k => (each (range 0 (((2 * (levels now)) - 1) - k)) (fun i =>
    ([(MakeCell i k)])))))).

Definition p (now : Now) : (option Z) :=
  (min_of (members (each (places (players now)) (fun i => (if (holds (let? _1 := (item (players now) i) in
    Some (same _1 (name now)))) then ([i]) else []))))).

Definition g1 (now : Now) : Cell :=
  (MakeCell ((levels now) - 1) 1).

Definition left (now : Now) (x : Cell) : Cell :=
  (MakeCell (col x) ((lev x) - 1)).

Definition right (now : Now) (x : Cell) : Cell :=
  (MakeCell ((col x) + 1) ((lev x) - 1)).

Definition num (now : Now) (c : Card) : (option Z) :=
  match (match c with (Glass v) => Some (Some v) | _ => None end) with Some _0 => _0
  | None => if (same c (F)) &&& ((same (finish_value now) "25") ||| (same (finish_value now) "apex_free"))
    then (Some (anchor_card now))
  else None end.

Definition waived (now : Now) (x : Cell) (c : Card) : bool :=
  (((same c (F)) &&& (same (lev x) (levels now))) &&& (same (finish_value now) "apex_free")).

Definition lt_row (now : Now) (x : Z) (y : Z) : bool :=
  if (same (row_order now) "strict") then (x <? y)
  else (x <=? y).

Definition lt_btw (now : Now) (x : Z) (y : Z) : bool :=
  if (same (between now) "strict") then (x <? y)
  else (x <=? y).

Definition target (now : Now) : (option Cell) :=
  match (match (a now) with (A _ x) => Some (Some x) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (B _ x) => Some (Some x) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (D _ _ _ _ _ x _) => Some (Some x) | _ => None end) with Some _0 => _0
  | None => None end end end.

Definition new (now : Now) : (option Cell) :=
  match (match (a now) with (A _ x) => Some (Some x) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (B _ x) => Some (Some x) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (D _ _ _ _ _ x _1) => if (same _1 (Nothing)) then Some (Some x) else
    None | _ => None end) with Some _0 => _0
  | None => None end end end.

Definition lies (now : Now) : (option Laid) :=
  match (match (a now) with (A c _) => Some (Some (Up c)) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (B c _) => Some (Some (Down c)) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (D _ _ _ _ l _ _) => Some (Some l) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (C _ c) => Some (Some (Up c)) | _ => None end) with Some _0 => _0
  | None => None end end end end.

Definition face (now : Now) (l : Laid) : (option Card) :=
  match (match l with (Up c) => Some (Some c) | _ => None end) with Some _0 => _0
  | None => match (match l with (Down c) => Some (Some c) | _ => None end) with Some _0 => _0
  | None => None end end.

Definition sent (now : Now) : (list Card) :=
  match (match (a now) with (D u _ v _ _ _ _) => Some (members ([u] ++ [v])) | _ => None end) with Some _0 =>
    _0
  | None => (members ([])) end.

Definition spent (now : Now) : (list Card) :=
  match (match (a now) with (D _ _ _ E _ _ _) => Some (members (each E (fun e => ([(card e)])))) | _ => None
    end) with Some _0 => _0
  | None => (members ([])) end.

Definition taken (now : Now) : (list Card) :=
  match (match (a now) with (D _ _ _ _ l _ _) => Some (members (kept (face now l))) | _ => None end) with Some
    _0 => _0
  | None => (members ([])) end.

Definition replacing (now : Now) : bool :=
  ((match (a now) with (D _ _ _ _ _ _ (Was _)) => true | _ => false end) ||| (match (a now) with (D _ _ _ _ _
    _ _1) => if (same _1 (Unshown)) then true else false | _ => false end)).

Definition old (now : Now) : (option Card) :=
  match (match (a now) with (D _ _ _ _ _ _ (Was l)) => Some (face now l) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (D _ _ _ _ _ x _2) => if (same _2 (Unshown)) then Some (let? _1 := (look
    (W now) x) in face now _1) else None | _ => None end) with Some _0 => _0
  | None => None end end.

Definition W0 (now : Now) : (list (Cell * Laid)) :=
  (mapping (kept (Some ((g1 now), (Up (Glass (anchor_card now))))))).

Definition H0 (now : Now) : (list (Z * (list Card))) :=
  (mapping (each (places (deals now)) (fun q => (kept (Some (q, (members (each (domain (item (deals now) q))
    (fun c => ([c])))))))))).

Definition R0 (now : Now) : (list Card) :=
  (members (each (reserve now) (fun c => ([c])))).

Definition G0 (now : Now) : (list Card) :=
  (without (R0 now) (R0 now)).

Definition K0 (now : Now) : (list Card) :=
  (order now).

Definition moved0 (now : Now) : bool :=
  false.

Definition turned0 (now : Now) : bool :=
  false.

Definition laid_down0 (now : Now) : bool :=
  false.

Definition replaced0 (now : Now) : bool :=
  false.

Definition skipped0 (now : Now) : Z :=
  0.

Definition due0 (now : Now) : Z :=
  1.

Definition result0 (now : Now) : Result :=
  (Going).

Definition drawn (now : Now) : (list Card) :=
  if (defined (p now)) then (members (each (d now) (fun c => ([c]))))
  else (members ([])).

Definition H1 (now : Now) : (list (Z * (list Card))) :=
  (over (H now) (mapping (kept (let? _1 := (p now) in let? _4 := (let? _3 := (let? _2 := (p now) in look (H
    now) _2) in Some (union _3 (without (drawn now) (members ([(F)]))))) in Some (_1, _4))))).

Definition f1 (now : Now) : (option Z) :=
  if (mem (F) (drawn now)) then (p now)
  else (f now).

Definition glass_drawn (now : Now) : Z :=
  (length_of (each (places (d now)) (fun i => (if (holds (let? _1 := (item (d now) i) in Some (negb (same _1
    (F))))) then [true] else [])))).

Definition unnamed (now : Now) : (list Card) :=
  let drawn_ := drawn now in
  if (holds (let? _5 := (let? _4 := (let? _3 := (let? _2 := (let? _1 := (p now) in look (H now) _1) in Some
    (without (drawn now) _2)) in Some (without _3 (members ([(F)])))) in Some (length_of _4)) in Some (_5 <?
    (glass_drawn now)))) then (without (without (members (each (places (K now)) (fun i => (if (i <=?
    (length_of (d now))) then (kept (item (K now) i)) else [])))) drawn_) (members ([(F)])))
  else (members ([])).

Definition own1 (now : Now) : (option (list Card)) :=
  if (holds (let? _6 := (f1 now) in let? _7 := (p now) in Some (same _6 _7))) then (let? _5 := (let? _4 :=
    (let? _3 := (p now) in look (H1 now) _3) in Some (union _4 (unnamed now))) in Some (union _5 (members
    ([(F)]))))
  else (let? _2 := (let? _1 := (p now) in look (H1 now) _1) in Some (union _2 (unnamed now))).

Definition leaving (now : Now) : (list Card) :=
  match (match (a now) with (A c _) => Some (members ([c])) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (B c _) => Some (members ([c])) | _ => None end) with Some _0 => _0
  | None => (union (sent now) (spent now)) end end.

Definition gained (now : Now) : (list Card) :=
  (members (kept (old now))).

Definition opened (now : Now) : (option Cell) :=
  match (match (a now) with (C x _) => (match (look (W now) x) with Some (Down _) => Some (Some x) | _ => None
    end) | _ => None end) with Some _0 => _0
  | None => None end.

Definition settled (now : Now) : (option Cell) :=
  if (holds (let? _2 := (new now) in Some (negb (mem _2 (dom (W now)))))) then (new now)
  else if (negb (defined (new now))) &&& (holds (let? _1 := (target now) in Some (mem _1 (dom (W now))))) then
    (target now)
  else None.

Definition TOW03 (now : Now) : bool :=
  (if (holds (let? _6 := (let? _5 := (new now) in Some (lev _5)) in Some (1 <? _6))) then ((holds (let? _2 :=
    (let? _1 := (new now) in Some (left now _1)) in Some (mem _2 (dom (W now))))) &&& (holds (let? _4 := (let?
    _3 := (new now) in Some (right now _3)) in Some (mem _4 (dom (W now)))))) else true).

Definition lefts (now : Now) : (list Z) :=
  if (same (anchor now) "middle") then (members ([(((levels now) - 1) - ((levels now) / 2))]))
  else (range 0 ((levels now) - 1)).

Definition W2 (now : Now) : (list (Cell * Laid)) :=
  if (defined (target now)) then (over (W now) (mapping (kept (let? _2 := (target now) in let? _3 := (lies
    now) in Some (_2, _3)))))
  else match (match (a now) with (C x _) => Some (over (W now) (mapping (kept (let? _1 := (lies now) in Some
    (x, _1))))) | _ => None end) with Some _0 => _0
  | None => (W now) end.

Definition inside (now : Now) (x : Cell) (l : Z) : bool :=
  ((((lev x) <=? (levels now)) &&& (l <=? (col x))) &&& ((col x) <=? ((l + (levels now)) - (lev x)))).

Definition TOW04 (now : Now) : bool :=
  let W2_ := W2 now in
  (if (defined (settled now)) then (there_is (lefts now) (fun l => (if (for_all (dom W2_) (fun x => (inside
    now x l))) then true else false))) else true).

Definition TOW05 (now : Now) : bool :=
  (if (same (spread now) "adjacent") then (if (holds (let? _11 := (let? _10 := (new now) in Some (lev _10)) in
    Some (same _11 1))) then (if (holds (let? _9 := (new now) in Some (negb (mem _9 (dom (W now)))))) then
    ((holds (let? _4 := (let? _3 := (let? _2 := (let? _1 := (new now) in Some (col _1)) in Some (_2 - 1)) in
    Some (MakeCell _3 1)) in Some (mem _4 (dom (W now))))) ||| (holds (let? _8 := (let? _7 := (let? _6 :=
    (let? _5 := (new now) in Some (col _5)) in Some (_6 + 1)) in Some (MakeCell _7 1)) in Some (mem _8 (dom (W
    now)))))) else true) else true) else true).

Definition ordered (now : Now) : (option Cell) :=
  if (TOW03 now) &&& (TOW04 now) &&& (TOW05 now) then (settled now)
  else None.

Definition H2 (now : Now) : (list (Z * (list Card))) :=
  (over (H1 now) (mapping (kept (let? _1 := (p now) in let? _5 := (let? _4 := (let? _3 := (let? _2 := (p now)
    in look (H1 now) _2) in Some (without _3 (leaving now))) in Some (union _4 (without (gained now) (members
    ([(F)]))))) in Some (_1, _5))))).

Definition f2 (now : Now) : (option Z) :=
  if (mem (F) (gained now)) then (p now)
  else if ((holds (let? _1 := (f1 now) in let? _2 := (p now) in Some (negb (same _1 _2)))) ||| (negb (mem (F)
    (leaving now)))) then (f1 now)
  else None.

Definition R2 (now : Now) : (list Card) :=
  (without (union (R now) (sent now)) (taken now)).

Definition G2 (now : Now) : (list Card) :=
  (union (G now) (spent now)).

Definition laid2 (now : Now) : (option Cell) :=
  if (defined (target now)) then (target now)
  else (laid now).

Definition touched2 (now : Now) : (option Cell) :=
  if (defined (target now)) then (target now)
  else match (match (a now) with (C x _) => Some (Some x) | _ => None end) with Some _0 => _0
  | None => (touched now) end.

Definition moved2 (now : Now) : bool :=
  ((moved now) ||| ((holds (let? _1 := (target now) in Some (same _1 (g1 now)))) &&& (replacing now))).

Definition turned2 (now : Now) : bool :=
  if (defined (target now)) then false
  else match (match (a now) with (C _ _) => Some true | _ => None end) with Some _0 => _0
  | None => (turned now) end.

Definition laid_down2 (now : Now) : bool :=
  if (defined (target now)) then (match (lies now) with Some (Down _) => true | _ => false end)
  else (laid_down now).

Definition replaced2 (now : Now) : bool :=
  ((replaced now) ||| ((replacing now) &&& (holds (let? _1 := (target now) in Some (mem _1 (dom (W now))))))).

Definition skipped2 (now : Now) : Z :=
  if (same (a now) (Pass)) then ((skipped now) + 1)
  else 0.

Definition num2 (now : Now) : (list (Cell * Z)) :=
  let W2_ := W2 now in
  let cells_ := cells now in
  (mapping (each (dom (W2 now)) (fun x => (if (mem x cells_) then (match (look W2_ x) with Some (Up c) => (if
    (negb (waived now x c)) then (kept (let? _1 := (num now c) in Some (x, _1))) else []) | _ => [] end) else
    [])))).

Definition down2 (now : Now) : (list Cell) :=
  let W2_ := W2 now in
  (members (each (dom (W2 now)) (fun x => (match (look W2_ x) with Some (Down _) => ([x]) | _ => [] end)))).

Definition stuck (now : Now) : bool :=
  ((same (a now) (Pass)) &&& ((same (no_action now) "loses") ||| ((n now) <=? (skipped2 now)))).

Definition rising (now : Now) (v : (list (Cell * Z))) : bool :=
  (for_all (dom v) (fun x => (for_all (dom v) (fun y => (if (same (lev x) (lev y)) then (if ((col x) <? (col
    y)) then (holds (let? _1 := (look v x) in let? _2 := (look v y) in Some (lt_row now _1 _2))) else true)
    else true))))).

Definition straddling (now : Now) (v : (list (Cell * Z))) : bool :=
  ((for_all (dom v) (fun x => (if (mem (left now x) (dom v)) then (holds (let? _1 := (look v (left now x)) in
    let? _2 := (look v x) in Some (lt_btw now _1 _2))) else true))) &&& (for_all (dom v) (fun x => (if (mem
    (right now x) (dom v)) then (holds (let? _3 := (look v x) in let? _4 := (look v (right now x)) in Some
    (lt_btw now _3 _4))) else true)))).

Definition in_order (now : Now) (v : (list (Cell * Z))) : bool :=
  ((rising now v) &&& (straddling now v)).

Definition backs (now : Now) : (list Cell) :=
  let cells_ := cells now in
  (members (each (down2 now) (fun x => (if (mem x cells_) then ([x]) else [])))).

Definition unreversed (now : Now) (v : (list (Cell * Z))) : bool :=
  ((for_all (dom v) (fun x => (for_all (dom v) (fun y => (if (same (lev x) (lev y)) then (if ((col x) <? (col
    y)) then (holds (let? _1 := (look v x) in let? _2 := (look v y) in Some (_1 <=? _2))) else true) else
    true))))) &&& (for_all (dom v) (fun x => (if (mem (left now x) (dom v)) then (holds (let? _3 := (look v
    (left now x)) in let? _4 := (look v x) in Some (_3 <=? _4))) else true))) &&& (for_all (dom v) (fun x =>
    (if (mem (right now x) (dom v)) then (holds (let? _5 := (look v x) in let? _6 := (look v (right now x)) in
    Some (_5 <=? _6))) else true)))).

Definition unreversed_differences {K} (now : Now) (v : (list (Cell * ((offset K))))) : list (difference K) :=
  ((each (dom v) (fun x => (each (dom v) (fun y => (if (same (lev x) (lev y)) then (if ((col x) <? (col y))
    then (or_never (let? _1 := (look v x) in let? _2 := (look v y) in Some (at_most _1 _2))) else []) else
    []))))) ++ (each (dom v) (fun x => (if (mem (left now x) (dom v)) then (or_never (let? _3 := (look v (left
    now x)) in let? _4 := (look v x) in Some (at_most _3 _4))) else []))) ++ (each (dom v) (fun x => (if (mem
    (right now x) (dom v)) then (or_never (let? _5 := (look v x) in let? _6 := (look v (right now x)) in Some
    (at_most _5 _6))) else [])))).

Definition lt_row_differences {K} (now : Now) (x : ((offset K))) (y : ((offset K))) : list (difference K) :=
  if (same (row_order now) "strict") then (less x y)
  else (at_most x y).

Definition rising_differences {K} (now : Now) (v : (list (Cell * ((offset K))))) : list (difference K) :=
  (each (dom v) (fun x => (each (dom v) (fun y => (if (same (lev x) (lev y)) then (if ((col x) <? (col y))
    then (or_never (let? _1 := (look v x) in let? _2 := (look v y) in Some (lt_row_differences now _1 _2)))
    else []) else []))))).

Definition lt_btw_differences {K} (now : Now) (x : ((offset K))) (y : ((offset K))) : list (difference K) :=
  if (same (between now) "strict") then (less x y)
  else (at_most x y).

Definition straddling_differences {K} (now : Now) (v : (list (Cell * ((offset K))))) : list (difference K) :=
  ((each (dom v) (fun x => (if (mem (left now x) (dom v)) then (or_never (let? _1 := (look v (left now x)) in
    let? _2 := (look v x) in Some (lt_btw_differences now _1 _2))) else []))) ++ (each (dom v) (fun x => (if
    (mem (right now x) (dom v)) then (or_never (let? _3 := (look v x) in let? _4 := (look v (right now x)) in
    Some (lt_btw_differences now _3 _4))) else [])))).

Definition in_order_differences {K} (now : Now) (v : (list (Cell * ((offset K))))) : list (difference K) :=
  ((rising_differences now v) ++ (straddling_differences now v)).

Definition numbered (now : Now) : bool :=
  let backs_ := backs now in
  let num2_ := num2 now in
  if (same (facedown now) "integers") then (there_are (backs now) None (fun h => (in_order_differences now
    (over (plain_map num2_) h))))
  else if (same (facedown now) "deck") then (there_are backs_ (Some (1, (cards now))) (fun h =>
    (in_order_differences now (over (plain_map num2_) h))))
  else if (same (facedown now) "repeats") then (there_are backs_ (Some (1, (cards now))) (fun h =>
    (unreversed_differences now (over (plain_map num2_) h))))
  else true.

Definition lost (now : Now) : bool :=
  match (match (a now) with (C _ _) => Some ((defined (opened now)) &&& (negb ((in_order now (num2 now)) &&&
    ((numbered now) ||| (same (opened_against now) "stands"))))) | _ => None end) with Some _0 => _0
  | None => if (same (early_apex now) "loses") &&& (holds (let? _2 := (let? _1 := (settled now) in Some (lev
    _1)) in Some (same _2 (levels now)))) &&& (negb (match (a now) with (B _ _) => true | _ => false end))
    then (negb (is_empty (down2 now)))
  else false end.

Definition full (now : Now) : bool :=
  ((((levels now) * ((levels now) + 1)) <=? (2 * (length_of (dom (W2 now))))) &&& (is_empty (down2 now))).

Definition won (now : Now) : bool :=
  if (same (early_apex now) "win_on_completion") &&& ((defined (settled now)) ||| (defined (opened now))) then
    ((full now) &&& (in_order now (num2 now)))
  else if (defined (settled now)) &&& (holds (let? _2 := (let? _1 := (settled now) in Some (lev _1)) in Some
    (same _2 (levels now)))) then (full now)
  else false.

Definition result2 (now : Now) : Result :=
  if (negb (same (result now) (Going))) then (result now)
  else if (stuck now) then (Stuck)
  else if (lost now) then (Lost)
  else if (won now) then (Won)
  else (Going).

Definition ended (now : Now) : bool :=
  ((lost now) ||| (won now)).

Definition filled (now : Now) : (list Card) :=
  if (defined (p now)) then (members (each (fill now) (fun c => ([c]))))
  else (members ([])).

Definition H3 (now : Now) : (list (Z * (list Card))) :=
  (over (H2 now) (mapping (kept (let? _1 := (p now) in let? _4 := (let? _3 := (let? _2 := (p now) in look (H2
    now) _2) in Some (union _3 (without (filled now) (members ([(F)]))))) in Some (_1, _4))))).

Definition f3 (now : Now) : (option Z) :=
  if (mem (F) (filled now)) then (p now)
  else (f2 now).

Definition laid' (now : Now) : (option Cell) :=
  (laid2 now).

Definition touched' (now : Now) : (option Cell) :=
  (touched2 now).

Definition moved' (now : Now) : bool :=
  (moved2 now).

Definition turned' (now : Now) : bool :=
  (turned2 now).

Definition laid_down' (now : Now) : bool :=
  (laid_down2 now).

Definition replaced' (now : Now) : bool :=
  (replaced2 now).

Definition skipped' (now : Now) : Z :=
  (skipped2 now).

Definition due' (now : Now) : (option Z) :=
  if (negb (defined (p now))) then (Some (due now))
  else if (holds (let? _2 := (p now) in Some (same _2 (n now)))) then (Some 1)
  else (let? _1 := (p now) in Some (_1 + 1)).

Definition result' (now : Now) : Result :=
  (result2 now).

Definition asked_at_setup (now : Now) : (list string) :=
  (["SET01"; "SET02"; "SET03"; "SET04"; "SET06"]).

Definition warned_at_setup (now : Now) : (list string) :=
  if (finish now) then (["SET05"])
  else ([]).

Definition asked (now : Now) : (list string) :=
  if (negb (same (result now) (Going))) then (["END04"])
  else if (negb (mem (name now) (players now))) then (["END06"])
  else (["END06"; "DRW01"; "DRW02"; "DRW03"; "DRW04"; "DRW05"; "DRW06"; "ACT01"; "ACT02"; "ACT03"; "ACT04";
    "ACT05"; "ACT06"; "ACT07"; "ACT08"; "TOW01"; "TOW02"; "TOW03"; "TOW04"; "TOW05"; "TOW06"; "TOW07";
    "TOW08"; "LIM01"; "LIM02"; "SET06"]).

Definition rest (now : Now) : Z :=
  (Z.max 0 (((((cards now) - 1) + (if (finish now) then 1 else 0)) - (sum (each (places (deals now)) (fun q =>
    (kept (let? _1 := (item (deals now) q) in Some (length_of _1))))))) - (length_of (reserve now)))).

Definition glass (now : Now) : Z :=
  ((rest now) - 1).

Definition place (now : Now) : (option Z) :=
  let K0_ := K0 now in
  (min_of (members (each (places (K0 now)) (fun i => (if (holds (let? _1 := (item K0_ i) in Some (same _1
    (F)))) then ([i]) else []))))).

Definition doubtful (now : Now) (k : Z) : bool :=
  (((((((glass now) + 1) / 2) + 1) <=? k) &&& (holds (let? _1 := (place now) in Some (k <? _1)))) &&& (same
    (finish_half now) "top")).

Definition known_before (now : Now) : Z :=
  if ((t now) <=? 1) then (length_of (deck now))
  else (Z.max (length_of (deck now)) ((rest now) - (length_of (K now)))).

Definition warned (now : Now) : (list string) :=
  if (finish now) &&& (mem (F) (K now)) &&& (negb (mem (F) (deck now))) &&& (negb (is_empty (d now))) &&&
    (negb (doubtful now (known_before now))) then (["SET05"])
  else ([]).

Definition asked_at_end (now : Now) : (list string) :=
  (["END05"]).

Definition glass_filled (now : Now) : Z :=
  (length_of (each (places (fill now)) (fun i => (if (holds (let? _1 := (item (fill now) i) in Some (negb
    (same _1 (F))))) then [true] else [])))).

Definition due_fill (now : Now) : (list Card) :=
  (members (each (places (K now)) (fun i => (if ((length_of (d now)) <? i) then (if (i <=? ((length_of (d
    now)) + (length_of (fill now)))) then (kept (item (K now) i)) else []) else [])))).

Definition unfilled (now : Now) : (list Card) :=
  if (holds (let? _5 := (let? _4 := (let? _3 := (let? _2 := (let? _1 := (p now) in look (H2 now) _1) in Some
    (without (filled now) _2)) in Some (without _3 (members ([(F)])))) in Some (length_of _4)) in Some (_5 <?
    (glass_filled now)))) then (without (without (due_fill now) (filled now)) (members ([(F)])))
  else (members ([])).

Definition spare (now : Now) : (list Card) :=
  (union (unnamed now) (unfilled now)).

Definition may_drop (now : Now) : (option (list Card)) :=
  (let? _2 := (let? _1 := (p now) in look (H3 now) _1) in Some (union _2 (spare now))).

Definition outgoing (now : Now) : (list Card) :=
  match (match (a now) with (D u _ v E _ _ _) => Some (([u; v]) ++ (each E (fun e => ([(card e)])))) | _ =>
    None end) with Some _0 => _0
  | None => match (match (a now) with (A c _) => Some ([c]) | _ => None end) with Some _0 => _0
  | None => match (match (a now) with (B c _) => Some ([c]) | _ => None end) with Some _0 => _0
  | None => ([]) end end end.

Definition carried (now : Now) : (option Z) :=
  let outgoing_ := outgoing now in
  let gained_ := gained now in
  let replacing_ := replacing now in
  (let? _7 := (let? _6 := (let? _4 := (let? _3 := (let? _2 := (let? _1 := (p now) in look (H now) _1) in Some
    (length_of _2)) in Some (_3 + (glass_drawn now))) in Some (_4 - (length_of (each (places (outgoing now))
    (fun i => (if (holds (let? _5 := (item outgoing_ i) in Some (negb (same _5 (F))))) then [true] else
    [])))))) in Some (Z.max 0 _6)) in Some (_7 + (if (replacing_ &&& (negb (mem (F) gained_))) then 1 else
    0))).

Definition held (now : Now) : (option Z) :=
  (let? _1 := (carried now) in Some (_1 + (glass_filled now))).

Definition joining (now : Now) : (list Card) :=
  match (match (a now) with (D u _ v _ _ _ _) => Some ([u; v]) | _ => None end) with Some _0 => _0
  | None => ([]) end.

Definition counts (now : Now) (c : Card) : bool :=
  ((negb (same c (F))) ||| (same (finish_reserve_count now) "yes")).

Definition row (now : Now) : Z :=
  let joining_ := joining now in
  let taken_ := taken now in
  (((length_of (each (R now) (fun c => (if (counts now c) then [true] else [])))) + (length_of (each (places
    joining_) (fun i => (if (holds (let? _1 := (item joining_ i) in Some (counts now _1))) then [true] else
    []))))) - (length_of (each taken_ (fun c => (if (counts now c) then [true] else []))))).

Definition dropped (now : Now) : (list Card) :=
  (union (members (each (drop now) (fun c => ([c])))) (members (each (trim now) (fun c => ([c]))))).

Definition at_gone (now : Now) : (list Card) :=
  (union (dropped now) (without (spent now) (taken now))).

Definition at_tower (now : Now) : (list Card) :=
  (without (members (kept (let? _1 := (lies now) in face now _1))) (dropped now)).

Definition at_reserve (now : Now) : (list Card) :=
  (without (without (sent now) (taken now)) (at_gone now)).

Definition at_hand (now : Now) : (list Card) :=
  (without (without (without (union (union (without (drawn now) (leaving now)) (gained now)) (filled now))
    (at_gone now)) (at_tower now)) (at_reserve now)).

Definition placed (now : Now) : (list Card) :=
  (union (union (union (at_gone now) (at_tower now)) (at_reserve now)) (at_hand now)).

Definition H' (now : Now) : (list (Z * (list Card))) :=
  let placed_ := placed now in
  let at_hand_ := at_hand now in
  let H3_ := H3 now in
  let p_ := p now in
  (mapping (each (dom (H3 now)) (fun q => (kept (let? _3 := (let? _1 := (look H3_ q) in Some (without _1
    (without placed_ (if (holds (let? _2 := p_ in Some (same q _2))) then at_hand_ else (members ([])))))) in
    Some (q, _3)))))).

Definition f' (now : Now) : (option Z) :=
  if (negb (mem (F) (union (union (at_gone now) (at_tower now)) (at_reserve now)))) then (f3 now)
  else None.

Definition R' (now : Now) : (list Card) :=
  (without (R2 now) (without (placed now) (at_reserve now))).

Definition G' (now : Now) : (list Card) :=
  (without (union (G2 now) (dropped now)) (without (placed now) (at_gone now))).

Definition K' (now : Now) : (list Card) :=
  let placed_ := placed now in
  (each (places (K now)) (fun i => (if (holds (let? _1 := (item (K now) i) in Some (negb (mem _1 placed_))))
    then (kept (item (K now) i)) else []))).

Definition W' (now : Now) : (list (Cell * Laid)) :=
  let placed_ := placed now in
  let at_tower_ := at_tower now in
  let touched2_ := touched2 now in
  let W2_ := W2 now in
  (mapping (each (dom (W2 now)) (fun x => (if ((holds (let? _3 := (let? _2 := (look W2_ x) in face now _2) in
    Some (negb (mem _3 placed_)))) ||| ((holds (let? _4 := touched2_ in Some (same x _4))) &&& (holds (let? _6
    := (let? _5 := (look W2_ x) in face now _5) in Some (mem _6 at_tower_))))) then (kept (let? _1 := (look
    W2_ x) in Some (x, _1))) else [])))).

Definition dealable (now : Now) : (list Card) :=
  (without (members (each (range 2 ((cards now) - 1)) (fun v => ([(Glass v)])))) (members ([(Glass
    (anchor_card now))]))).

Definition known (now : Now) : Z :=
  if (same (t now) 0) then (length_of (deck now))
  else (Z.max (length_of (deck now)) (((rest now) - (length_of (K now))) + (length_of (d now)))).

Definition listed (now : Now) : (list Card) :=
  (((each (places (deals now)) (fun q => (each (domain (item (deals now) q)) (fun c => ([c]))))) ++ (reserve
    now)) ++ (deck now)).

Definition source (now : Now) : (option Cell) :=
  if (same (draw_source now) "opened") then (touched now)
  else if ((negb (same (draw_source now) "nothing")) ||| (negb (turned now))) then (laid now)
  else None.

Definition idle (now : Now) : bool :=
  ((same (draw_source now) "nothing") &&& (turned now)).

Definition as_down (now : Now) : bool :=
  ((same (draw_source now) "as_laid") &&& (laid_down now)).

Definition draws (now : Now) : Z :=
  (length_of (each (places (d now)) (fun i => (if ((same i 1) ||| (holds (let? _1 := (item (d now) (i - 1)) in
    Some (negb (same _1 (F)))))) then [true] else [])))).

Definition allowed (now : Now) (limit : Z) : bool :=
  (((draws now) <=? limit) &&& (if (same (draw_amount now) "exact") then (if ((length_of (d now)) <?
    (length_of (K now))) then (same (draws now) limit) else true) else true)).

Definition hearted (now : Now) (x : Cell) : bool :=
  match (match (look (W now) x) with Some (Up (Glass v)) => (if (holds (let? _1 := (look (mark now) v) in Some
    (same _1 (Heart)))) then Some true else None) | _ => None end) with Some _0 => _0
  | None => false end.

Definition backed (now : Now) (x : Cell) : bool :=
  match (match (look (W now) x) with Some (Down _) => Some true | _ => None end) with Some _0 => _0
  | None => false end.

Definition diamonds (now : Now) (x : Cell) : Z :=
  match (match (look (W now) x) with Some (Up (Glass v)) => (match (look (mark now) v) with Some (Diamonds k)
    => Some k | _ => None end) | _ => None end) with Some _0 => _0
  | None => 0 end.

Definition heart (now : Now) (x : Cell) : Z :=
  if (same (lev x) 1) then 0
  else if (same (hearts_below now) "zero_all") &&& ((hearted now (left now x)) ||| (hearted now (right now
    x))) then 0
  else if (same (heart_over_back now) "zero") &&& ((backed now (left now x)) ||| (backed now (right now x)))
    then 0
  else ((diamonds now (left now x)) + (diamonds now (right now x))).

Definition fits (now : Now) (count : Z) (limit : Z) (more : Z) : bool :=
  ((count <=? limit) &&& (if ((same (draw_amount now) "exact") ||| ((same (refill_amount now) "all_or_none")
    &&& (0 <? count))) then (if (0 <? more) then (same count limit) else true) else true)).

Definition lacking (now : Now) : (option Z) :=
  if (same (finish_in_hand now) "yes") &&& (holds (let? _10 := (f now) in let? _11 := (p now) in Some (same
    _10 _11))) then (let? _9 := (let? _8 := (let? _7 := (let? _6 := (let? _5 := (p now) in look (H now) _5) in
    Some (length_of _6)) in Some ((refill now) - _7)) in Some (_8 - 1)) in Some (Z.max 0 _9))
  else (let? _4 := (let? _3 := (let? _2 := (let? _1 := (p now) in look (H now) _1) in Some (length_of _2)) in
    Some ((refill now) - _3)) in Some (Z.max 0 _4)).

Definition filling (now : Now) : bool :=
  ((((same (finish_refill now) "at_once") &&& (holds (let? _1 := (lies now) in Some (same _1 (Up (F)))))) &&&
    (defined (target now))) &&& (negb (ended now))).

Definition ACT02 (now : Now) : bool :=
  (match (a now) with (A c _) => (holds (let? _1 := (own1 now) in Some (mem c _1))) | _ => true end).

Definition finish_down (now : Now) : bool :=
  (holds (let? _1 := (lies now) in Some (same _1 (Down (F))))).

Definition ACT03 (now : Now) : bool :=
  (match (a now) with (B c _) => ((holds (let? _1 := (own1 now) in Some (mem c _1))) &&& (negb (finish_down
    now))) | _ => true end).

Definition ACT04 (now : Now) : bool :=
  (match (a now) with (C x c) => (holds (let? _1 := (look (W now) x) in Some (same _1 (Down c)))) | _ => true
    end).

Definition ACT07 (now : Now) : bool :=
  (match (a now) with (D _ _ _ _ _ x y) => (if (negb (same y (Nothing))) then ((if (same y (Unshown)) then
    (match (look (W now) x) with Some (Down _) => true | _ => false end) else true) &&& (if (negb (same y
    (Unshown))) then (holds (let? _2 := (let? _1 := (look (W now) x) in Some (Was _1)) in Some (same y _2)))
    else true) &&& (if (same (replace_target now) "not_anchor") then ((negb (same x (g1 now))) ||| (moved
    now)) else true) &&& (if (same (replace_target now) "facedown_only") then (match (look (W now) x) with
    Some (Down _) => true | _ => false end) else true) &&& (if (same (replacements now) "once") then (negb
    (replaced now)) else true)) else true) | _ => true end).

Definition ACT08 (now : Now) : bool :=
  ((negb (finish_down now)) &&& (match (a now) with (D _ _ _ _ (Down _) _ _) => (same (reserve_face now)
    "either") | _ => true end)).

Definition TOW06 (now : Now) : bool :=
  (if (defined (new now)) then (holds (let? _1 := (new now) in Some (negb (mem _1 (dom (W now)))))) else
    true).

Definition TOW08 (now : Now) : bool :=
  (if (holds (let? _3 := (let? _2 := (target now) in Some (lev _2)) in Some (same _3 (levels now)))) then
    ((match (lies now) with Some (Up _) => true | _ => false end) &&& (if (finish now) then (holds (let? _1 :=
    (lies now) in Some (same _1 (Up (F))))) else true) &&& (if (same (early_apex now) "forbidden") then
    (is_empty (without (down2 now) (members (kept (target now))))) else true)) else true).

Definition TOW01 (now : Now) : bool :=
  (if (defined (ordered now)) then (rising now (num2 now)) else true).

Definition TOW02 (now : Now) : bool :=
  (if (defined (ordered now)) then (straddling now (num2 now)) else true).

Definition TOW07 (now : Now) : bool :=
  (if (defined (ordered now)) then (if (TOW01 now) then (if (TOW02 now) then (numbered now) else true) else
    true) else true).

Definition possible (now : Now) : bool :=
  (((((((((((((ACT02 now) &&& (ACT03 now)) &&& (ACT04 now)) &&& (ACT07 now)) &&& (ACT08 now)) &&& (TOW03 now))
    &&& (TOW04 now)) &&& (TOW05 now)) &&& (TOW06 now)) &&& (TOW08 now)) &&& (TOW01 now)) &&& (TOW02 now)) &&&
    (TOW07 now)).

Definition paying (now : Now) (b : Payment) (l : Laid) (x : Cell) (y : Old) : Action :=
  (D (one b) (way b) (other b) (shifts b) l x y).

Definition base (now : Now) (u : Card) (s : Sign) (v : Card) : (option Z) :=
  if (same s (Plus)) then (let? _4 := (num now u) in let? _5 := (num now v) in Some (_4 + _5))
  else (let? _3 := (let? _1 := (num now u) in let? _2 := (num now v) in Some (_1 - _2)) in Some (Z.abs _3)).

Definition shift (now : Now) (E : (list Shift)) : Z :=
  ((length_of (each E (fun e => (if (same (sign e) (Plus)) then [true] else [])))) - (length_of (each E (fun e
    => (if (same (sign e) (Minus)) then [true] else []))))).

Definition ACT05 (now : Now) : bool :=
  (match (a now) with (D u s v E l _ _) => ((same (length_of (union (sent now) (spent now))) (2 + (length_of
    E))) &&& (holds (let? _1 := (own1 now) in Some (subset (union (sent now) (spent now)) _1))) &&& (if (same
    (adjust now) "uniform") then (for_all E (fun e => (for_all E (fun g => (same (sign e) (sign g)))))) else
    true) &&& (if (negb (same (adjust now) "up_to")) then (for_all E (fun e => (negb (same (sign e) (Idle)))))
    else true) &&& (holds (let? _3 := (let? _2 := (face now l) in num now _2) in let? _5 := (let? _4 := (base
    now u s v) in Some (_4 + (shift now E))) in Some (same _3 _5)))) | _ => true end).

Definition ACT06 (now : Now) : bool :=
  (match (a now) with (D u _ v _ l _ _) => ((holds (let? _1 := (face now l) in Some (mem _1 (union (R now)
    (sent now))))) &&& (if (same (take_sent now) "forbidden") then ((holds (let? _2 := (face now l) in Some
    (negb (same _2 u)))) &&& (holds (let? _3 := (face now l) in Some (negb (same _3 v))))) else true)) | _ =>
    true end).

Definition payments (now : Now) : (list Payment) :=
  (members (each (members (each (domain (own1 now)) (fun u => (each (domain (own1 now)) (fun v => (each
    (members ([(Plus)] ++ [(Minus)])) (fun s => (each (domain (let? _4 := (let? _3 := (own1 now) in Some
    (without _3 (members ([u] ++ [v])))) in Some (subsets _4))) (fun E => (each (subsets E) (fun up => (each
    (subsets (without E up)) (fun less => (each (union (R now) (members ([u] ++ [v]))) (fun c => (if (holds
    (let? _1 := (num now u) in let? _2 := (num now v) in Some (_1 <=? _2))) then ([(MakePayment u s v (((each
    up (fun e => ([(MakeShift (Plus) e)]))) ++ (each less (fun e => ([(MakeShift (Minus) e)])))) ++ (each
    (without (without E up) less) (fun e => ([(MakeShift (Idle) e)])))) c)]) else [])))))))))))))))) (fun b =>
    (if (let now := (MakeNow now now (MakeTurn (t now) (number now) (name now) (d now) (paying now b (Up (pick
    b)) (g1 now) (Nothing)) (fill now) (drop now) (trim now)) now) in ((ACT05 now) &&& (ACT06 now))) then
    ([b]) else [])))).

Definition legal (now : Now) : (list Action) :=
  (union (union (union (members (each (members (each (domain (own1 now)) (fun c => (each (cells now) (fun x =>
    ([(A c x)])))))) (fun b => (if (let now := (MakeNow now now (MakeTurn (t now) (number now) (name now) (d
    now) b (fill now) (drop now) (trim now)) now) in (possible now)) then ([b]) else [])))) (members (each
    (members (each (domain (own1 now)) (fun c => (each (cells now) (fun x => ([(B c x)])))))) (fun b => (if
    (let now := (MakeNow now now (MakeTurn (t now) (number now) (name now) (d now) b (fill now) (drop now)
    (trim now)) now) in (possible now)) then ([b]) else []))))) (members (each (members (each (dom (W now))
    (fun x => (kept (let? _2 := (let? _1 := (look (W now) x) in face now _1) in Some (C x _2)))))) (fun b =>
    (if (let now := (MakeNow now now (MakeTurn (t now) (number now) (name now) (d now) b (fill now) (drop now)
    (trim now)) now) in (possible now)) then ([b]) else []))))) (members (each (members (each (payments now)
    (fun b0 => (each (cells now) (fun x => (each (members ([(Up (pick b0))] ++ [(Down (pick b0))])) (fun l =>
    (each (members ([(Nothing)] ++ kept (let? _3 := (look (W now) x) in Some (Was _3)))) (fun y => ([(paying
    now b0 l x y)])))))))))) (fun b => (if (let now := (MakeNow now now (MakeTurn (t now) (number now) (name
    now) (d now) b (fill now) (drop now) (trim now)) now) in (possible now)) then ([b]) else []))))).

Definition SET01 (now : Now) : bool :=
  ((mem (n now) (dom (size now))) &&& (for_all (places (players now)) (fun i => (for_all (places (players
    now)) (fun j => (if (i <? j) then (holds (let? _1 := (item (players now) i) in let? _2 := (item (players
    now) j) in Some (negb (same _1 _2)))) else true)))))).

Definition SET02 (now : Now) : bool :=
  let dealable_ := dealable now in
  (for_all (places (deals now)) (fun q => ((holds (let? _2 := (let? _1 := (item (deals now) q) in Some
    (length_of _1)) in Some (same _2 (deal now)))) &&& (for_all (domain (item (deals now) q)) (fun c => (mem c
    dealable_)))))).

Definition SET03 (now : Now) : bool :=
  let dealable_ := dealable now in
  ((if (mem (n now) (dom (size now))) then (holds (let? _1 := (look (size now) (n now)) in Some (same
    (length_of (reserve now)) _1))) else true) &&& (mem (Glass 1) (reserve now)) &&& (mem (Glass (cards now))
    (reserve now)) &&& (for_all (reserve now) (fun c => (mem c (union dealable_ (members ([(Glass 1)] ++
    [(Glass (cards now))]))))))).

Definition SET04 (now : Now) : bool :=
  ((same_map (W0 now) (mapping (kept (Some ((g1 now), (Up (Glass (anchor_card now)))))))) &&& (negb (mem
    (Glass (anchor_card now)) (listed now)))).

Definition SET05 (now : Now) : bool :=
  ((negb (doubtful now (known now))) &&& (if (holds (let? _2 := (place now) in Some (_2 <=? (known now))))
    then (if (same (finish_half now) "top") then (holds (let? _1 := (place now) in Some (_1 <=? ((((glass now)
    + 1) / 2) + 1)))) else true) else true) &&& (if (holds (let? _4 := (place now) in Some (_4 <=? (known
    now)))) then (if (same (finish_half now) "bottom") then (holds (let? _3 := (place now) in Some (((glass
    now) / 2) <? _3))) else true) else true)).

Definition SET06 (now : Now) : bool :=
  let listed_ := listed now in
  let may_drop_ := may_drop now in
  let rest_ := rest now in
  let f3_ := f3 now in
  let R2_ := R2 now in
  let leaving_ := leaving now in
  let own1_ := own1 now in
  let taken_ := taken now in
  let sent_ := sent now in
  let p_ := p now in
  ((if (same (t now) 0) then ((same (length_of (members (each (listed now) (fun c => ([c]))))) (length_of
    listed_)) &&& (negb (mem (Glass (anchor_card now)) listed_)) &&& (if (mem (F) listed_) then (finish now)
    else true) &&& ((length_of (deck now)) <=? rest_) &&& (if (finish now) then (if (same (length_of (deck
    now)) rest_) then (mem (F) listed_) else true) else true)) else true) &&& (if (0 <? (t now)) then ((same
    (length_of (members (each ((d now) ++ (fill now)) (fun c => ([c]))))) ((length_of (d now)) + (length_of
    (fill now)))) &&& (for_all ((d now) ++ (fill now)) (fun c => (mem c (K now)))) &&& (holds (let? _1 :=
    own1_ in Some (subset leaving_ _1))) &&& (subset taken_ (union (R now) sent_)) &&& (match (a now) with (C
    x c) => (holds (let? _3 := (let? _2 := (look (W now) x) in face now _2) in Some (same _3 c))) | _ => true
    end) &&& (match (a now) with (D _ _ _ E _ x y) => ((same (length_of leaving_) (2 + (length_of E))) &&&
    (match y with (Was z) => (holds (let? _4 := (face now z) in let? _6 := (let? _5 := (look (W now) x) in
    face now _5) in Some (same _4 _6))) | _ => true end)) | _ => true end) &&& (same (length_of (members (each
    (drop now) (fun c => ([c]))))) (length_of (drop now))) &&& (for_all (drop now) (fun c => ((holds (let? _7
    := may_drop_ in Some (mem c _7))) ||| ((same c (F)) &&& (holds (let? _8 := f3_ in let? _9 := p_ in Some
    (same _8 _9))))))) &&& (same (length_of (members (each (trim now) (fun c => ([c]))))) (length_of (trim
    now))) &&& (for_all (trim now) (fun c => (mem c R2_)))) else true)).

Definition DRW01 (now : Now) : bool :=
  (if (negb ((defined (source now)) ||| (idle now))) then ((draws now) <=? 1) else true).

Definition DRW02 (now : Now) : bool :=
  ((match (let? _1 := (source now) in look (W now) _1) with Some (Up (Glass v)) => (match (look (mark now) v)
    with Some (Diamonds k) => (if (negb (as_down now)) then (allowed now k) else true) | _ => true end) | _ =>
    true end) &&& (if (idle now) then (allowed now 0) else true)).

Definition DRW03 (now : Now) : bool :=
  (match (let? _4 := (source now) in look (W now) _4) with Some (Up (Glass v)) => (if (holds (let? _3 := (look
    (mark now) v) in Some (same _3 (Heart)))) then (if (negb (as_down now)) then (holds (let? _2 := (let? _1
    := (source now) in Some (heart now _1)) in Some (allowed now _2))) else true) else true) | _ => true end).

Definition DRW04 (now : Now) : bool :=
  ((if ((match (let? _2 := (source now) in look (W now) _2) with Some (Down _) => true | _ => false end) |||
    (as_down now)) then (holds (let? _1 := (lacking now) in Some (fits now (draws now) _1 ((length_of (K now))
    - (length_of (d now)))))) else true) &&& (if (holds (let? _5 := (let? _4 := (source now) in look (W now)
    _4) in Some (same _5 (Up (F))))) then (if (same (finish_refill now) "next") then (holds (let? _3 :=
    (lacking now) in Some (fits now (draws now) _3 ((length_of (K now)) - (length_of (d now)))))) else true)
    else true) &&& (if (holds (let? _7 := (let? _6 := (source now) in look (W now) _6) in Some (same _7 (Up
    (F))))) then (if (same (finish_refill now) "at_once") then (if (negb (as_down now)) then (same (draws now)
    0) else true) else true) else true) &&& (if (filling now) then (holds (let? _10 := (let? _9 := (let? _8 :=
    (carried now) in Some ((refill now) - _8)) in Some (Z.max 0 _9)) in Some (fits now (length_of (fill now))
    _10 (((length_of (K now)) - (length_of (d now))) - (length_of (fill now)))))) else true) &&& (if (negb
    (filling now)) then (is_empty (fill now)) else true)).

Definition DRW05 (now : Now) : bool :=
  ((((length_of (d now)) + (length_of (fill now))) <=? (length_of (K now))) &&& (for_all (places (d now)) (fun
    i => (holds (let? _1 := (item (d now) i) in let? _2 := (item (K now) i) in Some (same _1 _2))))) &&&
    (for_all (places (fill now)) (fun i => (holds (let? _3 := (item (fill now) i) in let? _4 := (item (K now)
    ((length_of (d now)) + i)) in Some (same _3 _4)))))).

Definition DRW06 (now : Now) : bool :=
  ((if (finish now) then (if (holds (let? _1 := (item (d now) (length_of (d now))) in Some (same _1 (F))))
    then ((length_of (K now)) <=? (length_of (d now))) else true) else true) &&& (if (finish now) then (if
    (mem (F) (K now)) then (if (negb (is_empty (d now))) then (if ((length_of (K now)) <=? (length_of (d
    now))) then (mem (F) (d now)) else true) else true) else true) else true)).

Definition ACT01 (now : Now) : bool :=
  (if (same (a now) (Pass)) then (is_empty (legal now)) else true).

Definition LIM01 (now : Now) : bool :=
  ((if ((ended now) ||| (same (a now) (Pass))) then (is_empty (drop now)) else true) &&& (if (negb (ended
    now)) then (if (negb (same (a now) (Pass))) then ((holds (let? _3 := (let? _2 := (let? _1 := (held now) in
    Some (_1 - (hand_limit now))) in Some (Z.max 0 _2)) in Some (same (length_of (drop now)) _3))) &&& (holds
    (let? _4 := (may_drop now) in Some (subset (members (each (drop now) (fun c => ([c])))) _4))) &&& (same
    (length_of (members (each (drop now) (fun c => ([c]))))) (length_of (drop now)))) else true) else true)).

Definition LIM02 (now : Now) : bool :=
  let R2_ := R2 now in
  ((if ((ended now) ||| (same (a now) (Pass))) then (is_empty (trim now)) else true) &&& (if (negb (ended
    now)) then (if (negb (same (a now) (Pass))) then (if (mem (n now) (dom (size now))) then ((holds (let? _3
    := (let? _2 := (let? _1 := (look (size now) (n now)) in Some ((row now) - _1)) in Some (Z.max 0 _2)) in
    Some (same (length_of (trim now)) _3))) &&& (subset (members (each (trim now) (fun c => ([c])))) R2_) &&&
    (same (length_of (members (each (trim now) (fun c => ([c]))))) (length_of (trim now))) &&& (if (same
    (finish_reserve_count now) "no") then (negb (mem (F) (trim now))) else true)) else true) else true) else
    true)).

Definition END04 (now : Now) : bool :=
  (same (result now) (Going)).

Definition END05 (now : Now) : bool :=
  (if (negb (same (stated now) (Unstated))) then (same (stated now) (result now)) else true).

Definition END06 (now : Now) : bool :=
  ((holds (let? _1 := (item (players now) (due now)) in Some (same (name now) _1))) &&& (same (number now) (t
    now))).

Definition begun (now : Now) : Now :=
  (MakeNow now now now (MakeState (W0 now) (H0 now) None (R0 now) (G0 now) (K0 now) None None (laid_down0 now)
    (moved0 now) (turned0 now) (replaced0 now) (skipped0 now) (due0 now) (result0 now))).

Definition after (now : Now) : Now :=
  (MakeNow now now now (MakeState (W' now) (H' now) (f' now) (R' now) (G' now) (K' now) (laid' now) (touched'
    now) (laid_down' now) (moved' now) (turned' now) (replaced' now) (skipped' now) (match due' now with Some
    _0 => _0 | None => due now end) (result' now))).

Definition clauses : list (string * (Now -> bool)) :=
  [("SET01", SET01); ("SET02", SET02); ("SET03", SET03); ("SET04", SET04); ("SET05", SET05); ("SET06", SET06);
    ("DRW01", DRW01); ("DRW02", DRW02); ("DRW03", DRW03); ("DRW04", DRW04); ("DRW05", DRW05); ("DRW06",
    DRW06); ("TOW01", TOW01); ("TOW02", TOW02); ("TOW03", TOW03); ("TOW04", TOW04); ("TOW05", TOW05);
    ("TOW06", TOW06); ("TOW07", TOW07); ("TOW08", TOW08); ("ACT01", ACT01); ("ACT02", ACT02); ("ACT03",
    ACT03); ("ACT04", ACT04); ("ACT05", ACT05); ("ACT06", ACT06); ("ACT07", ACT07); ("ACT08", ACT08);
    ("LIM01", LIM01); ("LIM02", LIM02); ("END04", END04); ("END05", END05); ("END06", END06)].
