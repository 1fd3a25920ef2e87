"""The part of the catalog in English that the board says of looking: steps, what if, views, comments, files."""

from __future__ import annotations

BOARD_LOOK: dict[str, str] = {
    "board_no_comment": "there is no such comment",
    "board_no_page": "the page could not be made, or something newer was asked for",
    # steps
    "liveboard_set_up": "The set-up",
    "liveboard_after": "After turn {turn} of {turns}",
    "liveboard_set_up_of": "The set-up, before {count:liveboard_turns}",
    "liveboard_turns": "{} turns",
    "liveboard_turns 1": "1 turn",
    "liveboard_as": "as {name:name} saw it",
    "liveboard_as_everybody": "as everybody at the table saw it",
    "liveboard_looking": "This is looked at: nothing is played here. What if tries other turns from it.",
    "board_present": "Back to the game",
    # what if
    "board_what_if": "What if",
    "board_if": "if",
    "board_what_if_name": "What if: turns that are tried and not played",
    "liveboard_what_if": "What if, from turn {turn}",
    "liveboard_what_if_start": "What if, from the set-up",
    "liveboard_what_if_hint": "What if: nothing of it is written until it is kept.",
    "board_what_if_back": "Take back",
    "board_what_if_drop": "Throw away",
    "board_what_if_keep": "Keep",
    "liveboard_open": "Open what if",
    "liveboard_open_name": "Open {text}",
    "liveboard_uncomment": "Remove the comment {text}",
    "board_comments": "Comments",
    # views and what is taken along
    "board_seen_by": "Seen by",
    "liveboard_all": "everybody's cards",
    "liveboard_everybody": "everybody at the table",
    "board_position": "Position as CGN",
    "board_svg": "SVG",
    "board_png": "PNG",
    "board_page": "Report page",
    "liveboard_making": "The page is being made …",
    "liveboard_made": "Saved as {file}.",
    "liveboard_not_made": "It could not be made.",
    # the games
    "board_games": "Games",
    "board_close": "Close",
    "board_folder_told": "The rules as far as the cards are known; open a game for the rest.",
    "liveboard_shown": "{shown} of {total} games",
    "liveboard_reading": "{shown} of {total} games, being read …",
    "liveboard_more": "the first {count} games of {file} are listed",
    "liveboard_row": "{file}, game {index}",
}
