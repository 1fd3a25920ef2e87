"""The part of the catalog in English that only the library says: answers in a few words, and what it cannot take."""

from __future__ import annotations

LIBRARY: dict[str, str] = {
    # answers in a few words
    "at_turn": "{turn:at}",
    "told_of": "{what}: {said}",
    "ends_legal": "legal, {result}",
    "illegal_in": "illegal, {turn:at}",
    "hangs_shown": "hangs on {names:list}",
    "dead_since": "deadlocked from {turn:since}",
    "never_dead": "not deadlocked at the end",
    "records_clash": "the records do not agree",
    # what it cannot take
    "takes_game": "{name} takes a game (Game, Record or Table), not {given}{hint}",
    "takes_place": "{name} takes a game or a position (Game, Record, Table, Snapshot, Position or State),"
    " not {given}{hint}",
    "takes_answer": "{name} takes what {by} returns, not {given}",
    "takes_value": "{name} takes {wanted:wanted}, not {given}",
    "wanted int": "a whole number",
    "wanted str": "a text",
    "wanted rules": "Rules or a text",
    "wanted action": "an action, a turn or its text",
    "wanted cell": "a Cell, as Cell(5, 1) for f1",
    "wanted card": "cards (1 to 50, F)",
    "wanted names": "names or a number of players",
    "hint_text": "; read and read_text make games of files and texts",
    "hint_many": "; ask about its games one by one",
    "unread_game": "this game cannot be read: {why}",
    "no_position_turn": "only a game has turns: leave out turn",
    "nobody_to_move": "the position has no line turn, so nobody is to move",
    "state_rules": "a State does not tell by which rules it is played: give rules, or ask position_after",
    "open_between": "whether the table was dead after {first:since} to {last:since} is open: {taken}",
    # a table that is played at
    "one_turn": "a turn is one line of CGN, with an action",
    "draw_twice": "this turn tells already what is drawn",
    "no_such_draw": "{draw} cards cannot be drawn here; amounts: {amounts:list}",
    "not_all_shown": "a table shows every card and mark, and this game hides some",
    "no_player_named": "there is no player {text}{meant:meant}; players: {names:list}",
}
