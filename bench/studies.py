"""The pages of `docs/studies`: what the studies of `examples/studies` came to.

``python -m bench.studies FOLDER --write`` reads every result of a study that lies somewhere in the folder, keeps what
the pages say of it in `bench/studies.json`, and writes the pages anew from that file; without a folder it writes only
the pages. A page has no number that is not in the file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from couperation_formal.game.rulings import registry

ROOT = Path(__file__).resolve().parent.parent
KEPT, PAGES = ROOT / "bench" / "studies.json", ROOT / "docs" / "studies"
LOOKED_AT = 200
"""So many lost games of each policy are looked at, the first ones by seed."""

_GAMES = """
WITH games AS (
    SELECT policy, seed, rules, variant,
        max(answer) FILTER (question = 'result') AS result, max(number) FILTER (question = 'length') AS length,
        max(number) FILTER (question = 'left') AS unspent, max(number) FILTER (question = 'tower') AS tower
    FROM rows WHERE question <> 'breaks' GROUP BY ALL
) """

_TABLES = f"""
WITH games AS (
    SELECT policy, seed, max(answer) FILTER (question = 'result') AS result,
        max(answer) FILTER (question = 'table') AS said, max(number) FILTER (question = 'table') AS dead,
        max(least) FILTER (question = 'table') AS least FROM rows GROUP BY ALL
), lost AS (
    SELECT *, row_number() OVER (PARTITION BY policy ORDER BY seed) AS place FROM games
    WHERE result IN ('loss', 'stuck')
)
SELECT policy, count(*) AS games, count(*) FILTER (said = 'deadlocked' AND least = dead) AS exact,
    count(*) FILTER (said = 'deadlocked' AND least < dead) AS between, count(*) FILTER (said <> 'deadlocked') AS open,
    quantile_cont(least, 0.5) AS least, quantile_cont(dead, 0.5) AS dead,
    quantile_cont(dead, 0.1) AS early, quantile_cont(dead, 0.9) AS late
