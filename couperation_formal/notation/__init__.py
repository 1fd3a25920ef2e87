"""CGN, the text form of games and positions: the grammar, reading, syntax errors in the player's words, writing."""

from couperation_formal.notation import write as write  # actions, turns, records and positions are printed as CGN
