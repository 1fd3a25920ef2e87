"""A turn that is being made: what the taps make of it, what may be tapped next, and what the rules say of it.

A tap tells cards, a cell, and nothing that follows from them. The sign of a sum, the marks of destroyed cards, the card
that is replaced, the card known to lie on a cell that is opened, the action itself where the taps can mean one only:
the engine fills them in (`spec/board.md`).
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from couperation_formal.board.record import placed_at, reached, typed
from couperation_formal.game.fact import Datum, Fact, Spent, Steps, Unfit, fact, named, translated
from couperation_formal.game.record import Action, Exchange, Game, LayDown, LayUp, NoAction, Open, Record, Turn
from couperation_formal.game.replay import Broken, Doubt, replay
from couperation_formal.game.rules.arrangement import Windows, finish_number
from couperation_formal.game.rules.moves import Adjust, Payment, Places, Sign, may_allow, payments, writings
from couperation_formal.game.rules.step import Finding, Step, carry_out
from couperation_formal.game.rules.turn import draw_limit, ending, fill_limit, lim01, lim02
from couperation_formal.game.rulings import Rulings, registry
from couperation_formal.game.state import Pile, State, with_hand
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Cell, Down, FinishCard, Shown, UnseenCard, card_key
from couperation_formal.hidden.readings.standing import mends_at
from couperation_formal.notation.parse import CARDS, CELLS, laid
from couperation_formal.notation.write import turn_text
from couperation_formal.questions.records.hanging import comes_to, hanging
from couperation_formal.questions.records.quarrel import judged

Letter = Literal["A", "B", "C", "D", "-"]
Glyph = Literal["!", "?", "!?", "?!", "!!", "??", "~~"]
Word = Annotated[str, Meta(max_length=4)]
Words = Annotated[tuple[Word, ...], Meta(max_length=60)]


class Draft(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What was tapped of one turn, as words of CGN; whatever is left out is not told yet or follows.

    `card` is the card laid by A and B, shown by C, taken by D; `sent` the two cards of D and `destroyed` further ones.
    `sign`, `adjust`, `replaced` (as after ``x``: ``26``, ``~26``, ``?``) and `action` are told only where more than one
    could be meant and it is not the first. `down`: the card taken is laid down.
    """

    draw: Words = ()
    draw_open: bool = False
    action: Letter | None = None
    card: Word | None = None
    cell: Word | None = None
    sent: Words = ()
    destroyed: Words = ()
    sign: Sign | None = None
    adjust: Annotated[tuple[Adjust, ...], Meta(max_length=60)] = ()
    down: bool = False
    replaced: Word | None = None
    fill: Words = ()
    fill_open: bool = False
    drop: Words = ()
    trim: Words = ()
    glyphs: Annotated[tuple[Glyph, ...], Meta(max_length=4)] = ()

    @property
    def own(self) -> tuple[Shown, ...]:
        """The cards that the taps take from the player's own, but for those dropped."""
        mine = [self.card] if self.card is not None and not self.sent and self.action in (None, "A", "B") else []
        return cards((*mine, *self.sent, *self.destroyed))


def draft_of(turn: Turn) -> Draft:
    """The taps that make a turn, whatever the table before it is; that its fill was not noted is left out."""
    draft = Draft(
        draw=_words(turn.draw),
        draw_open=turn.draw_open,
        fill=_words(turn.fill),
        drop=_words(turn.drop),
        trim=_words(turn.trim),
    )
    match turn.action:
        case NoAction():
            return replace(draft, action="-")
        case Exchange(replaced=replaced) as paid:
            below = None if replaced is None else "?" if replaced == Down(UNSEEN) else str(replaced)
            return replace(
                draft,
                action="D",
                card=str(paid.taken),
                cell=str(paid.cell),
                sent=_words((paid.first, paid.second)),
                destroyed=_words(card for _, card in paid.adjust),
                sign=paid.sign,
                adjust=tuple(mark for mark, _ in paid.adjust),
                down=not paid.face_up,
                replaced=below,
            )
        case action:
            letter: Letter = "A" if isinstance(action, LayUp) else "B" if isinstance(action, LayDown) else "C"
            return replace(draft, action=letter, card=str(action.card), cell=str(action.cell))


