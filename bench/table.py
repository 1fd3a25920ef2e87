"""What the table question costs and how often it is decided, on the natural and on the adversarial corpus.

``python -m bench.table --write`` writes `bench/table.json` and `bench/table.md`. The natural corpus: 100 sampled games,
careful and random, of 2 to 4 players, both variants, the four rulebooks in turn, fully seen; of each every third
position and the last five. The adversarial one: the ends of the records in `tests/data/adversarial`. The last: every
fifth natural position as a record of one player may show it, without the deck, the other hands, and the marks.
Positions are made before any clock starts. Times are processor time of one process for one answer; the start of a
process is measured apart. Each yes and no goes through the independent checker as its certificate, timed apart.
What the default budget leaves open is asked again
with that of ``--budget deep``. Lost games: 20 of each policy, each as one question, as `deadlock` asks it.
``--every N`` asks every Nth position only, ``--jobs N`` asks in so many processes, ``--corpus NAME`` asks one corpus
and keeps the figures of the others. ``--actions N`` instead judges every action in the middle of N natural games, as
`moves --alive` does, and prints how many are answered.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import count, product
from multiprocessing import Pool
from multiprocessing.pool import Pool as PoolOf
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
from couperation_checker.claims import check_object

from bench.check import processor
from couperation_formal.game.fact import DEEP, DEFAULT, Steps
from couperation_formal.game.position import position_of
from couperation_formal.game.record import Game, Record
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import Rules, parse_rules, registry
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import UNSEEN, Variant
from couperation_formal.notation.read import read, read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import Usual, sample_game
from couperation_formal.questions.tables.ask import table_certificates
from couperation_formal.questions.tables.deadlock import scan_table
from couperation_formal.questions.tables.moves import Chance
from couperation_formal.towers.continuation.answer import Answer, Dead, Exhausted, Unknown, Won, answer

FOLDER = Path(__file__).resolve().parent
BORDER = FOLDER.parent / "tests" / "data" / "adversarial"
POLICIES = get_args(Usual)
GAMES = 100
FIRST_SEED = 1000
LOST_GAMES = 20
FIRST_LOST = 7000
"""So many lost games of each policy, with seeds from here on."""
LAST = 5
"""How many of the last positions of each game are asked."""


class Asked(NamedTuple):
    """A position: which game it comes from, how that was played, and after how many turns."""

    name: str
    policy: str
    variant: Variant
    players: int
    rulebook: str
    turns: int
    state: State
    rules: Rules


class Timed(NamedTuple):
    """A position with its answer, the steps and seconds that it took, what the checker says of the certificate (nothing
    where there is none), and the seconds that this took.
    """

    asked: Asked
    found: Answer
    steps: int
    seconds: float
    verdict: str
    checking: float


class Lost(NamedTuple):
    """A lost game: its positions, how many of them are alive, dead and left open, the steps and the seconds."""

    name: str
    policy: Usual
    alive: int
    dead: int
    open: int
    steps: int
    seconds: float


def played(number: int, first: int) -> tuple[Usual, Variant, int, Rules, Record]:
    """A sampled game: policies, variants, numbers of players and rulebooks in turn, its seed after `first`."""
    kinds: list[tuple[Usual, Variant, int]] = list(product(POLICIES, get_args(Variant), (2, 3, 4)))
    policy, variant, players = kinds[number % len(kinds)]
    books = list(registry().rulebooks)
    rules = parse_rules(books[(number // len(kinds) + number) % len(books)])
    return policy, variant, players, rules, sample_game(players, variant, rules, first + number, policy)


def natural(games: int = GAMES) -> Iterator[Asked]:
    """The natural corpus."""
    for number in range(games):
        policy, variant, players, rules, game = played(number, FIRST_SEED)
        seed, book = FIRST_SEED + number, rules.rulebook
        states = replay(game, rules.rulings).states
        last = len(states) - 1
        for turns in sorted({*range(0, last, 3), *range(max(0, last - LAST), last)}):
            yield Asked(f"seed {seed}", policy, variant, players, book, turns, states[turns], rules)


def adversarial() -> Iterator[Asked]:
    """The adversarial corpus: where the collected records end. Raises `SystemExit` when there is none."""
    paths = sorted(BORDER.glob("*.cgn"))
    if not paths:
        raise SystemExit(f"no record in {BORDER}")
    for path in paths:
        for number, game in enumerate(read(path)):
            if not isinstance(game, Game):
                raise SystemExit(f"{path}: not a record")
            record, rules = game.record, game.record.rules
            state = replay(record, rules.rulings).states[-1]
            yield Asked(
                f"{path.stem} {number + 1}", "border", record.variant, len(record.players), rules.rulebook,
                state.turns, state, rules,
            )  # fmt: skip


def seen_in_part() -> Iterator[Asked]:
    """Natural positions as the record of the player to move may show them."""
    for asked in list(natural())[::5]:
        state = asked.state
        hands = tuple(
            hand if seat == state.to_move else Pile(frozenset(), hand.size) for seat, hand in enumerate(state.hands)
        )
        hidden = msgspec.structs.replace(state, hands=hands, deck=(UNSEEN,) * len(state.deck), marks={})
        yield asked._replace(state=hidden)


CORPORA: dict[str, Callable[[], Iterator[Asked]]] = {
    "natural": natural,
    "adversarial": adversarial,
    "natural, seen in part": seen_in_part,
}
LOST = "lost games"


def ask(asked: Asked, budget: int | None) -> Timed:
    """The answer on one position, and what the checker says of its certificate."""
    steps, begun = Steps(DEFAULT if budget is None else budget), time.process_time()
    found = answer(asked.state, asked.rules.rulings, steps)
    answered = time.process_time()
    marks = " ".join(f"{value}:{mark}" for value, mark in sorted(asked.state.marks.items()))
    tags = (("CGN", "1"), ("Variant", asked.variant), ("Players", " ".join(asked.state.players)), ("Marks", marks))
    position = position_of(asked.state, asked.rules, tags if marks else tags[:-1])
    certificates = [json.loads(json.dumps(data)) for data in table_certificates(position, found)]
    begun_checking = time.process_time()
    verdicts = [check_object(data) for data in certificates]
    said = " ".join(f"{verdict.status} {verdict.code}".strip() for verdict in verdicts)
    return Timed(asked, found, steps.spent, answered - begun, said, time.process_time() - begun_checking)


def lost_games() -> Iterator[int]:
    """The numbers of the lost games."""
    left = dict.fromkeys(POLICIES, LOST_GAMES)
    for number in count():
        policy, _, _, rules, game = played(number, FIRST_LOST)
        if left[policy] and replay(game, rules.rulings).states[-1].result == "loss":
            left[policy] -= 1
            yield number
        if not any(left.values()):
            return


def scan(number: int) -> Lost:
    """The bands of a lost game, from one run at the default budget."""
    policy, variant, players, rules, sampled = played(number, FIRST_LOST)
    # Read from its text, as a record of a file is.
    game = next(read_text(record_text(sampled)))
    if not isinstance(game, Game):
        raise TypeError(game)
    steps, begun = Steps(DEFAULT), time.process_time()
    found = scan_table(game, rules, steps)
    taken, every = time.process_time() - begun, len(found.positions)
    alive = 0 if found.alive is None else found.alive + 1
    dead = 0 if found.dead is None else every - found.dead
    name = f"seed {FIRST_LOST + number}, {variant}, {players} players, {rules.rulebook}"
    return Lost(name, policy, alive, dead, every - alive - dead, steps.spent, taken)


def judge(number: int, budget: int | None) -> tuple[str, Counter[str], int, float]:
    """The verdicts on the actions of the middle turn of a natural game, with its name, steps and seconds."""
    policy, variant, _, rules, game = played(number, FIRST_SEED)
    turn = game.turns[len(game.turns) // 2]
    state = replay(game, rules.rulings).states[turn.number - 1]
    steps, begun = Steps(DEFAULT if budget is None else budget), time.process_time()
    judged = list(Chance(state, turn, rules, game.tags, steps).judged())
    name = f"seed {FIRST_SEED + number}, {policy}, {variant}, turn {turn.number}"
    return name, Counter(each.verdict for each in judged), steps.spent, time.process_time() - begun


def judge_all(games: int, every: int, budget: int | None, jobs: int) -> None:
    """Print the verdicts on the actions in the middle of so many games, and how many there are of each in all."""
    every_verdict: Counter[str] = Counter()
    with Pool(jobs) as pool:
        for name, verdicts, spent, seconds in pool.imap(partial(judge, budget=budget), range(0, games * every, every)):
            every_verdict += verdicts
            print(f"{name}: {dict(sorted(verdicts.items()))}, {spent:,} steps, {seconds:.1f} s", flush=True)
    answered = every_verdict["alive"] + every_verdict["dead"]
    print(f"{answered} of {every_verdict.total()} actions answered: {dict(sorted(every_verdict.items()))}")


def _ask(pair: tuple[Asked, int | None]) -> Timed:
    return ask(*pair)


def kind(found: Answer) -> str:
    """What an answer counts as."""
    if isinstance(found, Won):
        return "won"
    if isinstance(found, Unknown):
        return "undetermined"
    if isinstance(found.reason, Exhausted):
        return "dead, searched" if found.checked else "dead, searched, unchecked"
    return f"dead, {found.reason.kind}"


def process_start() -> float:
    """Seconds of wall clock until a new process has the search at hand, the median of five."""
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import couperation_formal.towers.continuation.answer"], check=True)
        times.append(time.perf_counter() - begun)
    return sorted(times)[2]


def decided(found: Answer) -> bool:
    """Whether an answer counts as decided: a deadlock that the checker cannot repeat does not."""
    return isinstance(found, Won) or (isinstance(found, Dead) and found.checked)


def spread(figures: list[float], part: int = 99) -> dict[str, float]:
    """The median, a percentile (the 99th) and the greatest of some figures."""
    rising = sorted(figures)
    return {
        "median": round(rising[len(rising) // 2], 3),
        f"{part}%": round(rising[min(len(rising) - 1, len(rising) * part // 100)], 2),
        "greatest": round(rising[-1], 2),
    }


def summary(timed: list[Timed], deep: list[Timed]) -> dict[str, Any]:
    """The figures of one corpus as data; `deep` are those left open, asked again."""
    pairs = [(entry, entry.found) for entry in (deep or timed) if isinstance(entry.found, Unknown)]
    spending = sum(entry.seconds for entry, _ in pairs)
    return {
        "deep": {
            "decided": sum(decided(entry.found) for entry in deep),
            "answers": dict(sorted(Counter(kind(entry.found) for entry in deep).items())),
            "seconds": spread([entry.seconds for entry in deep] or [0.0]),
            "steps": spread([entry.steps for entry in deep] or [0]),
        },
        "steps": spread([entry.steps for entry in timed]),
        "positions": len(timed),
        "decided": sum(decided(entry.found) for entry in timed),
        "answers": {
            policy: dict(sorted(Counter(kind(e.found) for e in timed if e.asked.policy == policy).items()))
            for policy in sorted({entry.asked.policy for entry in timed})
        },
        "seconds": spread([entry.seconds for entry in timed]),
        "checker": dict(sorted(Counter(entry.verdict for entry in timed if entry.verdict).items())),
        "checking": spread([entry.checking for entry in timed if entry.verdict] or [0.0]),
        "steps_per_second": round(sum(found.spent for _, found in pairs) / spending) if spending else None,
        "undetermined": [
            {
                "name": entry.asked.name, "policy": entry.asked.policy, "variant": entry.asked.variant,
                "players": entry.asked.players, "rulebook": entry.asked.rulebook, "turns": entry.asked.turns,
                "slack": found.bound, "seconds": round(entry.seconds, 1),
            }
            for entry, found in pairs
        ],
    }  # fmt: skip


def page(data: dict[str, Any]) -> str:
    """The figures as a page."""
    lines = [
        "# What the table question costs, and how often it is decided",
        "",
        f"`{data['command']}`, {data['date']}, Python {data['python']}, {data['processor']}. Budget: "
        f"{data['budget']:,} steps. Processor time; a process starts in {data['process_start']} s. "
        "An undetermined position has the slack named: cards that may go otherwise than one for each empty cell.",
    ]
    for name, corpus in data["corpora"].items():
        count, seconds, checking = corpus["positions"], corpus["seconds"], corpus["checking"]
        lines += [
            "",
            f"## {name}",
            "",
            f"{count} positions, {corpus['decided']} decided ({100 * corpus['decided'] / count:.1f}%), and "
            f"{corpus['decided'] + corpus['deep']['decided']} at `deep` "
            f"({100 * (corpus['decided'] + corpus['deep']['decided']) / count:.1f}%). Median "
            f"{seconds['median']} s, {corpus['steps']['median']:,} steps; 99% within {seconds['99%']} s, greatest "
            f"{seconds['greatest']} s. At `deep` those left open: "
            f"{', '.join(f'{n} {found}' for found, n in corpus['deep']['answers'].items()) or 'none'}; median "
            f"{corpus['deep']['seconds']['median']} s, greatest {corpus['deep']['seconds']['greatest']} s; "
            f"undetermined ones take {corpus['steps_per_second'] or 0:,} steps a second. "
            f"The checker on the certificates: "
            f"{', '.join(f'{n} {verdict}' for verdict, n in corpus['checker'].items())}; "
            f"median {checking['median']} s, greatest {checking['greatest']} s.",
            "",
            "| game | answer | positions |",
            "|---|---|---|",
        ]
        lines += [
            f"| {policy} | {kind} | {n} |" for policy, kinds in corpus["answers"].items() for kind, n in kinds.items()
        ]
        if corpus["undetermined"]:
            lines += ["", "| undetermined | players | rulebook | after turn | slack |", "|---|---|---|---|---|"]
        lines += [
            f"| {entry['name']}, {entry['policy']}, {entry['variant']} | {entry['players']} | {entry['rulebook']} | "
            f"{entry['turns']} | {entry['slack']} |"
            for entry in corpus["undetermined"]
        ]
    if lost := data.get("lost"):
        lines += [
            "",
            "## lost games",
            "",
            f"{lost['games']} lost games, each one question at the default budget: {lost['positions']} positions, "
            f"{lost['alive']} alive, {lost['dead']} dead, {lost['open']} not known, in {lost['some_open']} games. "
            f"Processor time a game: median {lost['seconds']['median']} s, 95% within {lost['seconds']['95%']} s, "
            f"greatest {lost['seconds']['greatest']} s; in steps {lost['steps']['median']:,}, "
            f"{lost['steps']['95%']:,} and {lost['steps']['greatest']:,}.",
            "",
            "| not known | policy | positions |",
            "|---|---|---|",
            *(f"| {game['name']} | {game['policy']} | {game['open']} |" for game in lost["left_open"]),
        ]
    return "\n".join(lines) + "\n"


def measure(names: list[str], every: int, budget: int | None, jobs: int) -> dict[str, Any]:
    """All figures of these corpora; each undetermined position is named on standard error as it comes."""
    corpora: dict[str, Any] = {}
    lost: dict[str, Any] = {}
    with Pool(jobs) as pool:
        for name in names:
            if name == LOST:
                lost = bands(list(pool.imap(scan, list(lost_games())[::every], chunksize=1)))
                continue
            asked = list(CORPORA[name]())[::every]
            timed = _asked(pool, asked, budget)
            left = [entry.asked for entry in timed if not decided(entry.found)]
            corpora[name] = summary(timed, _asked(pool, left, DEEP) if budget is None else [])
    return {
        "command": "python -m bench.table --write" + (f" --every {every}" if every > 1 else ""),
        "date": date.today().isoformat(),
        "processor": processor(),
        "python": platform.python_version(),
        "budget": DEFAULT if budget is None else budget,
        "process_start": round(process_start(), 2),
        "corpora": corpora,
        "lost": lost,
    }


def _asked(pool: PoolOf, asked: list[Asked], budget: int | None) -> list[Timed]:
    timed = []
    for entry in pool.imap(_ask, [(each, budget) for each in asked]):
        timed.append(entry)
        if isinstance(entry.found, Unknown) or not entry.verdict.startswith("accepted"):
            print(f"{entry.asked[:6]}: {kind(entry.found)} {entry.verdict} {budget}", file=sys.stderr, flush=True)
    return timed


def bands(games: list[Lost]) -> dict[str, Any]:
    """The figures of the lost games as data."""
    left = [game for game in games if game.open]
    return {
        "games": len(games),
        "positions": sum(game.alive + game.dead + game.open for game in games),
        "alive": sum(game.alive for game in games),
        "dead": sum(game.dead for game in games),
        "open": sum(game.open for game in games),
        "some_open": len(left),
        "seconds": spread([game.seconds for game in games], 95),
        "steps": spread([game.steps for game in games], 95),
        "left_open": [{"name": game.name, "policy": game.policy, "open": game.open} for game in left],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", choices=[*CORPORA, LOST], help="ask this corpus only")
    parser.add_argument("--every", type=int, default=1, help="ask every Nth position only")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--budget", type=int, default=None, help="steps for each answer")
    parser.add_argument("--write", action="store_true", help="write bench/table.json and bench/table.md")
    parser.add_argument("--actions", type=int, help="judge the actions in the middle of so many games")
    chosen = parser.parse_args()
    if chosen.actions:
        judge_all(chosen.actions, chosen.every, chosen.budget, chosen.jobs)
        return
    names = [chosen.corpus] if chosen.corpus else [*CORPORA, LOST]
    figures = measure(names, chosen.every, chosen.budget, chosen.jobs)
    if chosen.corpus and (FOLDER / "table.json").exists():
        kept = json.loads((FOLDER / "table.json").read_text(encoding="utf-8"))
        figures["corpora"] = kept["corpora"] | figures["corpora"]
        figures["lost"] = figures["lost"] or kept.get("lost", {})
        figures["command"] += " --corpus NAME"
    text = page(figures)
    print(text, end="")
    if chosen.write:
        (FOLDER / "table.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        (FOLDER / "table.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
