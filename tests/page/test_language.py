"""The page in a language in which every word stands in brackets: no other word is left but the record's own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from couperation_formal.game.fact import Steps, fact
from couperation_formal.game.rulings import registry
from couperation_formal.notation.read import read, read_text
from couperation_formal.output.report import clauses
from couperation_formal.page.page import game_view, page_of
from couperation_formal.page.sights import fate_of, no_fate
from couperation_formal.questions.disputes.dispute import dispute
from couperation_formal.questions.disputes.judging import BookVerdict
from couperation_formal.questions.records.check import check
from couperation_formal.questions.tables.deadlock import scan_table
from couperation_formal.words import say as room
from couperation_formal.words.say import ENGLISH
from tests.conftest import LONG
from tests.page.pages import BROKEN, DEAD, FINISH, HEAD, ROOT, opened
from tests.words.pseudo import Catalog

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

RECORDS = (BROKEN, FINISH, DEAD, ROOT / "examples" / "broken" / "hearts.cgn")
OPEN = '[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n2. Ben B ?@h1\n3. Aki A ?@i1\n'
REFUSED = HEAD + "1. Aki A 17@f1\n2. Ben A 9@f2\n"
ALONE = '[CGN "1"]\n[Rules "en-2"]\n[Players "Aki Ben"]\nposition\ntower 20@f1 25@g1 40@h1\ngone 21 22 23\n'
ASKED = ALONE.replace("gone", "hand Aki 3\nhand Ben 4\nreserve 1 50\ngone") + "deck 7 8\nturn Aki\n"
UNSEEN = '[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n2. Ben A ?@h1\n'
TABLES = (REFUSED, UNSEEN, ALONE, ALONE.replace("20@f1", "24@f1"), ASKED)

SAID: dict[str, Any] = {
    "rulebooks": {"en-2": BookVerdict("legal"), "bgg": BookVerdict("illegal", 8, "TOW02")},
    "decisive": ("between",),
    "legal_when": ({"between": ("inclusive",), "row_order": ("weak", "strict")}, {"anchor": ("middle",)}),
    "illegal_when": ({"between": ("strict",)},),
    "undetermined_when": ({},),
}
"""What a dispute says."""

WALK = """async (pace) => {
  const found = new Set();
  const spoken = ["aria-label", "aria-valuetext", "label", "title", "alt", "placeholder"];
  const collect = (at) => {
    for (const name of spoken) if (at.hasAttribute(name)) found.add(at.getAttribute(name));
    if (at.matches("script, style, pre, textarea, .cgn, .remark")) return;
    for (const each of at.childNodes) {
      if (each.nodeType === Node.TEXT_NODE) found.add(each.textContent.replace(/\\s+/g, " ").trim());
      else if (each.nodeType === Node.ELEMENT_NODE) collect(each);
    }
  };
  const everywhere = () => collect(document.documentElement);
  const asked = (game, to) => game.panels.open(to ? "what-if" : "outlook");
  for (const game of couperation.games) {
    const take = () => collect(game.article);
    const count = game.sight.steps.length;
    for (let at = (count - 1) % pace; at < count; at += pace) {
      asked(game, false);
      game.go(at, true);
      game.look(["all", "table", "0", "all"][at % 4]);
      take();
      game.fill();
      take();
      asked(game, true);
      take();
      const cells = Object.keys(game.step.fits);
      for (let i = at % 3; i < game.step.cards.length; i += 3) {
        game.whatIf.tryIt(game.step.cards[i], cells[i % cells.length]);
        collect(game.part("trial"));
      }
      for (const [cell, fit] of Object.entries(game.step.fits)) {
        if (!fit.bar && fit.low) game.whatIf.tryIt(String(fit.low[0]), cell);
        collect(game.part("trial"));
      }
      if (cells.length) game.whatIf.tryIt("F", cells[0]);
      take();
      for (const cell of [Object.keys(game.step.cells)[0], game.data.slots.at(-1)]) {
        game.whatIf.pick(cell);
        take();
      }
    }
    if (game.data.chances.length) {
      game.look("all");
      game.go(game.data.lost);
      take();
      game.walk(0);
      game.go(game.data.lost);
      take();
      game.walk(null);
    }
    await game.whatIf.copy();
    await game.copyLink();
    take();
  }
  everywhere();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
  for (const each of document.querySelectorAll(".keys dd, .keys button")) collect(each);
  document.querySelector(".keys").remove();
  for (const _ of [1, 2, 3]) {
    document.getElementById("theme").click();
    everywhere();
  }
  return [...found];
}"""

VOCABULARY = re.compile(r"[a-mA-M]\d?|[A-Z]{3}\d\d|F|~\?|~\d+|[\d?^-]+@[a-m]\d")
"""Names of cells (one may begin a sentence), columns, actions and clauses, cards, cards on cells."""


RULINGS = registry().rulings
OPTIONS = {option for ruling in RULINGS.values() for option in ruling.option_names()}


def own() -> set[str]:
    """What is the record's and the specification's: names of players, events, rulings, rulebooks, variants."""
    words = {*RULINGS, *registry().rulebooks, "first", "finish", "Aki", "Ben", "game.cgn"}
    for path in RECORDS:
        text = path.read_text(encoding="utf-8")
        words |= {path.name, *" ".join(re.findall(r'\[(?:Event|Players) "(.*)"\]', text)).split()}
    return words


def told() -> set[str]:
    """The specification's sentences, as the page shows them."""
    found = {ruling.question for ruling in RULINGS.values()} | {*registry().titles.values()}
    found |= {option.meaning.rstrip(".") for ruling in RULINGS.values() for option in ruling.options}
    found |= {option.meaning for ruling in RULINGS.values() for option in ruling.options}
    for clause in clauses().values():
        found |= {clause.title, clause.title[0].lower() + clause.title[1:], clause.rule.replace("`", "")}
        found |= {row.place for row in clause.sources}
    return found


