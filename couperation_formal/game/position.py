"""From the state of a table to a position, and back."""

from msgspec.structs import replace

from couperation_formal.game.record import Position
from couperation_formal.game.rules.turn import Limit, as_down, draw_limit, draw_source, idle
from couperation_formal.game.rulings import Rules, taggable
from couperation_formal.game.state import Pile, State, all_cards
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Tower, level_by_level


def position_of(state: State, rules: Rules, tags: tuple[tuple[str, str], ...]) -> Position:
    """A state as a position, under these rules; `tags` are kept and a `Rules` tag is added.

    After the end of a game nobody is to move, and the position has no `turn`.
    """
    rules = taggable(rules)
    going = state.result is None
    deck = list(state.deck)
    while deck and deck[-1] is UNSEEN:
        deck.pop()
    front = None if state.front is None else state.players[state.front]
    tags = (*tags[:1], ("Rules", str(rules)), *tags[1:])
    return Position(
        tags=tags,
        players=state.players,
        rules=rules,
        variant=state.variant,
        marks=state.marks,
        tower=level_by_level(state.tower.cells),
        hands={name: hand.cards for name, hand in zip(state.players, state.hands, strict=True)},
        front=front,
        reserve=state.reserve.cards,
        gone=state.gone.cards,
        deck=tuple(deck) or None,
        turn=state.players[state.to_move] if going else None,
        last=draw_source(state, rules.rulings) if going else None,
        idle=going and idle(state, rules.rulings),
        laid_down=going and as_down(state, rules.rulings) and state.laid not in state.tower.down,
        skipped=state.skipped if going else 0,
        replaced=state.replaced and rules.rulings.replacements == "once",
        sizes={name: state.sizes(at) for at, name in enumerate(state.players) if state.hands[at].more},
    )


def under(position: Position, rules: Rules | None) -> Position:
    """The position under other rules, its tags too."""
    if rules is None:
        return position
    rules = taggable(rules)
    tags = [tag for tag in position.tags if tag[0] != "Rules"]
    return replace(position, rules=rules, tags=(*tags[:1], ("Rules", str(rules)), *tags[1:]))


def next_draw(position: Position, state: State) -> Limit:
    """The limit of the next draw in a position in which somebody is to move; `state` is `state_of` it."""
    return draw_limit(state, state.to_move, position.rules.rulings)


def state_of(position: Position, board: Board = STANDARD) -> State:
    """The state of a position in which somebody is to move: the deck is every card that is placed nowhere else, and the
    anchor was replaced where its card does not lie up on its cell.
    """
    sizes = (position.sizes.get(player, (0, 0)) for player in position.players)
    piles = (Pile.of(position.hands.get(player, ())) for player in position.players)
    hands = tuple(Pile(hand.known, hand.unseen, size[1] - size[0]) for hand, size in zip(piles, sizes, strict=True))
    reserve, gone = Pile.of(position.reserve or ()), Pile.of(position.gone)
    placed = len(position.tower) + sum(hand.size for hand in hands) + reserve.size + gone.size
    size = len(all_cards(board, position.variant)) - placed - (position.front is not None)
    known = (position.deck or ())[: max(0, size)]
    tower = Tower.of(board, dict(position.tower))
    to_move = position.players.index(position.turn) if position.turn is not None else 0
    return State(
        board=board,
        variant=position.variant,
        players=position.players,
        marks=position.marks,
        tower=tower,
        hands=hands,
        front=position.players.index(position.front) if position.front is not None else None,
        reserve=reserve,
        gone=gone,
        deck=(*known, *(UNSEEN,) * (size - len(known))),
        to_move=to_move,
        laid=position.last,
        touched=position.last,
        anchor_moved=tower.numbers.get(board.anchor_cell) != board.anchor,
        turned=position.idle,
        laid_down=position.laid_down or position.last in tower.down,
        replaced=position.replaced,
        skipped=position.skipped,
        given=True,
    )