def _words(cards: Iterable[Shown]) -> Words:
    return tuple(map(str, cards))


def card_of(word: str) -> Shown:
    """A card by its word. Raises `Unfit`."""
    if word not in CARDS:
        raise Unfit("board_no_card", text=word)
    return CARDS[word]


def cards(words: tuple[str, ...]) -> tuple[Shown, ...]:
    """Cards by their words. Raises `Unfit`."""
    return tuple(map(card_of, words))


def cell_of(word: str) -> Cell:
    """A cell by its word. Raises `Unfit`."""
    if word not in CELLS:
        raise Unfit("board_no_cell", text=word)
    return CELLS[word]


def supposed(state: State, seat: int, tapped: tuple[Shown, ...]) -> State:
    """The table on which unseen cards of this hand are those that were tapped, as far as they may be."""
    hand = state.hands[seat]
    for card in tapped:
        if hand.unseen > 0 and isinstance(card, int) and state.whereabouts(card) is None:
            hand = Pile(hand.known | {card}, hand.unseen - 1)
    return replace(state, hands=with_hand(state.hands, seat, hand))


def _action(draft: Draft, drawn: State, rulings: Rulings, shown: bool) -> Action | None:
    """The action that the draft makes, None while it is not told. `drawn` is the table after its draw; `shown` tells
    that the record shows all cards, so that a card that comes back to hand is named. Raises `Unfit` for words that are
    no cards or cells.
    """
    if draft.action == "-":
        return NoAction()
    cell = None if draft.cell is None else cell_of(draft.cell)
    told = None if draft.card is None else card_of(draft.card)
    if cell is None:
        return None
    lies = drawn.tower.cells.get(cell)
    # A card on a cell lays it up; on a card that lies down it is what that shows.
    letter = draft.action or ("D" if draft.sent else "C" if isinstance(lies, Down) else "A")
    if letter == "C" and told is None and isinstance(lies, Down) and lies.card is not UNSEEN:
        return Open(cell, lies.card)
    if told is None:
        return None
    if letter == "C":
        return Open(cell, told)
    if letter == "D":
        return _exchange(draft, cell, told, rulings, drawn, shown)
    return (LayDown if letter == "B" else LayUp)(told, cell)


def _exchange(draft: Draft, cell: Cell, taken: Shown, rulings: Rulings, drawn: State, shown: bool) -> Action | None:
    if len(draft.sent) != 2:
        return None
    first, second = cards(draft.sent)
    destroyed = cards(draft.destroyed)
    sign, adjust = _sum(draft, taken, drawn, rulings)
    replaced = drawn.tower.cells.get(cell)
    if draft.replaced is not None:
        if draft.replaced.removeprefix("~") not in CARDS:
            raise Unfit("board_no_card", text=draft.replaced)
        replaced = Down(UNSEEN) if draft.replaced == "?" else laid(draft.replaced)
    elif isinstance(replaced, Down) and not shown:
        replaced = Down(UNSEEN)
    pairs = tuple(zip(adjust, destroyed, strict=True))
    return Exchange(first, sign, second, pairs, taken, not draft.down, cell, replaced)


def _sum(draft: Draft, taken: Shown, drawn: State, rulings: Rulings) -> tuple[Sign, tuple[Adjust, ...]]:
    """The sign and the marks of the destroyed cards: as they are told, else the first way in which the numbers agree,
    else the way that comes nearest, of which the rules can tell by how much it fails.
    """
    count = len(draft.destroyed)
    told = draft.adjust if len(draft.adjust) == count else None
    up: Adjust = "^"
    below: Adjust = "_"
    low, high, target = (_number(card, drawn, rulings) for card in (*cards(draft.sent), taken))
    if low is None or high is None or target is None:
        return draft.sign or "-", told or (up,) * count
    for sign, adjust in writings(low, high, target, count, rulings):
        if draft.sign in (None, sign):
            return sign, told or adjust
    results: dict[Sign, int] = {"+": low + high, "-": abs(low - high)}
    first: Sign = min(results, key=lambda sign: abs(results[sign] - target))
    nearest = draft.sign or first
    return nearest, told or (up if target >= results[nearest] else below,) * count


