"""What a turn of a fully seen record costs, stage by stage, beside python-chess reading and validating PGN.

``python bench/check.py --write`` writes `bench/check.json` and `bench/check.md`. Games are sampled and written before
any clock starts; rounds of both programs alternate, so that a drift of the machine's speed meets both; medians are
quoted. Processor time is measured, of this process and of whole ones.
"""

from __future__ import annotations

import argparse
import io
import json
import platform
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date
from functools import partial
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any, get_args

import chess.pgn
import msgspec

from bench.parts import PLY, page, parts, quickest
from couperation_formal.formulas.judge import judge
from couperation_formal.game.record import Game, NoAction
from couperation_formal.game.replay import replay
from couperation_formal.game.rulings import parse_rules, registry
from couperation_formal.game.tower import Variant
from couperation_formal.notation import read as read_module
from couperation_formal.notation.parse import build, parse
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.check import check, report_data
from couperation_formal.questions.records.sample import Usual as Policy, sample_game

FOLDER = Path(__file__).resolve().parent
STAGES = ("split", "parse", "record", "rules", "report")
CLEAN, PUBLIC = FOLDER.parent / "examples" / "legal" / "finish.cgn", FOLDER / "public.cgn"
"""A record that shows everything, and one of 13 turns as it is written down at a table."""
ASKED = ("check", "dispute", "complete", "deadlock")
FORMS, OPEN = ("json", "full"), "en-2"
"""Forms of a report, one for programs and one for people, and a rulebook whose text leaves rulings open."""
PROGRAM = ("-m", "couperation_formal")
_IMPORT = "import couperation_formal.cli.commands.check"
_BARE = "import click\n@click.command()\n@click.version_option('1')\ndef main(): pass\nmain(['--version'])"


def sampled(games: int) -> list[str]:
    """So many complete games as text, over both variants, two to four players, all rulebooks and both policies."""
    policies: tuple[Policy, ...] = get_args(Policy)
    variants: tuple[Variant, ...] = get_args(Variant)
    kinds = cycle(product(policies, variants, (2, 3, 4), registry().rulebooks))
    texts = []
    for seed, (policy, variant, players, rulebook) in enumerate(islice(kinds, games)):
        texts.append(record_text(sample_game(players, variant, parse_rules(rulebook), seed, policy)))
    return texts


def chess_games(plies: int, seed: int = 1) -> list[str]:
    """Games of random legal moves as PGN, with so many plies in all."""
    rng = random.Random(seed)
    texts = []
    while plies > 0:
        board = chess.Board()
        while plies > 0 and board.ply() < 80 and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
            plies -= 1
        texts.append(str(chess.pgn.Game.from_board(board)))
    return texts


def timed(work: Callable[[Any], object], inputs: Iterable[Any]) -> float:
    """Seconds that `work` takes on all inputs, one after the other; what it gives is dropped."""
    start = time.process_time()
    for given in inputs:
        work(given)
    return time.process_time() - start


def verdicts(text: str) -> None:
    """All that `couperation check --output-format json` does with a text, but for writing it out."""
    for item in read_text(text):
        msgspec.json.encode(report_data(check(item)))


def stages(texts: list[str], games: list[Game]) -> dict[str, float]:
    """Seconds spent in each stage, and in the whole, over these games."""
    parsed = [parsed for text in texts if (parsed := parse(text)).whole]
    reading = timed(lambda text: list(read_text(text)), texts)
    judging = timed(lambda game: msgspec.json.encode(report_data(check(game))), games)
    spent = {
        "parse": timed(parse, texts),
        "record": timed(build, parsed),
        "rules": timed(lambda game: replay(game.record, game.record.rules.rulings), games),
        "whole": timed(verdicts, texts),
    }
    spent["split"] = reading - spent["parse"] - spent["record"]
    spent["report"] = judging - spent["rules"]
    return spent


def beside_the_formulas(games: list[Game]) -> list[float]:
    """How many times the time of the rules the formulas take on each game.

    Games with a turn `-` are left out: there the formulas try every action.
    """
    ratios = []
    for game in games:
        record, rulings = game.record, game.record.rules.rulings
        if not any(isinstance(turn.action, NoAction) for turn in record.turns):
            plain = timed(partial(replay, rulings=rulings), [record])
            ratios.append(timed(partial(judge, rulings=rulings), [record]) / plain)
    return ratios


