"""Z3's own functions for Boolean terms, which are told, as their context is, by their addresses.

Z3's Python functions look at every argument and ask after every call whether it failed; these do neither, and take a
tenth of the time. They are for what cannot fail: what decides, and can be stopped, is asked through Z3's classes.
"""

from collections.abc import Callable
from ctypes import PYFUNCTYPE, c_bool, c_char_p, c_uint, c_void_p, cast
from typing import Any

import z3


def _own(of: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    """The function of the library behind one of Z3's Python functions; its first argument is the context."""
    return PYFUNCTYPE(result, c_void_p, *arguments)(cast(of.__defaults__[-1].f, c_void_p).value or 0)


symbol = _own(z3.Z3_mk_string_symbol, c_void_p, c_char_p)
sort = _own(z3.Z3_mk_bool_sort, c_void_p)
constant = _own(z3.Z3_mk_const, c_void_p, c_void_p, c_void_p)
negation = _own(z3.Z3_mk_not, c_void_p, c_void_p)
conjunction = _own(z3.Z3_mk_and, c_void_p, c_uint, c_void_p)
implication = _own(z3.Z3_mk_implies, c_void_p, c_void_p, c_void_p)
keep = _own(z3.Z3_inc_ref, None, c_void_p)
drop = _own(z3.Z3_dec_ref, None, c_void_p)
hold = _own(z3.Z3_solver_assert, None, c_void_p, c_void_p)
evaluate = _own(z3.Z3_model_eval, c_bool, c_void_p, c_void_p, c_bool, c_void_p)
_length = _own(z3.Z3_ast_vector_size, c_uint, c_void_p)
_member = _own(z3.Z3_ast_vector_get, c_void_p, c_void_p, c_uint)
_counters = _own(z3.Z3_stats_size, c_uint, c_void_p)
_counter = _own(z3.Z3_stats_get_key, c_char_p, c_void_p, c_uint)
_count = _own(z3.Z3_stats_get_uint_value, c_uint, c_void_p, c_uint)


def members(here: int, vector: int) -> set[int]:
    """The terms of a vector."""
    return {_member(here, vector, at) for at in range(_length(here, vector))}


def units(here: int, statistics: int) -> int:
    """Z3's resource units that a solver has taken so far, as its statistics tell."""
    places = range(_counters(here, statistics))
    at = next((at for at in places if _counter(here, statistics, at).decode() == "rlimit count"), None)
    return 0 if at is None else int(_count(here, statistics, at))