FROM lost WHERE place <= {LOOKED_AT} GROUP BY ALL ORDER BY policy"""

QUERIES = {
    "winnable": {
        "cells": """SELECT rules, variant, players, count(*) AS games, count(*) FILTER (answer = 'completable') AS won,
            count(*) FILTER (answer = 'deadlocked') AS dead, count(*) FILTER (answer = 'undetermined') AS open,
            quantile_cont(number, 0.5) AS turns, quantile_cont(work, 0.5) AS work, max(work) AS most
            FROM rows GROUP BY ALL ORDER BY ALL"""
    },
    "lost": {
        "results": _GAMES
        + """SELECT policy, count(*) AS games, count(*) FILTER (result = 'win') AS win,
            count(*) FILTER (result = 'loss') AS loss, count(*) FILTER (result = 'stuck') AS stuck,
            quantile_cont(length, 0.5) AS turns FROM games GROUP BY ALL ORDER BY policy""",
        "losses": _GAMES
        + """SELECT policy, count(*) AS games, count(tower) AS dead, count(*) FILTER (tower < length) AS before,
            quantile_cont(length, 0.5) AS turns, quantile_cont(tower, 0.1) AS early, quantile_cont(tower, 0.5) AS tower,
            quantile_cont(tower, 0.9) AS late, quantile_cont(unspent, 0.5) AS unspent,
            count(*) FILTER (unspent = 0) AS spent
            FROM games WHERE result IN ('loss', 'stuck') GROUP BY ALL ORDER BY policy""",
    },
    "lost-table": {"tables": _TABLES},
    "lost-good": {
        "results": _GAMES
        + """SELECT policy, count(*) AS games, count(*) FILTER (result = 'win') AS win,
            count(*) FILTER (result = 'loss') AS loss, count(*) FILTER (result = 'stuck') AS stuck,
            quantile_cont(length, 0.5) AS turns FROM games GROUP BY ALL ORDER BY policy""",
        "tables": _TABLES,
    },
    "rulings": {
        "wins": _GAMES
        + """SELECT a.rules, a.variant, count(*) AS games, count(*) FILTER (a.result = 'win') AS win,
            count(*) FILTER (a.result = 'win' AND b.result <> 'win') AS gained,
            count(*) FILTER (b.result = 'win' AND a.result <> 'win') AS lost,
            avg(a.length) AS turns, avg(a.length - b.length) AS longer, avg(a.unspent) AS unspent
            FROM games a JOIN games b ON a.seed = b.seed AND a.variant = b.variant AND b.rules = 'ja-2.2'
            GROUP BY ALL ORDER BY ALL""",
        "breaks": """WITH lengths AS (SELECT rules, variant, seed, number AS length FROM rows WHERE question = 'length')
            SELECT a.rules, a.under, a.variant, sum(a.number)::BIGINT AS turns, sum(b.length)::BIGINT AS of,
            count(*) FILTER (a.number > 0) AS games
            FROM rows a JOIN lengths b ON a.rules = b.rules AND a.variant = b.variant AND a.seed = b.seed
            WHERE a.question = 'breaks' GROUP BY ALL ORDER BY ALL""",
    },
    "deadlocks": {
        "counts": "SELECT rules, variant, seed AS cards, number AS count FROM rows ORDER BY ALL",
    },
}
"""What is asked of the rows of each study."""

_COST = """SELECT count(*) AS rows, count(*) FILTER (answer = 'undetermined') AS open,
    count(*) FILTER (failed <> '') AS failed, round(sum(seconds)) AS seconds, any_value(commit) AS commit FROM rows"""


def read(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is kept of every result in a folder, by the study's name."""
    from couperation_formal.questions.studies.report import asked
    from couperation_formal.questions.studies.results import Results

    for path in sorted(folder.glob("**/parts")):
        results = Results(path.parent)
        if (name := results.plan.study) in QUERIES:
            tables = {key: asked([results], sql).to_pylist() for key, sql in QUERIES[name].items()}
            (cost,) = asked([results], _COST).to_pylist()
            there = len(results.there()), len(results.wanted)
            yield name, {"plan": results.plan.digest, "digest": results.whole(), "parts": there, **cost, **tables}


# The pages.


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of Markdown, all but the first column to the right."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def share(yes: int, games: int, open_: int = 0) -> str:
    """A share with its interval; a gap where some are open."""
    from couperation_formal.questions.studies.report import interval

    least, most = interval(yes, games)[0], interval(yes + open_, games)[1]
    gap = f"{yes / games:.1%}" if not open_ else f"{yes / games:.1%} – {(yes + open_) / games:.1%}"
    return f"{gap} ({least:.1%} – {most:.1%})"


def number(value: float | None) -> str:
    """A number of a page."""
    return "" if value is None else f"{value:,.1f}".removesuffix(".0")


def begun(title: str, *studies: tuple[str, dict[str, Any]]) -> str:
    """The head of a page, with the commands that made its numbers."""
    lines = [f"# {title}\n"]
    for name, kept in studies:
        there, wanted = kept["parts"]
        some = "" if there == wanted else f" These are {there:,} of its {wanted:,} parts."
        lines.append(
            f"`couperation study examples/studies/{name}.toml -o results/{name}`: {kept['rows']:,} rows,"
            f" {kept['open']:,} undetermined, {kept['failed']:,} failed, {kept['seconds'] / 3600:.2f} core hours"
            f" for the answers, digest `{kept['digest'][:16]}…`.{some}\n"
        )
    lines.append("The numbers of this page are those of `bench/studies.json`, which `python -m bench.studies` makes.\n")
    return "\n".join(lines)


