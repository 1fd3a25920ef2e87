"""The pages of players' questions: those near to some words, and their answers with what the verifier finds."""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Literal, get_args
from unicodedata import normalize

import msgspec

from couperation_formal.game.fact import Datum, Text, fact, translated
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, Open, Outcome, Record
from couperation_formal.game.rulings import registry, spec_text
from couperation_formal.notation.read import read_text
from couperation_formal.output.blocks import BAD, GOOD, Columns, Paragraph, Sentence, Styled, Verbatim, folded
from couperation_formal.output.formats import Data, Natural
from couperation_formal.output.report import cited, title_of
from couperation_formal.questions.records.quarrel import TurnVerdict, deciding, judged, left_open
from couperation_formal.words.say import ENGLISH, LANGUAGES, encodable, say

# Texts near to some words, ranked by BM25 (Robertson and Zaragoza, *The Probabilistic Relevance Framework*, 2009).
# Japanese puts no spaces between words: its letters are compared by twos (Manning, Raghavan and Schütze, *Introduction
# to Information Retrieval*, 2008, 2.2.1), and known words are looked for among them.

_WORD = re.compile(r"[♡♥◇\u3041-\u30ff\u3400-\u9fff]|[^\W_\u3041-\u30ff\u3400-\u9fff]+")
_LETTER = re.compile(r"[\u3041-\u9fff]")
_ENDING = re.compile(r"(?<=\w{3})(?:ements?|ings?|ed|es|s|e)$")
_TWICE = re.compile(r"([^\W\d])\1$")
_SATURATION, _LENGTH = 1.5, 0.6

_NEAR = 6.5
"""A text is near with this score, where it has two of the words asked for; else with what they all weigh. It is set on
one half of the wordings of `tests/data/asked.toml`, and the other half measures it.
"""

_PAIR = 0.25
"""What two letters weigh, where a word weighs one."""

_SPELLED = 5
"""A shorter word is not taken for another one that is spelled nearly like it."""


class Words(msgspec.Struct, frozen=True):
    """What is known of words, by their stems: `silent` ones tell nothing, `same` has what one or several words count
    as. `spelled` are the words of both, `longest` is how many count as one at most.
    """

    silent: frozenset[str]
    same: Mapping[tuple[str, ...], str]
    spelled: frozenset[str]
    longest: int

    @staticmethod
    def of(silent: Collection[str], same: Mapping[str, Collection[str]]) -> "Words":
        """From words as people write them."""
        stems = {_stems(each): "-".join(_stems(word)) for word, others in same.items() for each in (word, *others)}
        quiet = frozenset(stem for each in silent for stem in _stems(each))
        return Words(quiet, stems, quiet.union(*stems), max(map(len, stems)))


def words_of(text: str, known: Words) -> list[str]:
    """The words of a text as they are compared: in small letters, without endings, what counts as another word as that
    one, and without those that tell nothing; then the letters of Japanese words by twos.
    """
    stems = _stems(text)
    return [*_told(stems, known), *_pairs(stems)]


def _stems(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in _WORD.findall(normalize("NFKC", text).casefold()))


def _stem(word: str) -> str:
    """Without its ending; a letter that stands there twice stands there once, so that passing passes as pass does."""
    stem = _TWICE.sub(r"\1", _ENDING.sub("", word))
    return f"{stem[:-1]}i" if len(stem) > 2 and stem.endswith("y") else stem


def _told(stems: Sequence[str], known: Words) -> Iterator[str]:
    """The longest words that count as another one, from the left, but for those that tell nothing and for letters."""
    at = 0
    while at < len(stems):
        for size in range(min(known.longest, len(stems) - at), 0, -1):
            if (stem := known.same.get(tuple(stems[at : at + size]))) is not None:
                break
        else:
            size, stem = 1, stems[at]
        if stem not in known.silent and not _LETTER.match(stem):
            yield stem
        at += size


