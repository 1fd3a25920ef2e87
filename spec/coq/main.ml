(* usage: couperation-proved FILE...

   Checks certificates on towers, and on tables that counting shows to be dead. A FILE holds one, or an array
   of them; each is answered in a line: accepted, rejected, or unsupported, which is any other claim and a
   position with an up card that is not told. What is accepted is so by the theorems accepts_sound of
   TowerChecker.v and count_ok_sound of CountingChecker.v. Reading is not proved: it is kept strict, and
   refuses some texts that spec/notation.md allows (with white space other than blanks, tabs and line ends).
   Of the counting game at most 500,000 positions are looked at; where there are more the certificate is
   rejected.

   Exit codes: 0 all are accepted, 1 one is rejected, 3 one is unsupported, 2 a file cannot be read. *)

open Proved

exception Rejected
exception Unsupported

let need condition = if not condition then raise Rejected
let max_bytes = 1 lsl 20

(* Numbers and lists of the proved part *)

let rec positive n =
  if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

let z n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))

(* The code points of a text; refused unless it is UTF-8. *)
let code_points text =
  let size = String.length text in
  let byte at = Char.code text.[at] in
  let rec later at count code =
    if count = 0 then code
    else (
      need (at < size && byte at land 0xc0 = 0x80);
      later (at + 1) (count - 1) ((code lsl 6) lor (byte at land 0x3f)))
  in
  let rec from at found =
    if at >= size then List.rev found
    else
      let b = byte at in
      let more, least, first =
        if b < 0x80 then (0, 0, b)
        else if b land 0xe0 = 0xc0 then (1, 0x80, b land 0x1f)
        else if b land 0xf0 = 0xe0 then (2, 0x800, b land 0x0f)
        else (need (b land 0xf8 = 0xf0); (3, 0x10000, b land 0x07))
      in
      let code = later (at + 1) more first in
      need (code >= least && code <= 0x10ffff && not (code >= 0xd800 && code <= 0xdfff));
      from (at + 1 + more) (code :: found)
  in
  from 0 []

(* JSON *)

let stands text at word =
  at + String.length word <= String.length text && String.sub text at (String.length word) = word

(* What Yojson reads beyond JSON is refused before: comments, names without quotes, control characters in
   strings. So are more than 64 levels, and bytes that are not UTF-8. *)
let plain text =
  need (String.length text <= max_bytes);
  ignore (code_points text);
  let depth = ref 0 and quoted = ref false and at = ref 0 in
  let bare c = String.contains "{}[]:,-0123456789 \t\r\n" c in
  while !at < String.length text do
    (match text.[!at] with
    | c when c < ' ' && !quoted -> raise Rejected
    | '\\' when !quoted -> incr at
    | '"' -> quoted := not !quoted
    | _ when !quoted -> ()
    | ('{' | '[') -> incr depth; need (!depth <= 64)
    | ('}' | ']') -> decr depth
    | 'a' .. 'z' -> (
      match List.find_opt (stands text !at) [ "true"; "false"; "null" ] with
      | Some word -> at := !at + String.length word - 1
      | None -> raise Rejected)
    | c -> need (bare c));
    incr at
  done

let load text =
  plain text;
  try Yojson.Safe.from_string text with Yojson.Json_error _ | Failure _ | Invalid_argument _ -> raise Rejected

(* The values of the fields of an object that has exactly these. *)
let fields names = function
  | `Assoc pairs ->
    need (List.length pairs = List.length names);
    List.map (fun name -> need (List.mem_assoc name pairs); List.assoc name pairs) names
  | _ -> raise Rejected

let text_of = function `String text -> text | _ -> raise Rejected
let items = function `List items -> items | _ -> raise Rejected
let whole least most = function `Int n when least <= n && n <= most -> z n | _ -> raise Rejected
let letter c = need (c >= 'a' && c <= 'm'); z (Char.code c - Char.code 'a')
let column value = let text = text_of value in need (String.length text = 1); letter text.[0]

let cell_named text =
  need (String.length text = 2 && text.[1] >= '1' && text.[1] <= '7');
  (letter text.[0], z (Char.code text.[1] - Char.code '0'))

let cell value = cell_named (text_of value)
let cells value = List.map cell (items value)
let one = function [ value ] -> value | _ -> raise Rejected
let pair = function [ first; second ] -> (first, second) | _ -> raise Rejected

(* The evidence of claims on towers *)

