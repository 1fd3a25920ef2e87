"""What `infer` finds, for people: what is certain, what is narrowed down, and the turns behind it."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.answers.infer import MOST, GameData, IllegalData, InferData, KnownData, SourceData
from couperation_formal.model.fact import Fact, fact
from couperation_formal.report.blocks import BAD, GOOD, OPEN, Block, Paragraph, Sentence, verdict
from couperation_formal.report.clauses import title_of
from couperation_formal.words.say import phrase, say


def infer_blocks(data: InferData) -> Iterator[Paragraph]:
    """The answer for all games together."""
    told: list[Block] = [
        verdict("illegal", BAD, "by_itself", game=_name(each), turn=each.turn, clause=_clause(each.code))
        for each in data.illegal
    ]
    if data.clash:
        for each in data.clashes:
            told.append(verdict("cannot_all_be_right", BAD, "games_named", games=tuple(map(_name, each))))
        told += [Sentence(line, indent=2) for line in _mending(data)]
    elif data.marks is None:
        told.append(verdict("undetermined", OPEN, "all_spent"))
    else:
        for known in data.marks:
            bears = phrase("bears", marks=tuple(fact("the_mark", mark=mark) for mark in known.marks))
            told.append(Sentence(f" {bears}", f"{known.card:>3}", GOOD if known.certain else "bold cyan"))
            told += [Sentence(line, indent=6) for line in _sources(known)]
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
        yield phrase("mends_untold")
    elif len(data.clashes) == MOST:
        yield phrase("more_clashes", count=MOST)


def _sources(known: KnownData) -> Iterator[str]:
    """A line for each game that has a part in it."""
    games: dict[tuple[str, int], dict[int, list[str]]] = {}
    names: dict[tuple[str, int], Fact] = {}
    for place in known.sources:
        key = place.file, place.game
        names[key] = _name(place)
        codes = games.setdefault(key, {}).setdefault(place.turn, [])
        codes += [] if place.code in codes else [place.code]
    for key, turns in games.items():
        said = tuple(fact("at_place", turn=turn, codes=" ".join(codes)) for turn, codes in turns.items())
        yield say(fact("source", game=names[key], places=said))


def _clause(code: str) -> Fact:
    """A clause with its title."""
    return fact("clause_titled", clause=code, title=title_of(code) or "")


def _name(place: GameData | IllegalData | SourceData) -> Fact:
    return fact("the_game", file=place.file, game=place.game)
