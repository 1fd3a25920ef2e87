"""Whether a certificate of the right form is right, by brute force and from its definition: the codes that apply."""

from typing import Any

from tests.checker.towers import Bare, Table, bare, cells, disagreeing, rises, step, window

CODES = (
    "JSON", "FORM", "POSITION", "PLACE", "CELLS", "VALUE", "ORDER", "GONE", "WINDOW", "LEFT", "COUNT", "AGREE",
    "FINISH", "DISTANCE", "PROOF",
)  # fmt: skip


def first_code(certificate: dict[str, Any]) -> str | None:
    """The code with which a checker has to reject this certificate, or None where it is right."""
    table = parse(certificate["position"], certificate["rulings"])
    if table is None or not table.places():
        return "POSITION"
    evidence = certificate["evidence"]
    judges = {"tower-completable": completable, "tower-deadlocked": deadlocked, "tower-repair": repair}
    codes = judges[certificate["claim"]](table, evidence)
    return min(codes, key=CODES.index, default=None)


def parse(text: str, rulings: dict[str, str]) -> Table | None:
    """The table of a text as towers.py writes it; None where no rule allows it. Every edit of the tests is covered."""
    variant = text.split('[Variant "')[1].split('"')[0]
    state = {line.split()[0]: line.split()[1:] for line in text.split("position\n")[1].splitlines()}
    finish = variant == "finish"
    tower = [word.split("@") for word in state["tower"]]
    laid = {cell: card for card, cell in tower}
    gone = state.get("gone", [])
    elsewhere = [*state.get("hand", [])[1:], *state.get("reserve", []), *state.get("deck", [])]
    everything = [card.strip("~") for card in laid.values()] + elsewhere + gone
    seen = [card for card in everything if card != "?"]
    wrong = (
        variant not in ("first", "finish")
        or len(laid) < len(tower)
        or len(set(seen)) < len(seen)
        or ("F" in seen and not finish)
        or len(everything) > (51 if finish else 50)
        or any(card not in [*map(str, range(1, 51)), "F"] for card in seen)
        or any(cell[1] != "1" and not {step(cell, 0, -1), step(cell, 1, -1)} <= laid.keys() for cell in laid)
        or any(cell[1] == "7" and ("~" in card or (finish and card != "F")) for cell, card in laid.items())
        or "g1" not in laid
        or "~F" in laid.values()
    )
    hidden = "?" in [*state.get("reserve", []), *state.get("deck", [])] or len(everything) < 51
    if finish and "F" not in seen and not hidden:  # no hand holds it
        gone = [*gone, "F"]
    return None if wrong else Table(finish, laid, frozenset(elsewhere), tuple(gone), rulings)


def completable(table: Table, evidence: dict[str, Any]) -> set[str]:
    if evidence["column"] not in table.places():
        return {"PLACE"}
    return filled(table, bare(table, evidence["column"], None), evidence["filling"], table.stray())


def filled(table: Table, world: Bare, filling: dict[str, Any], stray: str | None) -> set[str]:
    apex = f"{world.place}7" if table.finish and f"{world.place}7" not in table.laid else None
    codes = {"FINISH"} if stray or "F" in table.gone else set()
    if sorted(filling) != sorted([*world.free, *([apex] if apex else [])]):
        return codes | {"CELLS"}
    values = [card for cell, card in filling.items() if cell != apex]
    if (apex and filling[apex] != "F") or any(value not in world.available for value in values):
        return codes | {"VALUE"}
    if any(values.count(value) > 1 for value in values):
        return codes | {"VALUE"}
    full = {**world.fixed, **{cell: card for cell, card in filling.items() if cell != apex}}
    for cell in cells(world.place):
        for low, high in ((step(cell, 0, -1), cell), (cell, step(cell, 1, -1))):
            if low in full and high in full and not rises(world, full[low], full[high]):
                codes.add("ORDER")
    unused = [value for value in world.available if value not in values and value not in world.located]
    return codes | ({"GONE"} if len(unused) < world.unseen_gone else set())


def deadlocked(table: Table, evidence: dict[str, Any]) -> set[str]:
    if [entry["column"] for entry in evidence["places"]] != table.places():
        return {"PLACE"}
    return {
        code
        for entry in evidence["places"]
        for code in reasoned(table, bare(table, entry["column"], None), entry["reason"], table.stray())
    }


