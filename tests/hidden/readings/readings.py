"""What the tests of readings share with others."""

from __future__ import annotations

from hypothesis import strategies as st

from couperation_formal.hidden.readings.sets import space


@st.composite
def terms(draw: st.DrawFn, most: int = 4) -> dict[str, tuple[str, ...]]:
    names = draw(st.lists(st.sampled_from(list(space())), max_size=most, unique=True))
    return {name: tuple(draw(st.lists(st.sampled_from(space()[name]), min_size=1, unique=True))) for name in names}
