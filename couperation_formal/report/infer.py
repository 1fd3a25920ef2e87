"""What `infer` finds, for people: what is certain, what is narrowed down, and the turns behind it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from couperation_formal.answers.infer import MOST, GameData, InferData, PlaceData
from couperation_formal.game.fact import Fact, fact, taken
from couperation_formal.game.tower import Mark
from couperation_formal.report.blocks import BAD, GOOD, OPEN, Block, Paragraph, Sentence, verdict
from couperation_formal.report.clauses import title_of
from couperation_formal.words.say import phrase, say


def infer_blocks(data: InferData) -> Iterator[Paragraph]:
    """The answer for all games together."""
    told: list[Block] = [
        verdict("illegal", BAD, "by_itself", game=_name(each), turn=each.turn, clause=_clause(each.code))
        for each in data.illegal
    ]
    if data.clashes:
        for clash in data.clashes:
            told.append(verdict("cannot_all_be_right", BAD, "games_named", games=tuple(map(_name, clash.games))))
            for claim in clash.claims:
                bears = tuple(fact("card_bears", card=card, marks=_marks(of)) for card, of in claim.bears.items())
                (source,) = _sources(claim.sources)
                told.append(Sentence(phrase("claim", bears=bears, source=source), indent=2))
        told += [Sentence(line, indent=2) for line in _mending(data)]
    elif data.marks is None:
        told.append(verdict("undetermined", OPEN, "marks_open", taken=taken(data)))
    else:
        for known in data.marks:
            style = GOOD if known.certain else "bold cyan"
            told.append(Sentence(f" {phrase('bears', marks=_marks(known.marks))}", f"{known.card:>3}", style))
            told += [Sentence(say(source), indent=6) for source in _sources(known.sources)]
        certain = sum(known.certain for known in data.marks)
        narrowed, games = len(data.marks) - certain, data.games - len(data.illegal)
        told.append(Sentence(phrase("certain", certain=certain, narrowed=narrowed, games=games)))
        if data.below:
            every = len(data.below) == games
            of = fact("below_all") if every else fact("below_some", games=tuple(map(_name, data.below)))
            told.append(Sentence(phrase("below_only", of=of)))
    yield told


def _mending(data: InferData) -> Iterator[str]:
    """The games without which the others agree, as far as they are known, and what is not known."""
    if data.odd:
        yield phrase("others_agree", without=tuple(map(_name, data.odd)))
    elif data.complete:
        yield phrase("none_mends")
    if not data.complete:
        yield phrase("mends_untold", taken=taken(data))
    elif len(data.clashes) == MOST:
        yield phrase("more_clashes", count=MOST)


def _sources(places: tuple[PlaceData, ...]) -> Iterator[Fact]:
    """A part for each game that has one in it: its turns, each with its clauses."""
    for (file, game), of_game in groupby(places, lambda place: (place.file, place.game)):
        turns = groupby(of_game, lambda place: place.turn)
        said = (fact("at_place", turn=turn, codes=" ".join(each.code for each in part)) for turn, part in turns)
        yield fact("source", game=fact("the_game", file=file, game=game), places=tuple(said))


def _marks(marks: tuple[Mark, ...]) -> tuple[Fact, ...]:
    return tuple(fact("the_mark", mark=mark) for mark in marks)


def _clause(code: str) -> Fact:
    """A clause with its title."""
    return fact("clause_titled", clause=code, title=title_of(code) or "")


def _name(place: GameData) -> Fact:
    return fact("the_game", file=place.file, game=place.game)
