"""No input and no arguments make a command fail without an answer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from couperation_formal.cli.main import main
from tests.cli.run import DATA, couperation

RECORDS = [path.read_bytes() for path in sorted(DATA.glob("games/*.cgn"))[:12]]
ANSWERS = {0, 1, 2, 3}


def mutated(seed: int) -> bytes:
    """A real record with some bytes changed, lines swapped or cut off."""
    draw = random.Random(seed)
    data = bytearray(draw.choice(RECORDS))
    for _ in range(draw.randrange(1, 6)):
        place = draw.randrange(len(data))
        match draw.randrange(4):
            case 0:
                data[place] = draw.randrange(256)
            case 1:
                del data[place : place + draw.randrange(1, 12)]
            case 2:
                data[place:place] = draw.choice([b"?", b"F", b"\r", b"\n", b"{", b"51", b"[CGN ", b"\xff", b"\0", b"~"])
            case _:
                lines = bytes(data).split(b"\n")
                draw.shuffle(lines) if draw.random() < 0.3 else lines.append(draw.choice(lines))
                data = bytearray(b"\n".join(lines))
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["full", "concise", "json", "sarif", "github"])
@given(seed=st.integers(0, 2**32))
def test_check_answers_mutated_records(form: str, seed: int) -> None:
    assert couperation("check", "-", "--output-format", form, stdin=mutated(seed)).exit_code in ANSWERS


@pytest.mark.slow
@pytest.mark.parametrize("command", [("show", "-"), ("position", "-"), ("moves", "-", "--at", "3"), ("fmt", "-")])
@given(seed=st.integers(0, 2**32))
def test_other_commands_answer_mutated_records(command: tuple[str, ...], seed: int) -> None:
    assert couperation(*command, stdin=mutated(seed)).exit_code in ANSWERS


@given(data=st.binary(max_size=200))
def test_check_answers_any_bytes(data: bytes) -> None:
    assert couperation("check", "-", stdin=data).exit_code in ANSWERS


COMMANDS = ("check", "fmt", "show", "moves", "new", "rules", "explain", "sample")
OPTIONS = ("--at", "--game", "--rules", "--players", "--seed", "--output-format", "--check", "--diff")
VALUES = ("-", "0", "-1", "99999999999999999999", "en-2", "x.toml", "a=b", "\x1b", "\udc80", "", "json")
WORDS = st.sampled_from(COMMANDS + OPTIONS + VALUES)


@given(arguments=st.lists(WORDS, max_size=5))
def test_any_arguments_are_answered(arguments: list[str]) -> None:
    assert main(arguments) in ANSWERS


def test_a_file_of_any_kind_is_answered(tmp_path: Path) -> None:
    for number, data in enumerate([b"", b"\0" * 5000, b"\xff\xfe[\0C\0", b"{" * 3000, b'[CGN "1"]' * 300]):
        file = tmp_path / f"{number}.cgn"
        file.write_bytes(data)
    result = couperation("check", tmp_path, "--output-format", "json")
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 5