def winnable(all_: dict[str, Any]) -> str:
    """Winnable with open cards."""
    kept = all_["winnable"]
    cells = kept["cells"]
    games, won, dead, open_ = (sum(each[name] for each in cells) for name in ("games", "won", "dead", "open"))
    rows = [
        (
            f"`{each['rules']}` {each['variant']}, {each['players']}",
            each["games"],
            share(each["won"], each["games"], each["open"]),
            number(each["turns"]),
            number(each["work"]),
        )
        for each in cells
    ]
    lost = "No deal was found that cannot be won." if not dead else f"{dead:,} deals cannot be won, whoever plays how."
    left = f" Of {open_:,} the budget ended first." if open_ else ""
    return f"""{begun("How many deals can be won with open cards?", ("winnable", kept))}
All cards lie open, and all players play as one. Of {games:,} deals a line that wins was found for {won:,}:
{share(won, games, open_)}. {lost}{left}

{table(("rules, variant, players", "deals", "winnable (interval)", "turns of the line", "steps of the search"), rows)}
The medians of turns and steps are those of the deals of a row. A line was found by a search that prefers what wins, not
what is short: shorter ones may exist. Each line is a certificate that the independent checker replays.

What is seen: {won / games:.1%} of these deals can be won by players who see everything. Who loses one of them had a
line that wins, and lacked the order of the deck, the others' hands, or the play. What is not known: how often a deal
can be won by players who see only their own cards. That is another question, and its share is smaller.
"""


def lost(all_: dict[str, Any]) -> str:
    """How games are lost."""
    kept = all_["lost"]
    studies = [("lost", kept), *((name, all_[name]) for name in ("lost-table", "lost-good") if name in all_)]
    results = [*kept["results"], *all_.get("lost-good", {}).get("results", [])]
    order = ["random", "erring-0.2", "erring-0.1", "erring-0.05", "careful", "tower", "table"]
    results.sort(key=lambda each: order.index(each["policy"]))
    first = [
        (
            f"`{each['policy']}`",
            f"{each['games']:,}",
            share(each["win"], each["games"]),
            f"{each['loss'] / each['games']:.1%}",
            f"{each['stuck'] / each['games']:.1%}",
            number(each["turns"]),
        )
        for each in results
    ]
    losses = sorted(kept["losses"], key=lambda each: order.index(each["policy"]))
    second = [
        (
            f"`{each['policy']}`",
            f"{each['games']:,}",
            f"{each['dead'] / each['games']:.1%}",
            f"{each['before'] / each['games']:.1%}",
            f"{number(each['early'])} / {number(each['tower'])} / {number(each['late'])}",
            number(each["turns"]),
            number(each["unspent"]),
        )
        for each in losses
    ]
    good = "\n`table` sees all cards, and stands for players who are better than any can be at a table."
    good = good if "lost-good" in all_ else ""
    page = f"""{begun("How are games lost?", *studies)}
Two players under the rules of `ja-2.2`, without the Finish card, by the way in which they decide
([policies](../reference/study.md)); the same deals for all.{good}

{table(("policy", "games", "won (interval)", "lost", "stuck", "turns"), first)}
A game is *lost* by a down card that was opened and breaks the orders (END02), *stuck* with a player without a legal
action (END03). `careful`, `tower` and `table` open such a card only where every legal action loses.

## When the tower died

A card that is opened against the orders kills the tower by the last turn, if it lived so long. Of the games that were
lost or stuck: the share in which, at the end, the cards that are left could not complete the tower as it stood; in
which that was so before the last turn; the turn after which it was so to the end (a tenth, the median, nine tenths of
them); and the cards that were still in hands, Reserve and deck.

{
        table(
            ("policy", "games", "tower dead", "before the last turn", "turn of death", "turns in all", "cards left"),
            second,
        )
    }
"""
    looked = [each for name in ("lost-table", "lost-good") for each in all_.get(name, {}).get("tables", [])]
    if looked:
        looked.sort(key=lambda each: order.index(each["policy"]))
        third = [
            (
                f"`{each['policy']}`",
                each["games"],
                each["exact"],
                each["between"],
                each["open"],
                f"{number(each['least'])} – {number(each['dead'])}",
                f"{number(each['early'])} – {number(each['late'])}",
            )
            for each in looked
        ]
        page += f"""
## When the table was lost

Long before that no play may have won any more. Of the first {LOOKED_AT} lost games of a policy, by seed, or of as many
as there are: how often the turn that lost the table is known exactly, how often only between two turns, how often not
at all within 100,000 steps. The last but one column is the median, as a gap: of the first turn after which it may have
been lost, and of the first after which it is known to be. The last one has the tenth and the nine tenths of the latter.

{table(("policy", "games", "exactly", "between", "not known", "median turn", "known at"), third)}
"""
    careful = next((each for each in losses if each["policy"] == "careful"), None)
    tower = next((each for each in results if each["policy"] == "tower"), None)
    if careful and tower:
        own = next(each for each in results if each["policy"] == "careful")
        page += f"""
## What is seen, and what is not

- Errors cost games: {
            ", ".join(f"{each['win'] / each['games']:.0%} with `{each['policy']}`" for each in results[1:5])
        } are won.
- Care already keeps the tower completable: who asks before each action whether it still is wins
  {tower["win"] / tower["games"]:.1%}, who does not {own["win"] / own["games"]:.1%}.
- Of the careful players' lost games {careful["before"] / careful["games"]:.0%} had a dead tower before their last turn;
  in the others it lived until then, and what was left to do was to open a wrong card, or nothing.
- Not known: how people play. These players follow fixed rules, and none of them talks with the others.
"""
    return page


