"""What recorded games force about the marks of the cards that they were played with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Literal

from couperation_formal.game.fact import Fact, Steps, fact, steps_of, taken
from couperation_formal.game.record import Game, short
from couperation_formal.game.rulings import Rules
from couperation_formal.game.tower import Mark
from couperation_formal.hidden.smt.infer import MOST_CLASHES, ClauseAt, Inference, infer as inferred
from couperation_formal.output.blocks import GOOD, Block, Paragraph, Sentence, verdict
from couperation_formal.output.formats import Answer, Data, GameData, Natural, Positive
from couperation_formal.output.report import title_of
from couperation_formal.questions.records.states import GameLike, game_of, rules_of
from couperation_formal.words.say import ENGLISH, say


class Marks(Answer):
    """The answer for some games; its records count as the games do, from 0. It took `spent` steps of `limit`."""

    games: tuple[Game, ...]
    answer: Inference
    spent: int
    limit: int

    def __repr__(self) -> str:
        known = None if self.answer.marks is None else len(self.answer.marks)
        return short(self, games=len(self.games), known=known, complete=self.answer.complete)

    def __str__(self) -> str:
        """Each card with the marks that it may bear."""
        if self.answer.marks is None:
            return say(fact("records_clash" if self.answer.clashes else "undetermined"), ENGLISH)
        marks = "\n".join(f"{known.card}:{' '.join(known.marks)}" for known in self.answer.marks)
        return marks or say(fact("none"), ENGLISH)

    def data(self) -> InferData:
        """The answer as `infer --output-format json` writes it."""
        answer, clashes = self.answer, list[ClashData]()
        for clash in answer.clashes:
            claims = (ClaimData(bears=dict(each.bears), sources=_places(self, each.sources)) for each in clash.claims)
            clashes.append(ClashData(games=_games(self, clash.records), claims=tuple(claims)))
        marks = (KnownData.of(known, sources=_places(self, known.sources)) for known in answer.marks or ())
        return InferData.of(
            self,
            games=len(self.games),
            illegal=_places(self, answer.illegal),
            below=_games(self, answer.below),
            clashes=tuple(clashes),
            odd=_games(self, answer.odd),
            marks=None if answer.marks is None else tuple(marks),
            complete=answer.complete,
        )

    def blocks(self) -> Iterator[Paragraph]:
        """The answer for all games together."""
        data = self.data()
        told: list[Block] = [
            verdict("illegal", "by_itself", game=_name(each), turn=each.turn, clause=_clause(each.code))
            for each in data.illegal
        ]
        if data.clashes:
            for clash in data.clashes:
                told.append(verdict("cannot_all_be_right", "games_named", games=tuple(map(_name, clash.games))))
                for claim in clash.claims:
                    bears = tuple(fact("card_bears", card=card, marks=_marks(of)) for card, of in claim.bears.items())
                    (source,) = _games_of(claim.sources)
                    told.append(Sentence(fact("claim", bears=bears, source=source), indent=2))
            told += [Sentence(line, indent=2) for line in _mending(data)]
        elif data.marks is None:
            told.append(verdict("undetermined", "marks_open", taken=taken(data)))
        else:
            for known in data.marks:
                style = GOOD if known.certain else "bold cyan"
                told.append(Sentence(fact("bears", marks=_marks(known.marks)), f"{known.card:>3}", style, gap=" "))
                told += [Sentence(source, indent=6) for source in _games_of(known.sources)]
            certain = sum(known.certain for known in data.marks)
            narrowed, games = len(data.marks) - certain, data.games - len(data.illegal)
            told.append(Sentence(fact("certain", certain=certain, narrowed=narrowed, games=games)))
            if data.below:
                every = len(data.below) == games
                of = fact("below_all") if every else fact("below_some", games=tuple(map(_name, data.below)))
                told.append(Sentence(fact("below_only", of=of)))
        yield told


def infer(
    games: Iterable[GameLike] | GameLike, rules: Rules | str | None = None, budget: Steps | int | None = None
) -> Marks:
    """What games of one deck of cards, or one, force together about their marks, under `rules` in place of their own
    where given.

    Cost: tenths of a second a game that shows what is public, and some for each mark asked for.
    """
    several = [game_of(game, "infer") for game in (games if isinstance(games, Iterable) else [games])]
    steps, under = steps_of(budget), rules_of(rules)
    records = [(game.record, (under or game.record.rules).rulings) for game in several]
    return Marks(tuple(several), inferred(records, steps), steps.spent, steps.limit)


# The JSON form of `infer`: the marks that records force.


class PlaceData(GameData):
    """A clause at a turn of a game, by place. The code `Marks`, at turn 0, stands for a mark given for the game, in its
    tag or in a file of marks.
    """

    turn: Natural
    code: str


class KnownData(Data):
    """What is left for the mark of a card. `sources` together rule the other marks out; each of them is needed."""

    card: Positive
    marks: tuple[Mark, ...]
    certain: bool
    sources: tuple[PlaceData, ...]


class ClaimData(Data):
    """What one game forces: at least one card of `bears` bears one of the marks that stand with it. `sources` together
    rule all else out; each of them is needed.
    """

    bears: dict[int, tuple[Mark, ...]]
    sources: tuple[PlaceData, ...]


class ClashData(Data):
    """Games that cannot all be right, each of them needed, and what they claim: for each card on which they clash by
    itself one claim of each game; where there is none, claims about several cards that cannot all hold, each of them
    needed. `claims` is empty where the budget ended before.
    """

    games: tuple[GameData, ...]
    claims: tuple[ClaimData, ...]


class InferData(Data):
    """The answer for all games together. `illegal` are games that are illegal by themselves, at this turn, by this
    clause first: they take no part. `below` are games under `draw_amount=up_to`, whose draws bound a mark from below
    only.

    `clashes` are the least sets of games that cannot all be right, the smallest first, 40 at most; `odd` are the games
    that restore agreement when one of them is left out. Where `complete` is false, there may be more of either. `marks`
    is null where the games do not agree, and where the budget ended first (`complete` false): `spent` steps of `limit`.
    """

    games: Natural
    illegal: tuple[PlaceData, ...]
    below: tuple[GameData, ...]
    clashes: tuple[ClashData, ...]
    odd: tuple[GameData, ...]
    marks: tuple[KnownData, ...] | None
    complete: bool
    spent: Natural
    limit: Natural
    format: Literal[1]


def _games(marks: Marks, records: tuple[int, ...]) -> tuple[GameData, ...]:
    return tuple(GameData.about(marks.games[record]) for record in records)


def _places(marks: Marks, places: tuple[ClauseAt, ...]) -> tuple[PlaceData, ...]:
    return tuple(PlaceData.about(marks.games[each.record], each, code=each.clause) for each in places)


# What `infer` finds, for people: what is certain, what is narrowed down, and the turns behind it.


def _mending(data: InferData) -> Iterator[Fact]:
    """The games without which the others agree, as far as they are known, and what is not known."""
    if data.odd:
        yield fact("others_agree", without=tuple(map(_name, data.odd)))
    elif data.complete:
        yield fact("none_mends")
    if not data.complete:
        yield fact("mends_untold", taken=taken(data))
    elif len(data.clashes) == MOST_CLASHES:
        yield fact("more_clashes", count=MOST_CLASHES)


def _games_of(places: tuple[PlaceData, ...]) -> Iterator[Fact]:
    """A part for each game that has one in it: its turns, each with its clauses."""
    for (file, game), of_game in groupby(places, lambda place: (place.file, place.game)):
        turns = groupby(of_game, lambda place: place.turn)
        said = (fact("at_place", turn=turn, codes=" ".join(each.code for each in part)) for turn, part in turns)
        yield fact("source", game=fact("the_game", file=file, game=game), places=tuple(said))


def _marks(marks: tuple[Mark, ...]) -> tuple[Fact, ...]:
    return tuple(fact("the_mark", mark=mark) for mark in marks)


def _clause(code: str) -> Fact:
    """A clause with its title."""
    return fact("clause_titled", clause=code, title=title_of(code))


def _name(place: GameData) -> Fact:
    return fact("the_game", file=place.file, game=place.game)