def without_rules(games: list[Game]) -> float:
    """How many times the time that a check takes it takes without the tag `Rules`, where each other rulebook is asked
    up to the first that judges otherwise: over the games of the default rulebook.
    """
    tagged = [game for game in games if game.record.rules.rulebook == registry().default]
    texts = [re.sub(r"\[Rules .*\n", "", game.layout.text) for game in tagged]
    return timed(check, [game for text in texts for game in read_text(text)]) / timed(check, tagged)


def recovering(texts: list[str]) -> tuple[float, float]:
    """How many times the time that reading takes it takes because broken lines are read on from: of whole records, as
    they are looked through for slips, and of the same with a line in their middle that is no CGN.
    """
    broken = [text.replace(" A ", " X ", 1) for text in texts]
    looks = read_module._empty, read_module._suspicious
    whole = timed(lambda text: list(read_text(text)), texts)
    try:
        read_module._empty, read_module._suspicious = (lambda *_: False), (lambda *_: False)
        plain = timed(lambda text: list(read_text(text)), texts)
    finally:
        read_module._empty, read_module._suspicious = looks
    return whole / plain, timed(lambda text: list(read_text(text)), broken) / whole


def read_chess(text: str) -> None:
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None or game.errors:
        raise SystemExit("a PGN game was not read back")


def a_ply(plies: int, rounds: int) -> float:
    """Microseconds a ply, each game as quick as it was in any round."""
    return round(quickest(read_chess, chess_games(plies), rounds) / plies * 1e6, 2)


