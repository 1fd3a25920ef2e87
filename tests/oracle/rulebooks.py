"""The rulings: their options, and the four rulebooks as one option of each."""

from __future__ import annotations

OPTIONS: dict[str, tuple[str, ...]] = {
    "anchor": ("middle", "floating"),
    "spread": ("adjacent", "anywhere"),
    "row_order": ("strict", "weak"),
    "between": ("strict", "inclusive"),
    "facedown": ("integers", "deck", "ignored"),
    "replace_target": ("any", "not_anchor", "facedown_only"),
    "take_sent": ("allowed", "forbidden"),
    "adjust": ("each", "uniform", "up_to"),
    "reserve_face": ("up", "either"),
    "early_apex": ("forbidden", "no_win", "win_on_completion", "loses"),
    "hearts_below": ("zero_each", "zero_all"),
    "draw_amount": ("up_to", "exact"),
    "draw_source": ("opened", "last_placed"),
    "finish_value": ("25", "none"),
    "finish_half": ("top", "bottom"),
    "finish_reserve_count": ("yes", "no"),
}

_JA = {
    "anchor": "floating",
    "spread": "adjacent",
    "row_order": "strict",
    "between": "strict",
    "facedown": "integers",
    "replace_target": "any",
    "take_sent": "allowed",
    "adjust": "each",
    "reserve_face": "up",
    "early_apex": "no_win",
    "hearts_below": "zero_each",
    "draw_amount": "up_to",
    "draw_source": "opened",
    "finish_value": "25",
    "finish_half": "top",
    "finish_reserve_count": "yes",
}

_EN2 = _JA | {
    "anchor": "middle",
    "spread": "anywhere",
    "facedown": "deck",
    "early_apex": "forbidden",
    "hearts_below": "zero_all",
    "draw_source": "last_placed",
    "finish_half": "bottom",
}

RULEBOOKS: dict[str, dict[str, str]] = {
    "en-1": _EN2 | {"reserve_face": "either"},
    "en-2": _EN2,
    "ja-2.2": _JA,
    "bgg": _JA
    | {
        "facedown": "ignored",
        "early_apex": "win_on_completion",
        "draw_amount": "exact",
        "finish_half": "bottom",
    },
}


def read_rules(text: str) -> dict[str, str]:
    """The rulings that a Rules tag names: a rulebook (``ja-2.2`` where none is named), then changed rulings."""
    words = text.split()
    name = words.pop(0) if words and "=" not in words[0] else "ja-2.2"
    rulings = dict(RULEBOOKS[name])
    for word in words:
        ruling, option = word.split("=")
        if option not in OPTIONS[ruling]:
            raise ValueError(word)
        rulings[ruling] = option
    return rulings