let interval value =
  match fields [ "kind"; "above"; "below"; "cells"; "left" ] value with
  | [ kind; above; below; members; left ] ->
    need (kind = `String "interval");
    { floor = whole 0 51 above; ceiling = whole 0 51 below; members = cells members;
      left = List.map (whole 1 50) (items left) }
  | _ -> raise Rejected

let kind value = match value with `Assoc pairs -> List.assoc_opt "kind" pairs | _ -> None

let reason value =
  match kind value with
  | Some (`String "interval") -> ByInterval (interval value)
  | Some (`String "order") ->
    let p, q = pair (cells (List.nth (fields [ "kind"; "cells" ] value) 1)) in
    ByOrder (p, q)
  | Some (`String "gone") -> (
    match fields [ "kind"; "intervals"; "missing" ] value with
    | [ _; intervals; missing ] -> ByGone (List.map interval (items intervals), whole (-99) 99 missing)
    | _ -> raise Rejected)
  | Some (`String "finish") -> (
    match fields [ "kind"; "why"; "cell" ] value with
    | [ _; `String "gone"; `Null ] -> FinishGone
    | [ _; `String "below_apex"; at ] -> BelowApex (cell at)
    | _ -> raise Rejected)
  | _ -> raise Rejected

let conflict value =
  let members, why = pair (fields [ "cells"; "reason" ] value) in
  (cells members, reason why)

let index = whole 0 999_999_999

let node value =
  let at, branches = pair (fields [ "conflict"; "branches" ] value) in
  (index at, List.map index (items branches))

let proof value =
  match kind value with
  | Some (`String "disjoint") ->
    Disjoint (List.map conflict (items (List.nth (fields [ "kind"; "conflicts" ] value) 1)))
  | Some (`String "tree") -> (
    match fields [ "kind"; "conflicts"; "nodes" ] value with
    | [ _; conflicts; nodes ] -> Tree (List.map conflict (items conflicts), List.map node (items nodes))
    | _ -> raise Rejected)
  | _ -> raise Rejected

let filling = function
  | `Assoc pairs ->
    let card = function `String "F" -> Finish | value -> Glass (whole 1 50 value) in
    List.map (fun (at, value) -> (cell_named at, card value)) pairs
  | _ -> raise Rejected

let placed name read value =
  let at, rest = pair (fields [ "column"; name ] value) in
  (column at, read rest)

let evidence claim value =
  match claim with
  | "tower-completable" ->
    let at, filled = placed "filling" filling value in
    Completable (at, filled)
  | "tower-deadlocked" ->
    Deadlocked (List.map (placed "reason" reason) (items (one (fields [ "places" ] value))))
  | _ -> (
    match fields [ "distance"; "column"; "give_up"; "filling"; "lower" ] value with
    | [ distance; at; given; filled; lower ] ->
      let give_up = cells given and proofs = List.map (placed "proof" proof) (items lower) in
      if distance = `Null then (
        need (at = `Null && filled = `Null && give_up = []);
        BeyondRepair proofs)
      else (
        need (whole 0 28 distance = z (List.length give_up));
        Repaired (give_up, column at, filling filled, proofs))
    | _ -> raise Rejected)

(* Rulings: their names and options *)

let options =
  [ "anchor=middle|floating"; "spread=adjacent|anywhere"; "row_order=strict|weak"; "between=strict|inclusive";
    "facedown=integers|deck|ignored|repeats"; "replace_target=any|not_anchor|facedown_only";
    "take_sent=allowed|forbidden"; "adjust=each|uniform|up_to"; "reserve_face=up|either";
    "early_apex=forbidden|no_win|win_on_completion|loses"; "hearts_below=zero_each|zero_all";
    "draw_amount=up_to|exact"; "draw_source=opened|last_placed|nothing|as_laid";
    "finish_value=25|none|apex_free"; "finish_half=top|bottom"; "finish_reserve_count=yes|no";
    "no_action=loses|skipped"; "finish_refill=next|at_once"; "refill_amount=up_to|all_or_none";
    "heart_over_back=nothing|zero"; "opened_against=loses|stands"; "replacements=each|once";
    "finish_in_hand=no|yes" ]

let rulings value =
  let known = List.map (fun line -> pair (String.split_on_char '=' line)) options in
  let names = List.map fst known in
  let values = List.map text_of (fields names value) in
  List.iter2 (fun (_, some) value -> need (List.mem value (String.split_on_char '|' some))) known values;
  fun name -> List.assoc name (List.combine names values)

(* Positions *)

let words line =
  let blank = String.map (fun c -> if c = '\t' || c = '\r' then ' ' else c) line in
  List.filter (( <> ) "") (String.split_on_char ' ' blank)

(* White space of other kinds, which a reader may or may not take as such, is refused. *)
let usual text =
  let strange code =
    (code < 0x20 && not (List.mem code [ 9; 10; 13 ]))
    || List.mem code [ 0x7f; 0x85; 0xa0; 0x1680; 0x2028; 0x2029; 0x202f; 0x205f; 0x3000; 0xfeff ]
    || (code >= 0x2000 && code <= 0x200f)
  in
  not (List.exists strange (code_points text))

(* A text without its comments: from ; to the end of the line, and in braces; neither begins within quotes. *)
let bare text =
  let out = Buffer.create (String.length text) and at = ref 0 in
  let until c = match String.index_from_opt text !at c with Some stop -> stop | None -> String.length text in
  while !at < String.length text do
    (match text.[!at] with
    | '"' ->
      let line = until '\n' in
      let stop = match String.index_from_opt text (!at + 1) '"' with Some stop -> stop | None -> line in
      need (stop < line);
      Buffer.add_string out (String.sub text !at (stop - !at + 1));
      at := stop
    | ';' -> Buffer.add_char out ' '; at := until '\n' - 1
    | '{' -> let stop = until '}' in need (stop < String.length text); Buffer.add_char out ' '; at := stop
    | c -> Buffer.add_char out c);
    incr at
  done;
  Buffer.contents out

let is_name name = name <> "" && not (String.exists (fun c -> String.contains " \t\r\";{}[]" c) name)

(* The tags of a line, each [NAME "value"]. *)
let rec tags_of line =
  if line = "" then []
  else
    match String.split_on_char '"' line with
    | opening :: value :: _ ->
      let start = String.length opening + String.length value + 2 in
      let rest = String.trim (String.sub line start (String.length line - start)) in
      need (opening <> "" && opening.[0] = '[' && rest <> "" && rest.[0] = ']');
      let name = String.trim (String.sub opening 1 (String.length opening - 1)) in
      need (is_name name);
      (name, value) :: tags_of (String.trim (String.sub rest 1 (String.length rest - 1)))
    | _ -> raise Rejected

let distinct list = List.length (List.sort_uniq compare list) = List.length list

let card word =
  if word = "?" then None
  else if word = "F" then Some Finish
  else (
    need (word <> "" && String.length word <= 2 && word.[0] <> '0');
    need (String.for_all (fun c -> c >= '0' && c <= '9') word);
    let v = int_of_string word in
    need (v <= 50);
    Some (Glass (z v)))

let laid_card word =
  let lies_up = not (String.starts_with ~prefix:"~" word) in
  let rest = if lies_up then word else String.sub word 1 (String.length word - 1) in
  let shown, at = pair (String.split_on_char '@' rest) in
  ((cell_named at, card shown), lies_up)

let mark word =
  let value, sign = pair (String.split_on_char ':' word) in
  let shown = match sign with "1" -> One_diamond | "2" -> Two_diamonds | "H" -> Heart | _ -> raise Rejected in
  match card value with Some (Glass v) -> (v, shown) | _ -> raise Rejected

(* A position; what else a table says: the own cards of each player, the marks, and what the draw follows; and
   the player to move, where the text tells one. *)
let position text ruling =
  need (usual text && String.length text <= max_bytes);
  let raw = String.split_on_char '\n' text in
  need (List.for_all (fun line -> String.length line < 1 lsl 16) raw);
  need (List.length (List.filter (String.starts_with ~prefix:"[CGN ") raw) <= 1);
  let lines = List.filter (( <> ) "") (List.map String.trim (String.split_on_char '\n' (bare text))) in
  let rec parted tags = function
    | line :: rest when line.[0] = '[' -> parted (tags @ tags_of line) rest
    | rest -> (tags, List.map words rest)
  in
  let tags, lines = parted [] lines in
  let tag name other = Option.value (List.assoc_opt name tags) ~default:other in
  need (distinct (List.map fst tags) && tags <> [] && List.hd tags = ("CGN", "1"));
  need (List.mem (tag "Variant" "first") [ "first"; "finish" ]);
  let players = words (tag "Players" "") and variant = tag "Variant" "first" = "finish" in
  need (List.for_all is_name players && distinct players && List.mem (List.length players) [ 2; 3; 4 ]);
  let marks = List.map mark (words (tag "Marks" "")) in
  need (distinct (List.map fst marks));
  need (lines <> [] && List.hd lines = [ "position" ]);
  let key = function
    | "hand" :: name :: rest -> need (List.mem name players); ("hand " ^ name, rest)
    | kind :: rest ->
      need (List.mem kind (words "tower front reserve gone deck turn last skipped replaced"));
      (kind, rest)
    | [] -> raise Rejected
  in
  let state = List.map key (List.tl lines) in
  let has name = List.mem_assoc name state in
  let told_of name = Option.value (List.assoc_opt name state) ~default:[] in
  let pile name = List.map card (told_of name) in
  let owners = List.map (( ^ ) "hand ") players in
  need (distinct (List.map fst state) && has "tower");
  need ((not (has "turn")) || List.for_all has ("reserve" :: owners));
  let laid = List.map laid_card (told_of "tower") in
  (* the lines that say nothing of the tower *)
  let cells = List.map (fun word -> List.nth (String.split_on_char '@' word) 1) (told_of "tower") in
  let opened =
    List.concat (List.map2 (fun at ((_, shown), lies_up) ->
      if lies_up && shown <> Some Finish && at.[1] <> '7' then [ at ^ " laid down" ] else []) cells laid)
  in
  let sources =
    cells @ match ruling "draw_source" with "as_laid" -> opened | "nothing" -> [ "-" ] | _ -> []
  in
  let skipped = if ruling "no_action" = "skipped" then List.length players else 1 in
  let choices =
    [ ("front", players); ("turn", players); ("last", sources); ("skipped", List.init skipped string_of_int);
      ("replaced", [ "no"; "yes" ]) ]
  in
  let may (name, some) = (not (has name)) || List.mem (String.concat " " (told_of name)) some in
  need (List.for_all may choices);
  let front name = if told_of "front" = [ name ] then [ Some Finish ] else [] in
  let own = List.map2 (fun name owner -> front name @ pile owner) players owners in
  let rec seat at name = function
    | [] -> raise Rejected
    | one :: rest -> if one = name then at else seat (at + 1) name rest
  in
  let due = match told_of "turn" with [ name ] -> Some (seat 0 name players) | _ -> None in
  let source =
    match told_of "last" with
    | [] -> No_source
    | "-" :: _ -> Idle
    | at :: laid_down -> After (cell_named at, laid_down <> [])
  in
  let mover = due <> None && not (List.exists (fun owner -> List.mem (Some Finish) (pile owner)) owners) in
  let read = { on = printed; variant; middle = ruling "anchor" = "middle";
    row_order = (if ruling "row_order" = "weak" then Weak else Strict);
    between = (if ruling "between" = "inclusive" then Weak else Strict);
    value_of_finish = (match ruling "finish_value" with "25" -> Numbered | "none" -> Nowhere | _ -> ApexFree);
    target =
      (match ruling "replace_target" with "any" -> AnyCard | "not_anchor" -> NotAnchor | _ -> FacedownOnly);
    laid; hands = List.concat own; reserve = pile "reserve"; gone = pile "gone";
    deck = pile "deck" } in
  (read, (own, marks, source), if mover then due else None)

(* The evidence of tables that counting shows to be dead *)

let rec natural ?(found = O) n = if n = 0 then found else natural ~found:(S found) (n - 1)
let fuel = lazy (natural 500_000)

let count value =
  if kind value = Some (`String "search") then raise Unsupported;
  match fields [ "kind"; "numbers"; "cells"; "cards" ] value with
  | [ kind; (`Assoc told as numbers); named; values ] ->
    let players = List.init (max 0 (List.length told - 5)) (fun at -> "player " ^ string_of_int (at + 1)) in
    let of_kind, names =
      match text_of kind with
      | "cards" -> (Cards, [ "empty"; "cards" ])
      | "apex" -> (Apex, [ "down" ])
      | "stuck" -> (Stuck, [ "player"; "deck"; "draw" ])
      | "order" -> (Order, [ "pairs"; "down" ])
      | "interval" -> (Interval, [ "empty"; "cards"; "above"; "below" ])
      | "replacements" -> (Replacements, [ "empty"; "cards"; "spent" ])
      | "exchanges" -> (Exchanges, [ "empty"; "cards"; "spent" ])
      | "turns" -> (Turns (Lazy.force fuel), [ "empty"; "down"; "owe"; "deck"; "draw" ] @ players)
      | "finish" -> (
        match told with
        | [ ("gone", _) ] -> (Finishes GoneWay, [ "gone" ])
        | [ ("reserve", _) ] -> (Finishes ReserveWay, [ "reserve" ])
        | _ -> (Finishes LaidWay, [ "laid" ]))
      | _ -> raise Rejected
    in
    let numbers = List.map (whole (-1) 99) (fields names numbers) in
    (of_kind, numbers, cells named, List.map (whole 1 50) (items values))
  | _ -> raise Rejected

let rulings_of_tables read ruling =
  table_rulings read
    (match ruling "facedown" with
    | "integers" -> By_integers | "deck" -> By_deck | "repeats" -> By_repeats | _ -> Ignored)
    (ruling "reserve_face" = "either")
    (match ruling "early_apex" with
    | "forbidden" -> Forbidden | "no_win" -> No_win | "win_on_completion" -> Win_on_completion | _ -> Loses)
    (ruling "opened_against" = "stands")
    (ruling "no_action" = "skipped")
    (ruling "take_sent" = "allowed")

let rulings_of_draws ruling =
  { zero_all = ruling "hearts_below" = "zero_all"; zero_over_back = ruling "heart_over_back" = "zero";
    at_once = ruling "finish_refill" = "at_once"; in_hand = ruling "finish_in_hand" = "yes" }

(* Certificates *)

let supported = [ "tower-completable"; "tower-deadlocked"; "tower-repair"; "table-deadlocked" ]
let others = [ "table-completable"; "record-legal"; "record-illegal" ]

let answer value =
  let told_claim = match value with `Assoc pairs -> List.assoc_opt "claim" pairs | _ -> None in
  let format = match value with `Assoc pairs -> List.assoc_opt "format" pairs | _ -> None in
  match (told_claim, format) with
  | _, Some (`Int version) when version > 1 -> raise Unsupported
  | Some (`String claim), Some (`Int 1) when List.mem claim supported -> (
    match fields [ "format"; "claim"; "position"; "rulings"; "evidence" ] value with
    | [ _; _; text; ruled; shown ] ->
      let ruling = rulings ruled in
      let verdict =
        if claim = "table-deadlocked" then
          let of_kind, numbers, named, values = count shown in
          fun read (own, marks, source) due ->
            match due with
            | None -> false
            | Some due ->
              count_ok read own (natural due) (rulings_of_tables read ruling) (rulings_of_draws ruling) marks
                source of_kind numbers named values
        else (
          let shown = evidence claim shown in
          fun read _ _ -> accepts read shown)
      in
      let read, table, due = position (text_of text) ruling in
      if not (told read) then raise Unsupported;
      verdict read table due
    | _ -> raise Rejected)
  | Some (`String claim), Some (`Int 1) when List.mem claim others -> raise Unsupported
  | _ -> raise Rejected

let verdict value =
  match answer value with
  | true -> "accepted"
  | false | exception (Rejected | Not_found | Failure _ | Invalid_argument _) -> "rejected"
  | exception (Unsupported | Stack_overflow) -> "unsupported"

let read_file name =
  let channel = open_in_bin name in
  let text = really_input_string channel (min (in_channel_length channel) (max_bytes + 1)) in
  close_in channel;
  text

(* Whether a text is an SMT-LIB script: lines of comments, and then a command that sets something. *)
let script text =
  List.find_opt (fun line -> not (stands line 0 ";")) (String.split_on_char '\n' text)
  |> Option.fold ~none:false ~some:(fun line -> stands line 0 "(set-")

let () =
  let codes = ref [] in
  let say name word =
    codes := (match word with "accepted" -> 0 | "rejected" -> 1 | _ -> 3) :: !codes;
    Printf.printf "%s: %s\n" name word
  in
  let check name =
    match
      let text = read_file name in
      if script text then raise Unsupported else load text
    with
    | `List (_ :: _ as several) ->
      List.iteri (fun at value -> say (Printf.sprintf "%s[%d]" name at) (verdict value)) several
    | value -> say name (verdict value)
    | exception Rejected -> say name "rejected"
    | exception Unsupported -> say name "unsupported"
    | exception (Sys_error _ | End_of_file) ->
      prerr_endline (name ^ ": cannot be read");
      codes := 2 :: !codes
  in
  List.iter check (List.tl (Array.to_list Sys.argv));
  exit (match List.find_opt (fun code -> List.mem code !codes) [ 2; 1; 3 ] with Some code -> code | None -> 0)