def left(text: str, words: set[str], sentences: set[str]) -> list[str]:
    """The words of a text that stand outside of brackets and belong to nobody; an option needs its ruling beside it."""
    pieces = [re.sub(r"^[A-Z]{3}\d\d |^: ", "", piece.strip()) for piece in re.split(r"⟦[^⟦⟧]*⟧", text)]
    bare = [word.strip(".,;:()") for piece in pieces if piece not in sentences for word in re.split(r"[ =]", piece)]
    names = {re.sub(r":\d+:\d+$", "", word) for word in bare if re.search(r"[^\W\d_]", word)}
    names -= {*words, *(OPTIONS if names & RULINGS.keys() else ())}
    return sorted(word for word in names if not VOCABULARY.fullmatch(word))


def test_in_another_language_no_word_of_this_one_is_left(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog = Catalog()
    monkeypatch.setattr(room, "catalog", lambda _: catalog)
    items: list[Any] = [item for path in RECORDS for item in read(path)]
    items += [item for text in TABLES for item in read_text(text, "game.cgn")]
    reports = [check(item) for item in items] + [check(item, engine="plain") for item in read_text(OPEN, "game.cgn")]
    assert {report.verdict for report in reports} >= {"legal", "illegal", "undetermined"}
    fates = {at: fate_of(scan_table(items[at], None, Steps(3_000))) for at in (0, 2)}
    turns = items[0].record.turns
    fates[0] = replace(fates[0], standing=("alive", "alive", "lost"), turn=2, lines=(turns[1:],))
    fates[1] = no_fate(fact("turn_over", end=1, turn=2))
    disputes = {0: replace(dispute(items[0]), **SAID)}
    views = [game_view(each, at + 1, None, disputes.get(at), None, fates.get(at)) for at, each in enumerate(reports)]
    with opened(browser, page_of(views, ENGLISH), tmp_path) as shown:
        texts = shown.tab.evaluate(WALK, 1 if LONG else 2)
    words, sentences = own(), told()
    assert {text: left(text, words, sentences) for text in texts if left(text, words, sentences)} == {}
    assert len(texts) > 1000
    assert left("⟦turn ⟧3 of f1", words, sentences) == ["of"]
    said = "\n".join(texts)
    live = {kind: re.findall(r"⟦[^⟦⟧]*⟧", sentence) for kind, sentence in catalog.items() if kind.startswith("live_")}
    unseen = {kind for kind, parts in live.items() if not all(part in said for part in parts)}
    assert unseen <= {"live_copied", "live_press", "live_in_address", "live_refused_card"}
    assert "undefined" not in said
    assert len(catalog.said) > 130