def process(*command: str) -> float:
    """Processor seconds of a whole process of Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_forms(games: int) -> dict[str, float]:
    """Processor seconds for so many legal games of a rulebook that leaves rulings open, by the form of the report."""
    texts = (
        record_text(sample_game(2 + seed % 3, "first", parse_rules(OPEN), seed, "careful")) for seed in range(games)
    )
    with tempfile.NamedTemporaryFile("w", suffix=".cgn", encoding="utf-8") as file:
        file.write("\n".join(texts))
        file.flush()
        return {form: process(*PROGRAM, "check", "-j", "1", "--output-format", form, file.name) for form in FORMS}


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.+)", info.read_text(encoding="utf-8")) if info.exists() else []
    return names[0] if names else platform.processor() or platform.machine()


def measure(games: int, rounds: int) -> dict[str, Any]:
    """All figures: microseconds a turn by stage, microseconds a ply, and start-up times in milliseconds."""
    texts = sampled(games)
    read = [game for text in texts for game in read_text(text) if isinstance(game, Game)]
    if len(read) != len(texts):
        raise SystemExit("a sampled game was not read back")
    turns = sum(len(game.record.turns) for game in read)
    pgn = chess_games(turns)
    runs: list[dict[str, float]] = []
    ratios: list[float] = []
    judge(read[0].record, read[0].record.rules.rulings)
    untagged: list[float] = []
    recovered: list[tuple[float, float]] = []
    plies: list[float] = []
    starts: dict[str, list[float]] = {name: [] for name in ("version", "clean", "bare", "import", "nothing")}
    public: dict[str, list[float]] = {command: [] for command in ASKED}
    for _ in range(rounds):
        runs.append(stages(texts, read))
        plies.append(timed(read_chess, pgn))
        ratios += beside_the_formulas(read)
        untagged.append(without_rules(read))
        recovered.append(recovering(texts))
        starts["version"].append(process(*PROGRAM, "--version"))
        starts["clean"].append(process(*PROGRAM, "check", str(CLEAN)))
        starts["bare"].append(process("-c", _BARE))
        starts["import"].append(process("-c", _IMPORT))
        starts["nothing"].append(process("-c", ""))
        for command, seconds in public.items():
            seconds.append(process(*PROGRAM, command, str(PUBLIC)))
    before = a_ply(turns // 10, 3 * rounds)
    spent = parts(read[: games // 10 or 1], 3 * rounds)
    ms = {name: round(statistics.median(times) * 1e3, 1) for name, times in starts.items()}
    return {
        "games": games,
        "turns": turns,
        "rounds": rounds,
        "microseconds_a_turn": {
            name: round(statistics.median(run[name] for run in runs) / turns * 1e6, 2) for name in (*STAGES, "whole")
        },
        "microseconds_a_ply": round(statistics.median(plies) / turns * 1e6, 2),
        "turn_to_ply": round(statistics.median(run["whole"] / t for run, t in zip(runs, plies, strict=True)), 2),
        "formulas_to_rules": round(statistics.median(ratios), 2),
        "without_rules_to_with": round(statistics.median(untagged), 2),
        "recovery_of_whole": round(statistics.median(whole for whole, _ in recovered), 3),
        "broken_to_whole": round(statistics.median(broken for _, broken in recovered), 2),
        "version_ms": ms["version"],
        "bare_click_ms": ms["bare"],
        "version_to_bare": round(ms["version"] / ms["bare"], 2),
        "clean_ms": ms["clean"],
        "clean_to_bare": round(ms["clean"] / ms["bare"], 2),
        "public_seconds": {command: round(statistics.median(seconds), 2) for command, seconds in public.items()},
        "seconds_in_form": {form: round(seconds, 2) for form, seconds in in_forms(games).items()},
        "parts": {**spent, PLY: min(before, a_ply(turns // 10, 3 * rounds))},
        "import_check_ms": round(ms["import"] - ms["nothing"], 1),
        "python": platform.python_version(),
        "processor": processor(),
        "date": date.today().isoformat(),
    }


def table(figures: dict[str, Any]) -> str:
    """The figures as a page of Markdown."""
    turn = figures["microseconds_a_turn"]
    lines = [
        "# What a check costs",
        "",
        f"`python bench/check.py --write`, {figures['date']}, Python {figures['python']}, {figures['processor']}:",
        f"{figures['games']} sampled games, {figures['turns']} turns, as many plies of PGN;",
        f"medians of {figures['rounds']} rounds in one run. Each turn bears its share of its game's tags and set-up.",
        "",
        "| stage | microseconds a turn |",
        "|---|---|",
        *(f"| {name} | {turn[name]:.1f} |" for name in (*STAGES, "whole")),
        f"| python-chess, a ply | {figures['microseconds_a_ply']:.1f} |",
        "",
        f"A turn costs {figures['turn_to_ply']:.2f} times a ply (the target is 1.3).",
        f"`check --engine spec` judges a game in {figures['formulas_to_rules']:.1f} times the time of the rules,",
        "turns `-` apart, in the median (the target was 32).",
        f"Without the tag `Rules` the check of a record takes {figures['without_rules_to_with']:.1f} times as long.",
        "That broken lines are read on from costs a record without any",
        f"{figures['recovery_of_whole']:.3f} times its reading; one broken line makes reading",
        f"{figures['broken_to_whole']:.1f} times as long.",
        f"`couperation --version` takes {figures['version_ms']:.0f} ms, a bare click program",
        f"{figures['bare_click_ms']:.0f} ms: {figures['version_to_bare']:.2f} times (the target was 1.5). Importing",
        f"`check` takes {figures['import_check_ms']:.0f} ms.",
        f"Checking `examples/legal/finish.cgn` takes {figures['clean_ms']:.0f} ms:",
        f"{figures['clean_to_bare']:.2f} times the bare program (the target is 2.5).",
        "",
        f"{figures['games']} legal games of `{OPEN}`, whose text leaves rulings open, take",
        ", ".join(f"{seconds:.2f} s in the form `{form}`" for form, seconds in figures["seconds_in_form"].items())
        + " (processor time).",
        "",
        "Processor seconds for `bench/public.cgn`, in which hands and draws are not seen:",
        ", ".join(f"`{command}` {seconds:.2f}" for command, seconds in figures["public_seconds"].items()) + ".",
        "",
        *page(figures["parts"], 1.3),
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="write bench/check.json and bench/check.md")
    chosen = parser.parse_args()
    figures = measure(chosen.games, chosen.rounds)
    page = table(figures)
    print(page)
    if chosen.write:
        (FOLDER / "check.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
        (FOLDER / "check.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
