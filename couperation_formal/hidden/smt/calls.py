"""Z3's own functions for Boolean terms, which are told by their addresses.

Z3's Python functions look at every argument and ask after every call whether it failed; these do neither, and take a
tenth of the time. They are for terms only, which cannot fail: what decides, and can be stopped, is asked through Z3's
classes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import PYFUNCTYPE, byref, c_bool, c_char_p, c_uint, c_void_p, cast
from typing import Any

import z3


def _own(of: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    """The function of the library behind one of Z3's Python functions."""
    return PYFUNCTYPE(result, *arguments)(cast(of.__defaults__[-1].f, c_void_p).value or 0)


_symbol = _own(z3.Z3_mk_string_symbol, c_void_p, c_void_p, c_char_p)
_sort = _own(z3.Z3_mk_bool_sort, c_void_p, c_void_p)
_constant = _own(z3.Z3_mk_const, c_void_p, c_void_p, c_void_p, c_void_p)
_not = _own(z3.Z3_mk_not, c_void_p, c_void_p, c_void_p)
_and = _own(z3.Z3_mk_and, c_void_p, c_void_p, c_uint, c_void_p)
_implies = _own(z3.Z3_mk_implies, c_void_p, c_void_p, c_void_p, c_void_p)
_keep = _own(z3.Z3_inc_ref, None, c_void_p, c_void_p)
_drop = _own(z3.Z3_dec_ref, None, c_void_p, c_void_p)
_assert = _own(z3.Z3_solver_assert, None, c_void_p, c_void_p, c_void_p)
_evaluate = _own(z3.Z3_model_eval, c_bool, c_void_p, c_void_p, c_void_p, c_bool, c_void_p)
_length = _own(z3.Z3_ast_vector_size, c_uint, c_void_p, c_void_p)
_member = _own(z3.Z3_ast_vector_get, c_void_p, c_void_p, c_void_p, c_uint)
_counters = _own(z3.Z3_stats_size, c_uint, c_void_p, c_void_p)
_counter = _own(z3.Z3_stats_get_key, c_char_p, c_void_p, c_void_p, c_uint)
_count = _own(z3.Z3_stats_get_uint_value, c_uint, c_void_p, c_void_p, c_uint)


class Terms:
    """The terms of a Z3 context of its own, in which they stay until they are dropped."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self._here = self.context.ref().value
        self._true = z3.BoolVal(True, self.context)
        self.true: int = self._true.as_ast().value
        self._terms: list[int] = []

    def __del__(self) -> None:
        """Let go of all terms: Z3 takes long over those that are left when their context goes."""
        for term in reversed(self._terms):
            _drop(self._here, term)

    def _kept(self, term: int) -> int:
        _keep(self._here, term)
        self._terms.append(term)
        return term

    def variable(self, name: str) -> int:
        """The variable of this name."""
        return self._kept(_constant(self._here, _symbol(self._here, name.encode()), _sort(self._here)))

    def negation(self, term: int) -> int:
        """The negation."""
        return self._kept(_not(self._here, term))

    def conjunction(self, terms: Sequence[int]) -> int:
        """The conjunction."""
        return self._kept(_and(self._here, len(terms), (c_void_p * len(terms))(*terms)))

    def implication(self, premise: int, conclusion: int) -> int:
        """That one term follows from another; not kept beyond `drop`."""
        term: int = _implies(self._here, premise, conclusion)
        _keep(self._here, term)
        return term

    def hold(self, solver: z3.Solver, terms: Sequence[int]) -> None:
        """Assert terms."""
        for term in terms:
            _assert(self._here, solver.solver.value, term)

    def drop(self, terms: Sequence[int]) -> None:
        """Let go of terms that nobody asks for any more."""
        for term in reversed(terms):
            _drop(self._here, term)

    def check(self, solver: z3.Solver, assumed: Sequence[int]) -> z3.CheckSatResult:
        """What Z3 says of all that is asserted together with what is assumed."""
        terms = (z3.Ast * len(assumed))(*assumed)
        return z3.CheckSatResult(z3.Z3_solver_check_assumptions(self.context.ref(), solver.solver, len(assumed), terms))

    def core(self, solver: z3.Solver) -> set[int]:
        """The terms assumed that cannot all hold."""
        core = solver.unsat_core()
        vector = core.vector.value
        return {_member(self._here, vector, at) for at in range(_length(self._here, vector))}

    def holding(self, model: z3.ModelRef, terms: Iterable[int]) -> Iterator[bool]:
        """Whether each of these terms holds in a model."""
        told = c_void_p()
        for term in terms:
            _evaluate(self._here, model.model.value, term, False, byref(told))
            yield told.value == self.true

    def units(self, solver: z3.Solver) -> int:
        """Z3's resource units that a solver has taken so far."""
        statistics = solver.statistics()
        counters = statistics.stats.value
        for at in range(_counters(self._here, counters)):
            if _counter(self._here, counters, at).decode() == "rlimit count":
                return int(_count(self._here, counters, at))
        return 0