def rulings(all_: dict[str, Any]) -> str:
    """What the rulings do."""
    kept = all_["rulings"]
    wins = kept["wins"]
    base = {each["variant"]: each for each in wins if each["rules"] == "ja-2.2"}
    pairs = [each for each in wins if each["rules"] != "ja-2.2" and not _idle(each)]
    broken = {(each["rules"], each["under"], each["variant"]): each for each in kept["breaks"]}
    bound = 0.05 / len(pairs)
    told = []
    for each in pairs:
        each = {**each, "p": mcnemar(each["gained"], each["lost"]), "shift": each["gained"] - each["lost"]}
        there, back = (
            broken.get(key, {"turns": 0, "of": 1, "games": 0})
            for key in (("ja-2.2", each["rules"], each["variant"]), (each["rules"], "ja-2.2", each["variant"]))
        )
        told.append((each, there["turns"] / there["of"], back["turns"] / back["of"]))
    told.sort(key=lambda it: (-abs(it[0]["shift"]) / it[0]["games"], it[0]["rules"], it[0]["variant"]))
    sure = [it for it in told if it[0]["p"] < bound]
    rows = [
        (
            f"`{each['rules'].removeprefix('ja-2.2 ')}`, {each['variant']}",
            f"{each['win'] / each['games']:.1%}",
            f"{each['shift'] / each['games']:+.1%}",
            f"{each['p']:.2g}",
            f"{each['longer']:+.1f}",
            f"{there:.2%}",
            f"{back:.2%}",
        )
        for each, there, back in told
    ]
    options = {each["rules"].removeprefix("ja-2.2 ") for each in pairs}
    never = options - {each["rules"].removeprefix("ja-2.2 ") for each in pairs if each["gained"] + each["lost"]}
    matter = "\n".join(_sentence(*group) for group in groupby_ruling(sure))
    default = ", ".join(
        f"{share(each['win'], each['games'])} of the variant `{name}`" for name, each in sorted(base.items())
    )
    return f"""{begun("Which sentence of the rules matters?", ("rulings", kept))}
The same {next(iter(base.values()))["games"]:,} deals of two careful players, once under `ja-2.2` and once with a single
ruling changed. Under `ja-2.2` they win {default}.

## Those that matter

A changed share counts here where it would come by chance in less than one of {1 / bound:,.0f} comparisons (McNemar's
exact test, five in a hundred for all {len(pairs)} together).

{matter or "None does."}

## All of them

The share of games won, its difference on the same deals, the chance of such a difference if the ruling did nothing, by
how many turns games are longer, the share of turns played under `ja-2.2` that break a rule of the other reading, and
the share of turns played under the other reading that break one of `ja-2.2`. Each turn is judged as it stands, whatever
was broken before.

{
        table(
            (
                "ruling, variant",
                "won",
                "difference",
                "p",
                "turns",
                "illegal under it",
                "its turns illegal under `ja-2.2`",
            ),
            rows,
        )
    }
{_never(sorted(never))}
What is not known: whether other players would gain or lose as much. These look at the rules that they play under in
the tower's orders and at its end, not in how they draw; a ruling that allows more, and that they do not use, seems to
do nothing here.
"""