def _pairs(stems: Sequence[str]) -> Iterator[str]:
    return (one + other for one, other in pairwise(stems) if _LETTER.match(one) and _LETTER.match(other))


class Texts:
    """Texts that are searched: each counts its words (`weighted`); `holding` is how many have a word."""

    def __init__(self, texts: Iterable[Mapping[str, float]]) -> None:
        self.texts = [(text, sum(text.values())) for text in texts]
        self.holding = Counter(word for text, _ in self.texts for word in text)
        self.words = sum(size for _, size in self.texts)


def ranked(query: str, among: Texts, known: Words) -> list[tuple[int, float]]:
    """The places of the texts near to the query, and their scores, the nearest first. A word that nobody knows is taken
    for one that is spelled nearly like it. Cost: linear in the texts.
    """
    holding, many = among.holding, len(among.texts)
    stems = [_spelled(stem, holding, known) for stem in _stems(query)]
    weight = {
        word: (_PAIR if _LETTER.match(word) else 1) * log(1 + (many - holding[word] + 0.5) / (holding[word] + 0.5))
        for word in (*_told(stems, known), *_pairs(stems))
    }
    full = sum(weight.values())
    scored = []
    for place, (text, size) in enumerate(among.texts):
        length = _SATURATION * (1 - _LENGTH + _LENGTH * size * many / among.words)
        shared = [(weight[word], text[word]) for word in weight if word in text]
        score = sum(weighs * times * (_SATURATION + 1) / (times + length) for weighs, times in shared)
        if shared and score >= (min(_NEAR, full) if len(shared) > 1 else full):
            scored.append((place, score))
    return sorted(scored, key=lambda each: (-each[1], each[0]))


def _spelled(word: str, texts: Counter[str], known: Words) -> str:
    """The word itself, or the commonest known one that is one slip of the pen away from it."""
    if word in texts or word in known.spelled or len(word) < _SPELLED:
        return word
    every = texts.keys() | known.spelled
    near = [each for each in every if abs(len(each) - len(word)) <= 1 and each[0] == word[0] and _one_slip(each, word)]
    return max(near, key=lambda each: (texts[each], each), default=word)


def _one_slip(one: str, other: str) -> bool:
    """Whether a letter more, less, other, or two the other way round make one word of the other."""
    short, long = sorted((one, other), key=len)
    at = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[:at] + short[at : at + 2][::-1] + short[at + 2 :]
    return short[at + 1 :] == long[at + 1 :] or swapped == long


def weighted(*parts: tuple[str, float], known: Words) -> dict[str, float]:
    """The words of a text, each word of a part counted so many times."""
    counts: dict[str, float] = {}
    for text, times in parts:
        for word in set(words_of(text, known)):
            counts[word] = counts.get(word, 0) + times
    return counts


# Questions as players ask them, with their answers: the pages of `spec/questions` (`spec/questions/README.md`).

PAGES = ("setup", "drawing", "laying", "opening", "reserve", "limits", "end", "finish", "refill", "table", "rulings")
"""The pages, in their order."""

