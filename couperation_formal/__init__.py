"""The formal specification of the card game Couperation, and the verifier built on it.

>>> import couperation_formal as cf
>>> text = '''[CGN "1"]
... [Players "Aki Ben"]
... deal Aki 17 30 44
... deal Ben 22 9 3
... reserve 1 50 12 33 40 7
... 1. Aki A 17@f1
... 2. Ben A 9@f2
... '''
>>> for game in cf.read_text(text):
...     report = cf.check(game)
...     print(report.verdict, report.turn, [found.code for found in report.diagnostics])
illegal 2 ['TOW02']
>>> print(report.diagnostics[0].message)
9 on f2 cannot lie between 17 on f1 and 25 on g1: 17 is not below 9

The states turn by turn, up to the last legal turn:

>>> [len(state.tower.cells) for state in report.states]
[1, 2]

Every legal action of a turn, after its recorded draw:

>>> found = cf.moves(game, 2)
>>> found.complete, [cf.action_text(action) for action in found.actions][:3]
(True, ['A 3@e1', 'A 9@e1', 'A 22@f2'])

Whether the tower can still be completed, and what could save it:

>>> text = '''[CGN "1"]
... [Rules "en-2"]
... [Players "Aki Ben"]
... position
... tower 24@f1 25@g1 26@h1
... '''
>>> (table,) = cf.read_text(text)
>>> data = cf.complete(table).data()
>>> data.verdict, data.reason.above, data.reason.below, data.reason.cells, data.reason.left
('deadlocked', 24, 25, ('f2',), ())
>>> data.repair.distance, data.repair.give_up
(2, ('f1', 'g1'))

What one function returns the next one takes, and a game can be played in code:

>>> cf.tower_completable(cf.position_after(cf.sample_game(rules="en-2"), 5))
True
>>> table = cf.Table.new(["Aki", "Ben"], deals={"Aki": "17 30 44"})
>>> print(table.play("A 17@f1"))
1. Aki +0 A 17@f1
>>> cf.check(table.record()).verdict
'legal'

A command of the command line prints what such a function returns: an answer's `data()` is its JSON form, `blocks()`
what people read, `certificates()` what the checker accepts; `report_data` and `moves_data` give the JSON of these two.
Names are imported when they are used, so that importing this package costs next to nothing. In a notebook towers,
games, verdicts and answers show themselves as pictures; see `couperation_formal.notebook`.
"""

__version__ = "0.2.0"


def _homes() -> dict[str, str]:
    """The public names of the stub beside this file, and the module of each."""
    with open(f"{__file__}i", encoding="utf-8") as stub:  # noqa: PTH123  (pathlib is slow to load)
        statements = stub.read().partition("\n\n__version__")[0].split("\nfrom ")[1:]
    lists = (statement.partition(" import ") for statement in statements)
    return {each.split()[0]: home for home, _, names in lists for each in names.strip("()\n,").split(",")}


_HOME = _homes()

__all__ = [*_HOME]


def __getattr__(name: str) -> object:
    """A public name, imported from the module that it lives in."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import sys
    from importlib import import_module

    if "IPython" in sys.modules:
        import_module(f"{__name__}.notebook")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
