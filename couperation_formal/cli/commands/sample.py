"""`couperation sample`: a complete legal game."""

from __future__ import annotations

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.options import MADE_RULES, players_option
from couperation_formal.cli.output import put_text
from couperation_formal.cli.run import Run
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Variant
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import Policy, sample_game


@click.command(
    cls=Command, examples=("couperation sample --games 2", 'couperation sample --players "Mia, Jo, Ada Lea"')
)
@players_option(default="2", show_default=True)
@click.option("--variant", type=click.Choice(["first", "finish"]), default="first", show_default=True)
@MADE_RULES
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same game.")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True, help="So many, each of the next seed.")
@click.option("--policy", type=click.Choice(["careful", "random"]), default="careful", show_default=True)
@click.option("--public", is_flag=True, help="Hide what a recorder at the table cannot see.")
def command(
    run: Run, players: tuple[str, ...], variant: Variant, seed: int, games: int, policy: Policy, public: bool
) -> None:
    """Print a complete legal game, or several."""
    rules = run.rules or parse_rules("")
    for each in range(games):
        text = record_text(sample_game(players, variant, rules, seed + each, policy, public))
        put_text(f"\n{text}" if each else text)