_QUESTION = re.compile(r"^## (.+)$", re.MULTILINE)
_BODY = re.compile(
    r"\s*```cgn\n(?P<record>.*?)```\s*"
    r"\|(?P<books>[^\n]+)\|\n\|[-|]+\|\n\|(?P<verdicts>[^\n]+)\|\s*"
    r"Clauses: (?P<clauses>[^\n]+)\.\nRulings: (?P<rulings>[^\n]+)\.\nPlaces: (?P<places>[^\n]+)\.\n"
    r"Asked: (?P<asked>.+?)\n\n(?P<answer>.+)",
    re.DOTALL,
)
_CODE = re.compile(r"`(\w+)`")
_PLACE = re.compile(r"\{([^{}]+)\}")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question as its page writes it.

    `text` is the record, `game` the same read; `turn` is the place of the turn in dispute, 0 for the set-up.
    `verdicts` are what the page says of that turn by rulebook (`Judged.told`), `clauses` and `rulings` what the answer
    rests on, `places` where the texts say it, `asked` how players put it. The answer has places ``{…}``, which
    `answered` fills. `twins` are title and answer in other languages.
    """

    page: str
    title: str
    text: str
    game: Game
    turn: Natural
    verdicts: dict[str, str]
    clauses: tuple[str, ...]
    rulings: tuple[str, ...]
    places: tuple[str, ...]
    asked: tuple[str, ...]
    answer: str
    twins: dict[str, tuple[str, str]] = {}

    @property
    def anchor(self) -> str:
        """The heading as a link names it."""
        return re.sub(r"[^\w-]", "", self.title.lower().replace(" ", "-"))


class SaidData(Data):
    """What a rulebook says of the turn: `codes` are the clauses that it breaks, the error's first; `ends` is how it
    ends the game; `provided`: it hangs on marks that nobody noted; `open`: readings that the text admits differ.
    `standing` names earlier turns that are wrong under this rulebook, by their first clause, or that ended the game, by
    the result.
    """

    verdict: Literal["legal", "illegal", "undetermined"]
    codes: tuple[str, ...]
    warning: str | None
    ends: Literal["win", "loss", "stuck"] | None
    provided: bool
    open: bool
    standing: dict[str, str]


class AskedData(Data):
    """One question with its answer; `turn` is the turn in dispute, 0 for the set-up."""

    question: str
    answer: str
    page: str
    anchor: str
    record: str
    turn: Natural
    rulebooks: dict[str, SaidData]
    clauses: tuple[str, ...]
    rulings: tuple[str, ...]
    places: tuple[str, ...]
    score: float


class AskData(Data):
    """The questions nearest to some words, the nearest one first."""

    words: str
    questions: tuple[AskedData, ...]
    format: Literal[1]


@lru_cache(maxsize=1)
def questions() -> tuple[Question, ...]:
    """Every question of the specification, read once. Raises `ValueError` for a page that is not of the form."""
    return tuple(question for page in PAGES for question in _page(page, spec_text(f"questions/{page}.md")))


def _page(page: str, text: str) -> list[Question]:
    others = {each: _sections(spec_text(f"questions/{each}/{page}.md")) for each in LANGUAGES if each != ENGLISH}
    listed = [dict(zip(others, twins, strict=True)) for twins in zip(*others.values(), strict=True)]
    return [_question(page, *section, twins) for section, twins in zip(_sections(text), listed, strict=True)]


def _sections(text: str) -> list[tuple[str, str]]:
    """The headings of a page with what stands below them."""
    _, *parts = _QUESTION.split(text)
    return [(title, body.strip()) for title, body in zip(parts[::2], parts[1::2], strict=True)]


def _question(page: str, title: str, body: str, twins: dict[str, tuple[str, str]]) -> Question:
    parts = _BODY.fullmatch(body)
    (game,) = read_text(parts["record"], page) if parts else (None,)
    if parts is None or not isinstance(game, Game):
        raise ValueError(title)
    marked = [place for place, turn in enumerate(game.record.turns, 1) if "~~" in turn.glyphs]
    books, verdicts = ([part.strip() for part in parts[name].split("|")] for name in ("books", "verdicts"))
    return Question(
        page=page,
        title=title,
        text=parts["record"],
        game=game,
        turn=max(marked, default=0),
        verdicts=dict(zip(books, verdicts, strict=True)),
        clauses=tuple(_CODE.findall(parts["clauses"])),
        rulings=tuple(_CODE.findall(parts["rulings"])),
        places=tuple(parts["places"].split("; ")),
        asked=tuple(" ".join(parts["asked"].split()).split(" · ")),
        answer=" ".join(parts["answer"].split()),
        twins=twins,
    )


def said(question: Question) -> dict[str, TurnVerdict]:
    """What each rulebook says of the turn in dispute, computed."""
    record, turn = question.game.record, question.turn
    left = left_open(record, turn)
    return {name: msgspec.structs.replace(each, open=left[name]) for name, each in judged(record, turn).items()}


def answered(question: Question, verdicts: Mapping[str, TurnVerdict] | None = None, language: str = ENGLISH) -> str:
    """The answer with its places filled by what is computed: ``{card}``, ``{who legal}``, ``{clause en-2}``; by what
    was `said`, where that is there. Raises `KeyError` for a place that nothing fills.
    """
    verdicts = verdicts or said(question)
    values = {**_written(question.game.record, question.turn), **_numbers(verdicts)}

    def fill(place: re.Match[str]) -> str:
        return say(filled(*place[1].partition(" ")[::2]), language)

    def filled(name: str, of: str) -> Text:
        match name:
            case "who":
                return _who(verdicts, of)
            case "clause" if of:
                clause, what = verdicts[of].broken[0]
                return fact("ask_clause_found", clause=clause, found=what)
            case "verdict":
                return fact(verdicts[of].verdict)
            case "standing":
                stood = verdicts[of].standing
                return _all_of(tuple(fact("ask_stands", turn=turn, what=what) for turn, what in stood))
            case "rulings":
                return _all_of(deciding(question.game.record, question.turn))
            case "clauses":
                return _all_of(tuple(dict.fromkeys(each.clause for each in verdicts.values() if each.clause)))
            case _:
                return fact("ask_as_is", value=values[name])

    _, answer = question.twins.get(language, ("", question.answer))
    return _PLACE.sub(fill, answer)


def _written(record: Record, turn: int) -> dict[str, Datum]:
    """What the turn in dispute names."""
    if turn == 0:
        return {}
    written = record.turns[turn - 1]
    named: dict[str, Datum] = {"turn": turn, "player": written.player}
    match written.action:
        case LayUp(card, cell) | LayDown(card, cell) | Open(cell, card):
            named |= {"card": card, "cell": cell}
        case Exchange() as action:
            named |= {"first": action.first, "second": action.second, "card": action.taken, "cell": action.cell}
    return named


def _numbers(verdicts: Mapping[str, TurnVerdict]) -> dict[str, Datum]:
    """The values of the first clause that some rulebook finds broken, and its sentence."""
    for each in verdicts.values():
        if each.broken:
            what = each.broken[0][1]
            return {**dict(what.numbers), **dict(what.beside), "found": what}
    return {}


def _who(verdicts: Mapping[str, TurnVerdict], what: str) -> Text:
    """The rulebooks under which the turn is, breaks or becomes this; ``over``: under which the game had ended,
    ``going``: under which it had not.
    """
    books = [name for name, each in verdicts.items() if what in _said_of(each)]
    if not books:
        raise KeyError(what)
    return fact("ask_all_books") if len(books) == len(verdicts) else _all_of(tuple(books))


def _said_of(verdict: TurnVerdict) -> tuple[str, ...]:
    over = any(what in get_args(Outcome) for _, what in verdict.standing)
    return (verdict.verdict, *verdict.told().partition(";")[0].split(", "), "over" if over else "going")


def _all_of(names: tuple[Text, ...]) -> Text:
    """``a``, ``a and b``, ``a, b and c``. Raises `KeyError` where there is none."""
    if not names:
        raise KeyError(names)
    return names[0] if len(names) == 1 else fact("ask_all_of", first=names[:-1], last=names[-1])


def asked_data(question: Question, score: float = 0.0, language: str = ENGLISH) -> AskedData:
    """A question with its answer as data."""
    verdicts = said(question)
    return AskedData.of(
        question,
        question=question.twins.get(language, (question.title, ""))[0],
        answer=answered(question, verdicts, language),
        record=question.text,
        rulebooks={name: _said_data(each) for name, each in verdicts.items()},
        score=round(score, 3),
    )


def _said_data(verdict: TurnVerdict) -> SaidData:
    codes = tuple(clause for clause, _ in verdict.broken)
    standing = {str(turn): what for turn, what in verdict.standing}
    return SaidData.of(verdict, codes=codes, warning=verdict.warned, standing=standing)


def ask_data(words: str, most: int, language: str = ENGLISH) -> AskData:
    """The `most` questions nearest to these words. Cost: some milliseconds, and `answered` for each that is given."""
    known = questions()
    return AskData(
        words=encodable(words),
        questions=tuple(asked_data(known[place], score, language) for place, score in nearest(words)[:most]),
        format=1,
    )


def nearest(words: str) -> list[tuple[int, float]]:
    """The places of the questions near to these words among `questions()`, and their scores, the nearest first."""
    return ranked(words, _weighted(), _known())


@lru_cache(maxsize=1)
def _weighted() -> Texts:
    return Texts(map(_words, questions()))


@lru_cache(maxsize=1)
def _known() -> Words:
    """What is known of the words of questions: `spec/questions/words.toml`."""
    data = tomllib.loads(spec_text("questions/words.toml"))
    return Words.of(data["silent"], data["same"])


def _words(question: Question) -> dict[str, float]:
    """What a question is found by: the ways in which players put it, its verdicts and codes, and less by its answer."""
    codes = " ".join((*question.clauses, *question.rulings, question.page)).replace("_", " ")
    asked = ((each, 1.0) for each in (question.title, *question.asked, codes, " ".join(question.verdicts.values())))
    twins = ((title, 0.35) for title, _ in question.twins.values())
    return weighted(*asked, *twins, (_PLACE.sub(" ", question.answer), 0.25), known=_known())


# Questions of players with their answers, for people.

_NARROW, _LINES = 20, 8


def ask_blocks(data: AskData, width: int, language: str = ENGLISH) -> Iterator[Paragraph]:
    """The questions found, each with its answer, what the rulebooks say, and where it stands. Lines of prose have
    `width` characters at most.
    """
    for asked in data.questions:
        rulings = [[(name, "bold"), translated(registry().rulings[name].question)] for name in asked.rulings]
        cut = (each.partition(" ") for each in asked.places)
        places = tuple(fact("clause_place", texts=(text,), place=place) for text, _, place in cut)
        yield [Sentence("", asked.question)]
        yield [_prose(asked.answer, width)]
        yield [Verbatim(_shown(asked.record), indent=2)]
        yield [
            Columns([*map(_book, asked.rulebooks, asked.rulebooks.values())], indent=2),
            Columns(rulings, indent=2),
            _prose(say(fact("ask_places_and_page", places=places, page=asked.page), language), width),
        ]


def _shown(record: str) -> list[str]:
    """What the answer speaks of: the lines of a record but for its head, of a long one the last turns."""
    lines = [
        line for line in record.splitlines() if line not in ("", "*") and not line.startswith(("[CGN", "[Players"))
    ]
    return lines if len(lines) <= _LINES else ["...", *lines[-_LINES:]]


def _prose(text: str, width: int) -> Verbatim:
    lines = "".join(part for part, _ in folded([(f"  {text}", "")], max(_NARROW, width), 2))
    return Verbatim(lines.split("\n"))


def _book(name: str, said: SaidData) -> Sequence[Styled]:
    """A rulebook's row: its verdict, and what is to be noted."""
    remarks: list[Datum] = [fact("parts", parts=(code, " ", title_of(code))) for code in said.codes[:1]]
    remarks += [fact("ask_game_ends", result=said.ends)] if said.ends else []
    remarks += [fact("ask_legal_provided")] if said.provided else []
    remarks += [fact("ask_left_open")] if said.open else []
    remarks += [fact("ask_warned_of", clause=said.warning)] if said.warning else []
    for turn, what in said.standing.items():
        over = what in get_args(Outcome)
        wrong = fact("ask_was_wrong", turn=turn, what=(what, cited(what, name)))
        remarks.append(fact("ask_was_over", turn=turn, result=what) if over else wrong)
    style = GOOD if said.verdict == "legal" else BAD
    return [name, (fact(said.verdict), style), fact("ask_remarks", remarks=tuple(remarks))]