def _number(card: Shown, drawn: State, rulings: Rulings) -> int | None:
    if isinstance(card, FinishCard):
        return finish_number(drawn.board, rulings)
    return None if isinstance(card, UnseenCard) else card


# What may be tapped next: the cells on which a card can be laid and what each would leave, and the sums that reach a
# card of the Reserve.

_STEPS = 6_000
"""The steps in which sums are looked for: some ten milliseconds."""
_MOST = 200
"""So many sums are offered at most."""

Range = tuple[int | None, int | None]
"""The least and the greatest number that fits a cell, None where nothing bounds it."""


class Leaves(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an action would leave: how many cards the next player may draw, the numbers that the free cells then take
    where that changes, the cells that take none any more, and how the game ends, if it does.
    """

    draw: tuple[int, ...] = ()
    windows: dict[str, Range] = {}
    closed: tuple[str, ...] = ()
    ends: str | None = None


class Sum(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A way to pay for a card of the Reserve: two cards sent, others destroyed, each with its mark."""

    taken: str
    sent: tuple[str, str]
    sign: str
    destroyed: tuple[str, ...] = ()
    adjust: tuple[str, ...] = ()


class Offers(Struct, frozen=True, kw_only=True):
    """What the player to move may do after the draw, as far as the cards are known.

    `up` are the cells of each card by A, `down` those on which any Glass card of the hand can lie by B, `opens` the
    cells of C; `sums` the payments of D and `places` the cells of the card of the Reserve that was asked about, which
    may lie down where `either`. `complete` is False where unseen cards may allow more.
    """

    up: dict[str, dict[str, Leaves]]
    down: dict[str, Leaves]
    opens: tuple[str, ...]
    sums: tuple[Sum, ...]
    places: dict[str, Leaves]
    either: bool
    complete: bool


class _Looks:
    """Looks at what actions leave, from one table."""

    def __init__(self, drawn: State, seat: int, rulings: Rulings) -> None:
        self._drawn, self._seat, self._rulings = drawn, seat, rulings
        self._before = self._windows(drawn)

    def at(self, action: Action) -> Leaves:
        """What the action leaves."""
        turn = Turn(self._drawn.turns + 1, self._drawn.players[self._seat], (), action)
        step = carry_out(self._drawn, turn, self._seat)
        end = ending(step, self._rulings)
        if end is not None:
            return Leaves(ends=end)
        after = self._windows(step.acted)
        cell = None if isinstance(action, Open) else str(getattr(action, "cell", None))
        return Leaves(
            draw=draw_limit(step.acted, step.acted.to_move, self._rulings).amounts,
            windows={name: window for name, window in after.items() if self._before.get(name) != window},
            closed=tuple(name for name in self._before if name not in after and name != cell),
        )

    def _windows(self, state: State) -> dict[str, Range]:
        windows = Windows(state.board, state.tower, self._rulings)
        free = {cell: windows.window(cell) for cell in Places(state, self._rulings).free()}
        return {str(cell): (window.low, window.high) for cell, window in free.items() if not window.empty}


def offers(drawn: State, seat: int, rulings: Rulings, tapped: Iterable[Shown], taken: Shown | None) -> Offers:
    """The offers on a table after the draw. `tapped` are own cards that are to be sent or destroyed, so that only sums
    with them are offered; `taken` asks for the cells of that card. Cost: a carrying out for each cell of each card.
    """
    places, looks = Places(drawn, rulings), _Looks(drawn, seat, rulings)
    free, hand = list(places.free()), drawn.hands[seat]
    own = sorted(hand.known, key=card_key) + [FINISH] * (drawn.front == seat)
    up = {
        str(card): {str(cell): looks.at(LayUp(card, cell)) for cell in free if places.fits_up(cell, card)}
        for card in own
    }
    below = min((card for card in hand.known if isinstance(card, int)), default=UNSEEN if hand.unseen else None)
    down = {str(cell): looks.at(LayDown(below, cell)) for cell in free if below is not None and places.fits_down(cell)}
    sums = list(_sums(drawn, own, rulings, frozenset(tapped)))
    paid = next((each for each in sums if each.taken == taken), None)
    return Offers(
        up=up,
        down=down,
        opens=tuple(map(str, sorted(drawn.tower.down))),
        sums=tuple(map(_paid, sums)),
        places={} if paid is None else dict(_taken(places, looks, free, paid, rulings)),
        either=rulings.reserve_face == "either",
        complete=not may_allow(drawn, seat),
    )


def _sums(drawn: State, own: list[Card], rulings: Rulings, tapped: frozenset[Shown]) -> Iterator[Payment]:
    ways = payments(drawn, own, rulings, Steps(_STEPS))
    fitting = (each for each in ways if tapped <= {each.first, each.second, *(card for _, card in each.adjust)})
    with suppress(Spent):
        yield from islice(fitting, _MOST)


def _paid(paid: Payment) -> Sum:
    return Sum(
        taken=str(paid.taken),
        sent=(str(paid.first), str(paid.second)),
        sign=paid.sign,
        destroyed=tuple(str(card) for _, card in paid.adjust),
        adjust=tuple(mark for mark, _ in paid.adjust),
    )


def _taken(
    places: Places, looks: _Looks, free: list[Cell], paid: Payment, rulings: Rulings
) -> Iterator[tuple[str, Leaves]]:
    """The cells on which the card that is paid for can be laid; down ones, where they are ruled so, as ``~g3``."""
    for cell, replaced in [*((cell, None) for cell in free), *places.replaceable()]:
        for face_up in (True, False) if rulings.reserve_face == "either" else (True,):
            if places.fits(cell, paid.taken, face_up, replaced):
                action = Exchange(*paid[:4], paid.taken, face_up, cell, replaced)
                yield f"{'' if face_up else '~'}{cell}", looks.at(action)


# What the rules say: a verdict with reasons in numbers, and what is still due.

Verdict = Literal["legal", "illegal", "undetermined"]


class Found(Struct, frozen=True, kw_only=True):
    """A clause that the turn breaks: the sentence with its numbers, the part of the turn and the cells it names."""

    clause: str
    message: Fact
    part: str
    cells: tuple[str, ...] = ()


class Due(Struct, frozen=True, kw_only=True):
    """What the turn still has to name: so many cards of a part, `least` of them at least. `cards` are those that it can
    be, where they are told.
    """

    part: Literal["draw", "action", "card", "cell", "sent", "replaced", "fill", "drop", "trim"]
    least: int = 1
    most: int = 1
    cards: tuple[str, ...] = ()


class Judgement(Struct, frozen=True, kw_only=True):
    """The rules on one turn. `books` are the rulebooks, and `changes` the smallest changes of the record's rules, under
    which the game up to this turn is legal, each with what they say; `nowhere` tells that every rulebook refuses the
    turn by itself. These are asked where it is illegal here and nothing is due. `ends` tells how the turn ends the
    game; `later` the first later turn that it breaks, with the sentence.
    """

    verdict: Verdict
    found: tuple[Found, ...] = ()
    open: tuple[Fact, ...] = ()
    books: tuple[str, ...] = ()
    changes: dict[str, Fact] = {}
    nowhere: bool = False
    ends: str | None = None
    later: tuple[int, str, Fact] | None = None


class Drafted(Struct, frozen=True, kw_only=True):
    """A draft as the board shows it. `text` is the canonical line, None while the action is not told; `may_draw` the
    amounts that may be drawn, `draws_known` whether the record tells which; `turn` is for those who go on with it here.
    """

    place: int
    player: str
    text: str | None
    judged: Judgement | None
    due: tuple[Due, ...]
    may_draw: tuple[int, ...]
    draws_known: bool
    offers: Offers | None
    turn: Turn | None

    def told(self) -> dict[str, Any]:
        """It as data."""
        return {name: value for name, value in asdict(self).items() if name != "turn"}


def stood_before(record: Record, place: int) -> State:
    """The table before the turn at this place; turns before it stand as they were played, illegal ones too. Where the
    record does not tell it, as far as it does. Cost: one replay, some of a game that is not legal or not told.
    """
    rulings = record.rules.rulings
    kept = replace(record, turns=record.turns[: place - 1], result=None)
    outcome = replay(kept, rulings)
    if outcome.illegal is not None:
        outcome = replay(kept, rulings, since=place, hanging=False)
        if len(outcome.states) == place:
            return replace(outcome.states[-1], result=reached(kept))
    if len(outcome.states) == place:
        return outcome.states[-1]
    state = outcome.states[0]
    for turn in kept.turns:
        seat = state.players.index(turn.player) if turn.player in state.players else state.to_move
        state = replace(carry_out(state, turn, seat).after, stands=True)
    return state


def drafted(game: Game, draft: Draft, place: int | None = None, offering: bool = True) -> Drafted:
    """The turn that the taps make, as the turn at `place`, the next one if left out; with `offering` also what may be
    tapped next. Raises `Unfit` for words that are no cards or cells, and where there is no such place. Cost: some
    replays; milliseconds.
    """
    record = game.record
    place, state = _put_at(record, place)
    rulings, seat = record.rules.rulings, state.to_move
    start = Turn(place, record.players[seat], cards(draft.draw), NoAction(), draw_open=draft.draw_open)
    drawn = supposed(carry_out(state, start, seat).drawn, seat, draft.own)
    action = _action(draft, drawn, rulings, record.deck is not None)
    turn = None
    if action is not None:
        turn = replace(
            start,
            action=action,
            glyphs=draft.glyphs,
            fill=cards(draft.fill),
            fill_open=draft.fill_open,
            drop=cards(draft.drop),
            trim=cards(draft.trim),
        )
    step = carry_out(state, turn or start, seat)
    due = tuple(_due(draft, turn, step, rulings))
    shown = None
    if offering and state.result is None:
        sent = cards((*draft.sent, *draft.destroyed))
        taken = card_of(draft.card) if draft.card is not None and draft.action in (None, "D") else None
        shown = offers(drawn, seat, rulings, (card for card in sent if card is not UNSEEN), taken)
    return Drafted(
        place=place,
        player=record.players[seat],
        text=None if turn is None else turn_text(turn),
        judged=None if turn is None else judge(record, turn, place, due),
        due=due,
        may_draw=() if state.result is not None else _amounts(state, seat, rulings),
        draws_known=len(draw_limit(state, seat, rulings).amounts) == 1,
        offers=shown,
        turn=turn,
    )


def judged_line(game: Game, line: str, place: int | None) -> tuple[str, Turn, Judgement]:
    """A typed turn as the one at this place, the next one if left out: who is to move there, the turn, and the rules on
    it. Raises `Unfit` where there is no such place, and `Refused` with the reader's words.
    """
    place, state = _put_at(game.record, place)
    player = state.players[state.to_move]
    turn = typed(game, line, place, player)
    return player, turn, judge(game.record, turn, place)


def _put_at(record: Record, place: int | None) -> tuple[int, State]:
    place = len(record.turns) + 1 if place is None else place
    placed_at(record, place, last=1)
    return place, stood_before(record, place)


def turn_at(record: Record, turn: int | None) -> int:
    """The turn after which a table is asked for: the last one if left out. Raises `LookupError` where it is none."""
    turn = len(record.turns) if turn is None else turn
    if not 0 <= turn <= len(record.turns):
        raise LookupError(turn)
    return turn


def stood_after(record: Record, turn: int | None) -> State:
    """The table after a turn, the last one if left out. Raises `LookupError` where there is none."""
    return stood_before(record, turn_at(record, turn) + 1)


def slips(record: Record) -> tuple[Broken, ...]:
    """What each turn breaks where those before it stand as they were played."""
    outcome = replay(record, record.rules.rulings, since=len(record.turns), hanging=False)
    return (*outcome.slips, *(each for each in outcome.broken if not each.warning))


def judge(record: Record, turn: Turn, place: int, due: tuple[Due, ...] = ()) -> Judgement:
    """The rules on `turn` at this place; what is still `due` is no fault yet."""
    rulings = record.rules.rulings
    kept = replace(record, turns=(*record.turns[: place - 1], turn), result=None)
    outcome = replay(kept, rulings, hanging=False)
    if outcome.illegal is not None and outcome.illegal < place:
        outcome = replay(kept, rulings, since=place, hanging=False)
    parts = {each.part for each in due}
    here = (each for each in outcome.broken if each.turn == place and not each.warning)
    broken = [each for each in here if not _WAITS.get(each.clause, set()) & parts]
    told = tuple(found_of(each, record) for each in broken)
    if told:
        if any(each.least for each in due):
            return Judgement(verdict="illegal", found=told)
        return Judgement(
            verdict="illegal",
            found=told,
            books=tuple(name for name, book in registry().rulebooks.items() if comes_to(kept, book)),
            changes={
                " ".join(map("=".join, each)): fact("set_of_options", parts=tuple(told_ruling(*one) for one in each))
                for each in mends_at(kept, place, rulings)
                if comes_to(kept, rulings.with_changes(dict(each)))
            },
            nowhere=all(each.verdict == "illegal" for each in judged(kept, place).values()),
        )
    doubts = tuple(each.what for each in hanging(kept, rulings, outcome) if each.turn == place)
    followed = outcome.illegal is None and len(outcome.states) > place
    return Judgement(
        verdict="legal" if followed and not doubts else "undetermined",
        open=doubts if followed or doubts else tuple(_since(each, place) for each in outcome.doubts[-1:]),
        ends=outcome.states[-1].result if followed else None,
        later=_later(record, turn, place),
    )


def _since(doubt: Doubt, place: int) -> Fact:
    """On what a turn hangs; a doubt about a turn before is told with that turn."""
    return doubt.what if doubt.turn == place else fact("board_since", turn=doubt.turn, what=doubt.what)


def told_ruling(name: str, option: str) -> Fact:
    """A ruling in words: its question with this answer."""
    return meant({name: (option,)}, first=registry().rulings[name].question)


def meant(options: Mapping[str, Iterable[str]], first: str = "", last: str = "") -> Fact:
    """What options of rulings mean, between two more texts of the specification, one after the other."""
    known = [(each, given) for name, given in options.items() for each in registry().rulings[name].options]
    texts = (first, *(each.meaning for each, given in known if each.name in given), last)
    return fact("sentences", parts=tuple(map(translated, filter(None, texts))))


_WAITS = {"LIM01": {"drop"}, "LIM02": {"trim"}, **{f"DRW0{each}": {"draw", "fill"} for each in range(1, 6)}}
"""The clauses that are broken only for the time being where one of these parts is still due."""


def _later(record: Record, turn: Turn, place: int) -> tuple[int, str, Fact] | None:
    if place >= len(record.turns):
        return None
    turns = (*record.turns[: place - 1], turn, *record.turns[place:])
    outcome = replay(replace(record, turns=turns), record.rules.rulings, since=place, hanging=False)
    first = next((each for each in outcome.broken if not each.warning), None)
    return None if first is None else (first.turn, first.clause, named(first.what, record.players))


def found_of(broken: Broken, record: Record) -> Found:
    """A broken clause as the board shows it."""
    cells = tuple(dict.fromkeys(map(str, cells_of(broken.what))))
    return Found(clause=broken.clause, message=named(broken.what, record.players), part=broken.part, cells=cells)


def cells_of(named: Datum) -> Iterator[Cell]:
    """The cells that a finding, or a value in it, names."""
    if isinstance(named, Cell):
        yield named
    elif isinstance(named, Fact):
        for _, value in (*named.numbers, *named.beside):
            yield from cells_of(value)
    elif isinstance(named, tuple):
        for each in named:
            yield from cells_of(each)


def _amounts(state: State, seat: int, rulings: Rulings) -> tuple[int, ...]:
    """How many cards may be drawn, as far as the record tells: the limits it leaves possible, and all below them."""
    limit = draw_limit(state, seat, rulings)
    most = min(limit.amounts[-1], len(state.deck))
    exact = rulings.draw_amount == "exact" and limit.clause != "DRW01"
    return tuple(sorted({min(each, most) for each in limit.amounts})) if exact else tuple(range(most + 1))


def _due(draft: Draft, turn: Turn | None, step: Step, rulings: Rulings) -> Iterator[Due]:
    """What is still due, first what comes first."""
    if not draft.draw_open:
        amounts = _amounts(step.before, step.player, rulings)
        if amounts and step.units < amounts[0]:
            yield Due(part="draw", least=amounts[0] - step.units, most=amounts[-1] - step.units)
    if turn is None:
        yield from _untold(draft, step)
        return
    yield from _returned(draft, turn, step)
    if ending(step, rulings) is not None:
        return
    fill = 0 if turn.fill_open else min(fill_limit(step, rulings), len(step.acted.deck)) - len(turn.fill)
    if fill > 0 and not turn.fill and not turn.drop and not turn.trim:
        yield Due(part="fill", least=fill if rulings.draw_amount == "exact" else 0, most=fill)
    yield from _extra("drop", lim01(step, rulings), step.filled.hands[step.player], turn.drop)
    yield from _extra("trim", lim02(step, rulings), step.acted.reserve, turn.trim)


def _extra(part: Literal["drop", "trim"], limit: Finding | None, pile: Pile, gone: tuple[Shown, ...]) -> Iterator[Due]:
    """The cards of a pile that are to be destroyed and are not named yet."""
    numbers = {} if limit is None or not limit.sure else dict(limit.what.numbers)
    extra, destroyed = numbers.get("extra"), numbers.get("destroyed")
    if isinstance(extra, int) and isinstance(destroyed, int) and extra > destroyed:
        known = map(str, sorted((card for card in pile.known if card not in gone), key=card_key))
        more = ("?",) if pile.unseen > gone.count(UNSEEN) else ()
        yield Due(part=part, least=extra - destroyed, most=extra - destroyed, cards=(*known, *more))


def _returned(draft: Draft, turn: Turn, step: Step) -> Iterator[Due]:
    """The card that comes back from below the one taken, where more or less can be told of it."""
    if not isinstance(turn.action, Exchange) or draft.replaced is not None:
        return
    lies = step.drawn.tower.cells.get(turn.action.cell)
    if isinstance(lies, Down):
        other = Down(UNSEEN) if turn.action.replaced == lies else lies
        yield Due(part="replaced", least=0, cards=() if lies.card is UNSEEN else (str(other),))


def _untold(draft: Draft, step: Step) -> Iterator[Due]:
    """What the action still lacks. A card that is opened may stay unseen."""
    if draft.sent and len(draft.sent) < 2:
        yield Due(part="sent")
    if draft.card is None and draft.action != "-":
        lies = None if draft.cell is None or draft.sent else step.drawn.tower.cells.get(cell_of(draft.cell))
        yield Due(part="card", cards=("?",) if isinstance(lies, Down) else ())
    if draft.cell is None:
        yield Due(part="cell")