def reasoned(table: Table, world: Bare, reason: dict[str, Any], stray: str | None) -> set[str]:
    """The codes of a reason; `stray` is where F lies off the apex in this world."""
    if reason["kind"] == "finish":
        holds = "F" in table.gone if reason["why"] == "gone" else reason["cell"] == stray
        return set() if holds else {"FINISH"}
    if reason["kind"] == "order":
        p, q = reason["cells"]
        fixed = [*world.fixed, *([f"{world.place}7"] if table.finish else [])]
        if p == q or p not in fixed or q not in fixed:
            return {"CELLS"}
        return set() if (p, q) in disagreeing(world) else {"AGREE"}
    if reason["kind"] == "interval":
        return interval(world, reason, world.available)
    intervals = reason["intervals"]
    codes = {code for one in intervals for code in interval(world, one, world.located)}
    for index, one in enumerate(intervals):
        for other in intervals[:index]:
            if not (one["below"] <= other["above"] or other["below"] <= one["above"]):
                codes.add("COUNT")
    needed = sum(len(one["cells"]) - len(one["left"]) for one in intervals)
    spare = sum(value not in world.located for value in world.available) - world.unseen_gone
    if needed - spare != reason["missing"]:
        codes.add("LEFT")
    return codes | ({"COUNT"} if reason["missing"] < 1 else set())


def interval(world: Bare, reason: dict[str, Any], values: frozenset[int]) -> set[str]:
    bound, top, named = reason["above"], reason["below"], reason["cells"]
    if any(named.count(cell) > 1 or cell not in world.free for cell in named):
        return {"CELLS"}
    codes = set()
    for cell in named:
        low, high = window(world, cell)
        if not (low > bound and high < top):
            codes.add("WINDOW")
    if reason["left"] != [value for value in range(51) if value in values and bound < value < top]:
        codes.add("LEFT")
    return codes | ({"COUNT"} if len(named) <= len(reason["left"]) else set())


def repair(table: Table, evidence: dict[str, Any]) -> set[str]:
    may_go, distance = table.may_go(), evidence["distance"]
    columns = [entry["column"] for entry in evidence["lower"]]
    if columns != table.places() or (distance is not None and evidence["column"] not in columns):
        return {"PLACE"}
    codes = set()
    given_up = evidence["give_up"]
    if [cell for cell in may_go if cell in given_up] != given_up:
        codes.add("CELLS")
    elif distance is not None:
        stray = None if table.stray() in given_up else table.stray()
        codes |= filled(table, bare(table, evidence["column"], frozenset(given_up)), evidence["filling"], stray)
    if len(given_up) != (0 if distance is None else distance):
        codes.add("DISTANCE")
    for entry in evidence["lower"]:
        conflicts = entry["proof"]["conflicts"]
        for one in conflicts:
            if [cell for cell in may_go if cell in one["cells"]] != one["cells"]:
                codes.add("CELLS")
                continue
            world = bare(table, entry["column"], frozenset(may_go) - frozenset(one["cells"]))
            stray = table.stray() if table.stray() in one["cells"] or table.stray() not in may_go else None
            codes |= reasoned(table, world, one["reason"], stray)
        if not proven(entry["proof"], [one["cells"] for one in conflicts], distance):
            codes.add("PROOF")
    return codes


def proven(proof: dict[str, Any], conflicts: list[list[str]], distance: int | None) -> bool:
    if proof["kind"] == "tree":
        visited: list[int] = []
        return bool(distance) and walk(proof["nodes"], conflicts, 0, [], int(distance or 0), visited) and (
            sorted(visited) == list(range(len(proof["nodes"])))
        )  # fmt: skip
    if distance is None or conflicts == [[]]:
        return conflicts == [[]] and distance != 0
    if distance == 0:
        return not conflicts
    disjoint = all(not set(one) & set(two) for i, one in enumerate(conflicts) for two in conflicts[:i])
    return len(conflicts) >= distance and disjoint


def walk(nodes: Any, conflicts: Any, index: int, way: list[str], distance: int, visited: list[int]) -> bool:
    """Whether everything from a node on is closed, by plain recursion; the visited nodes are noted."""
    visited.append(index)
    if not 0 <= index < len(nodes) or nodes[index]["conflict"] >= len(conflicts) or len(visited) > len(nodes):
        return False
    cells, branches = conflicts[nodes[index]["conflict"]], nodes[index]["branches"]
    if set(cells) & set(way):
        return False
    if len(way) == distance - 1 or not cells:
        return bool(branches == [])
    return len(branches) == len(cells) and all(
        later > index and walk(nodes, conflicts, later, [*way, cell], distance, visited)
        for cell, later in zip(cells, branches, strict=True)
    )
