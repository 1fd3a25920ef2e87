"""`windows`: exactly the values that some filling puts on a cell, by trying them all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import couperation_formal as cf
from couperation_formal.cli import run as run_module
from couperation_formal.game.record import Position
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Cell, Down, Up, Value
from couperation_formal.towers.completion.answer import windows
from tests.conftest import LONG, some
from tests.questions.towers.run import EXPECTED, GAMES, POSITIONS, accepted, couperation, position, valid

pytestmark = pytest.mark.slow

Spot = tuple[int, int]  # column from 0, level


def name(spot: Spot) -> str:
    return f"{'abcdefghijklm'[spot[0]]}{spot[1]}"


class Naive:
    """A position as the notation says it, and every filling of it found by trying one cell after the other."""

    def __init__(
        self,
        tower: dict[Spot, str],
        gone: list[str],
        shown: list[int],
        rules: dict[str, str],
        finish: bool,
        board: Board = STANDARD,
    ):
        self.tower, self.rules, self.finish, self.levels = tower, rules, finish, board.levels
        self.up = {spot: int(card) for spot, card in tower.items() if card.isdigit()}
        self.hidden = gone.count("?")
        self.values = (
            set(range(1, board.cards + 1)) - set(self.up.values()) - {int(card) for card in gone if card != "?"}
        )
        down = {int(card[1:]) for card in tower.values() if card[1:].isdigit() and card[0] == "~"}
        self.located = (set(shown) | down) & self.values

    def pyramids(self) -> Iterator[list[Spot]]:
        levels = self.levels
        for left in range(levels) if self.rules["anchor"] == "floating" else [levels // 2]:
            cells = [(left + right, level) for level in range(1, levels + 1) for right in range(levels + 1 - level)]
            if set(self.tower) <= set(cells):
                yield cells

    def possible(self) -> dict[str, set[int]]:
        """For each free cell the values that fillings put there."""
        found: dict[str, set[int]] = {}
        for cells in self.pyramids():
            free = [spot for spot in cells if spot not in self.up and not (self.finish and spot[1] == self.levels)]
            for spot in free:
                found.setdefault(name(spot), set())
            for filling in self.fillings(cells, free):
                for spot, value in filling.items():
                    found[name(spot)].add(value)
        return found

    def fillings(self, cells: list[Spot], free: list[Spot]) -> Iterator[dict[Spot, int]]:
        held = dict(self.up)
        if all(self.kept(cells, held, spot) for spot in self.up):
            yield from self.extend(cells, free, held)

    def extend(self, cells: list[Spot], free: list[Spot], held: dict[Spot, int]) -> Iterator[dict[Spot, int]]:
        if not free:
            used = set(held.values())
            if len(self.values - self.located - used) >= self.hidden:
                yield {spot: value for spot, value in held.items() if spot not in self.up}
            return
        spot = free[0]
        for value in self.values - set(held.values()):
            held[spot] = value
            if self.kept(cells, held, spot):
                yield from self.extend(cells, free[1:], held)
            del held[spot]

    def kept(self, cells: list[Spot], held: dict[Spot, int], spot: Spot) -> bool:
        """Whether the rows and the supports of a cell are in order as far as they are filled."""
        column, level = spot
        value = held[spot]
        for (x, y), other in held.items():
            if y == level and (x - column) * (other - value) < 0:
                return False
        below = [((column, level - 1), 1), ((column + 1, level - 1), -1)]
        above = [((column, level + 1), -1), ((column - 1, level + 1), 1)]
        for neighbour, sign in below + above:
            if neighbour not in cells:
                continue
            if self.finish and neighbour[1] == self.levels:
                if self.rules["finish_value"] == "25":
                    slack = 1 if self.rules["between"] == "inclusive" else 0
                    if (value - 25) * sign <= -slack if slack else (value - 25) * sign <= 0:
                        return False
            elif neighbour in held and (value - held[neighbour]) * sign <= 0:
                return False
        return True


def world(seed: int) -> tuple[str, Naive]:
    """A position with few free cells, out of a full tower, as text and for trying."""
    dice = random.Random(seed)
    finish = dice.random() < 0.3
    rules = {
        "anchor": dice.choice(["middle", "floating"]),
        "between": dice.choice(["strict", "inclusive"]),
        "finish_value": dice.choice(["25", "none"]),
    }
    left = 3 if rules["anchor"] == "middle" else dice.randrange(7)
    cells = [(column, level) for level in range(1, 8) for column in range(left, left + 8 - level)]
    order = sorted(cells, key=lambda spot: (2 * spot[0] + spot[1] + dice.random() / 2, spot[1]))
    tower = dict(zip(order, map(str, sorted(dice.sample(range(1, 51), 28))), strict=True))
    if finish:
        del tower[left, 7]
    for _ in range(dice.randrange(1, 6)):
        free = [(x, y) for x, y in tower if not {(x, y + 1), (x - 1, y + 1)} & set(tower)]
        del tower[dice.choice([spot for spot in free if spot != (6, 1)])]
    for spot in dice.sample(sorted(tower), dice.randrange(3)):
        tower[spot] = dice.choice(["~" + tower[spot], "~?"]) if spot[1] < 7 else tower[spot]
    unused = sorted(set(range(1, 51)) - {int(card.strip("~")) for card in tower.values() if card.strip("~") != "?"})
    dice.shuffle(unused)
    if dice.random() < 0.5:
        spot = dice.choice([spot for spot, card in tower.items() if card.isdigit()])
        tower[spot] = str(unused.pop())
    gone = [str(unused.pop()) for _ in range(dice.randrange(min(16, len(unused))))]
    gone += ["?"] * dice.choice([0, 0, 0, 1, 2])
    shown = [unused.pop() for _ in range(dice.randrange(max(1, len(unused) - 6)))]
    lines = "tower " + " ".join(f"{card}@{name(spot)}" for spot, card in tower.items())
    lines += "\ngone " + " ".join(gone) + "\nreserve " + " ".join(map(str, shown))
    book = "en-2 spread=anywhere " + " ".join(f"{ruling}={option}" for ruling, option in rules.items())
    return position(lines, book, "finish" if finish else "first"), Naive(tower, gone, shown, rules, finish)


def test_windows_are_what_trying_everything_finds() -> None:
    seen: Counter[str] = Counter()
    for seed in some(range(120)):
        text, naive = world(seed)
        possible = naive.possible()
        (table,) = cf.read_text(text)
        assert isinstance(table, cf.Snapshot), text
        data = cf.windows(table).data()
        assert {cell: set(values) for cell, values in data.windows.items()} == possible, text
        assert all(values == tuple(sorted(values)) for values in data.windows.values())
        fits = any(possible.values())
        assert bool(data.places) == fits
        assert cf.complete(table, level="tower").data().verdict == ("completable" if fits else "deadlocked")
        for spot, card in naive.tower.items():
            if card.startswith("~"):
                values = possible[name(spot)]
                opens = bool(values - naive.located) if card == "~?" else int(card[1:]) in values
                assert data.down[name(spot)] == opens
                seen[f"{card == '~?'} {opens}"] += 1
        seen.update(
            ["some" if fits else "none", f"hidden {naive.hidden > 0 and fits}", f"finish {naive.finish and fits}"]
        )
    assert min(seen.values()) >= (5 if LONG else 1), seen
    assert len(seen) >= 10, seen


SMALL = Board(levels=3, cards=13, anchor=7)


def test_windows_of_small_boards_with_several_places() -> None:
    seen: Counter[int] = Counter()
    for seed in some(range(120), 2):
        dice = random.Random(seed)
        rules = cf.parse_rules(f"ja-2.2 anchor={dice.choice(['middle', 'floating', 'floating'])}")
        spots = dice.sample([(1, 1), (3, 1), (1, 2), (2, 2)], dice.randrange(3))
        tower = {(2, 1): "7"} | dict(zip(spots, map(str, dice.sample([1, 3, 4, 5, 6, 8, 9, 10, 12], 2)), strict=False))
        tower |= {spot: dice.choice(["~?", "~" + tower[spot]]) for spot in spots if dice.random() < 0.3}
        rest = [card for card in range(1, 14) if not {str(card), f"~{card}"} & set(tower.values())]
        dice.shuffle(rest)
        gone = [str(rest.pop()) for _ in range(dice.randrange(2))] + ["?"] * dice.randrange(2)
        shown = [rest.pop() for _ in range(dice.randrange(len(rest)))]
        naive = Naive(tower, gone, shown, {"anchor": rules.rulings.anchor}, False, SMALL)
        position = Position(
            tags=(),
            players=("Aki", "Ben"),
            rules=rules,
            marks={},
            tower=tuple((Cell(*spot), _laid(card)) for spot, card in tower.items()),
            hands={"Aki": tuple(map(Value, shown))},
            gone=tuple(UNSEEN if card == "?" else Value(int(card)) for card in gone),
        )
        found = windows(position, SMALL)
        assert {str(cell): set(values) for cell, values in found.values.items()} == naive.possible(), (tower, gone)
        seen[len(found.lefts)] += 1
    assert min(seen[count] for count in range(4)) >= (5 if LONG else 2), seen


def _laid(card: str) -> Up | Down:
    if card == "~?":
        return Down(UNSEEN)
    return Down(Value(int(card[1:]))) if card[0] == "~" else Up(Value(int(card)))


@pytest.mark.parametrize("seed", range(30))
def test_every_certificate_of_windows_is_accepted(seed: int, tmp_path: Path) -> None:
    text, _ = world(seed)
    check_certificates(text, tmp_path)


@pytest.mark.parametrize("path", some(POSITIONS[::-1], 9), ids=lambda path: path.stem)
def test_every_certificate_of_the_windows_of_positions_is_accepted(path: Path, tmp_path: Path) -> None:
    check_certificates(path.read_text(encoding="utf-8"), tmp_path)


def check_certificates(text: str, folder: Path) -> None:
    """Completable ones show exactly what is listed; deadlocked ones lay each other available card on each cell."""
    data = valid("windows", "-", "--certificate", folder / "w.json", stdin=text)
    found = accepted(*sorted(folder.iterdir()))
    listed = {(cell, value) for cell, values in data["windows"].items() for value in values}
    shown = {
        (cell, value)
        for each in found
        if each["claim"] == "tower-completable"
        for cell, value in each["evidence"]["filling"].items()
        if value != "F"
    }
    assert shown == listed
    dead = [each for each in found if each["claim"] == "tower-deadlocked"]
    if not data["places"]:
        assert len(found) == len(dead) == 1
        return
    (table,) = cf.read_text(text)
    assert isinstance(table, cf.Snapshot)
    before = dict(table.position.tower)
    available = set(range(1, 51)) - set(table.position.gone) - {laid.card for laid in before.values() if up(laid)}
    laid = []
    for each in dead:
        (other,) = cf.read_text(each["position"])
        assert isinstance(other, cf.Snapshot)
        laid += [(str(cell), card.card) for cell, card in other.position.tower if up(card) and before.get(cell) != card]
    assert len(laid) == len(dead)
    assert sorted(laid) == sorted({(cell, value) for cell in data["windows"] for value in available} - listed)


def up(laid: object) -> bool:
    return str(laid).isdigit()


def test_certificates_beyond_one_file_go_into_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite has files of a quarter of the size, and fewer free cells."""
    assert run_module._MOST == 1 << 20
    laid, most = ("25@g1", 1 << 20) if LONG else ("4@d1 10@e1 17@f1 25@g1 33@h1 40@i1 46@j1", 1 << 18)
    monkeypatch.setattr(run_module, "_MOST", most)
    out = tmp_path / "w.json"
    text = position(f"tower {laid}", "ja-2.2")
    result = couperation("windows", "-", "--certificate", out, "--no-verify", stdin=text)
    assert result.exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["w-2.json", "w-3.json", "w.json"]
    assert all(path.stat().st_size <= most for path in tmp_path.iterdir())
    assert result.stderr.count(" certificates: ") == 3
    accepted(*tmp_path.iterdir())
    out.unlink()
    again = couperation("windows", "-", "--certificate", out, "--no-verify", stdin=text)
    assert again.exit_code == 2
    assert "w-2.json exists" in again.stderr
    assert not out.exists()


@pytest.mark.parametrize("path", some(POSITIONS[::-1], 3), ids=lambda path: path.stem)
def test_windows_of_every_position(path: Path) -> None:
    dead = EXPECTED[path.name]["verdict"] == "deadlocked"
    data = valid("windows", path, code=int(dead))
    assert bool(data["places"]) == (not dead)
    assert any(data["windows"].values()) == (not dead)
    (table,) = cf.read(path)
    assert isinstance(table, cf.Snapshot)
    assert set(data["down"]) == {str(cell) for cell, laid in table.position.tower if str(laid).startswith("~")}
    answer = cf.complete(table, level="tower").data()
    assert isinstance(answer, cf.CompleteData)
    assert all(value == "F" or value in data["windows"][cell] for cell, value in (answer.filling or {}).items())


def test_windows_after_a_turn() -> None:
    data = valid("windows", GAMES / "game-00000.cgn", "--at", "20", code=0)
    assert data["turn"] == 20
    done = valid("windows", GAMES / "game-00000.cgn", code=0)
    assert (done["turn"], done["windows"], done["down"]) == (27, {}, {})
    assert "no cell is free" in couperation("windows", GAMES / "game-00000.cgn").stdout