def _idle(cell: dict[str, Any]) -> bool:
    """Whether the ruling is one of the Finish card, which the variant does not have."""
    return bool(cell["variant"] == "first" and cell["rules"].startswith("ja-2.2 finish_"))


def groupby_ruling(told: Sequence[tuple[dict[str, Any], float, float]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The comparisons of each ruling, the ruling with the largest one first."""
    found = [each for each, _, _ in told]
    names = list(dict.fromkeys(each["rules"].removeprefix("ja-2.2 ").partition("=")[0] for each in found))
    found.sort(key=lambda each: names.index(each["rules"].removeprefix("ja-2.2 ").partition("=")[0]))
    for name, group in groupby(found, lambda each: each["rules"].removeprefix("ja-2.2 ").partition("=")[0]):
        yield name, list(group)


def _sentence(name: str, found: list[dict[str, Any]]) -> str:
    """A ruling that matters, as the rulebooks' question, and by how much."""
    shifts = ", ".join(
        f"{each['shift'] / each['games']:+.1%} with `{each['rules'].removeprefix('ja-2.2 ')}` ({each['variant']})"
        for each in found
    )
    return f"- *{registry().rulings[name].question}* {shifts}."


def _never(names: Sequence[str]) -> str:
    if not names:
        return ""
    listed = ", ".join(f"`{name}`" for name in names)
    return f"No single game of these ended otherwise with {listed}.\n"


def mcnemar(gained: int, lost_: int) -> float:
    """The chance of so uneven a count, or of a more uneven one."""
    from scipy.stats import binomtest

    return float(binomtest(gained, gained + lost_).pvalue) if gained + lost_ else 1.0


def deadlocks(all_: dict[str, Any]) -> str:
    """Minimal deadlocks."""
    kept = all_["deadlocks"]
    counts = {(each["rules"], each["variant"], each["cards"]): each["count"] for each in kept["counts"]}
    sizes = sorted({cards for _, _, cards in counts})
    cells = sorted({(rules, variant) for rules, variant, _ in counts})
    rows = [
        (f"`{rules}` {variant}", *(number(counts.get((rules, variant, size))) for size in sizes))
        for rules, variant in cells
    ]
    return f"""{begun("How small can a deadlock be?", ("deadlocks", kept))}
A tower is deadlocked when the cards that are left cannot complete it as it stands, and minimally so when none of its
parts is ([definition and proof](../reference/deadlocks.md)). All of them are counted, by rules and by the number of
cards beside the 25; `couperation deadlocks` prints the same numbers, which a test holds for 1 to 4 cards.

{table(("rules, variant", *(f"{size} cards" if size > 1 else "1 card" for size in sizes)), rows)}
What is seen: a single card can be enough. Where the 25 stands in the middle (`en-1`, `en-2`) far more single cards are
fatal than where the columns stay open. What is not known: how often such a tower occurs in play.{
        " [How games are lost](lost.md) tells when towers die." if "lost" in all_ else ""
    }
"""


WRITTEN = {"winnable": winnable, "lost": lost, "rulings": rulings, "deadlocks": deadlocks}
"""The pages, by the study that each needs."""


def pages(kept: dict[str, Any]) -> dict[str, str]:
    """The pages that can be written."""
    return {name: page(kept) for name, page in WRITTEN.items() if name in kept}


def main(arguments: list[str]) -> None:
    """Read, and print or write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept |= {} if options.folder is None else dict(read(options.folder))
    made = pages(kept)
    if options.write:
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", "utf-8")
        PAGES.mkdir(exist_ok=True)
        for name, page in made.items():
            (PAGES / f"{name}.md").write_text(page, "utf-8")
    else:
        print("\n".join(made.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
