"""What the options of a command choose: policies, players, tables, ways of reading files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from handread.cli.options import ROLLOUTS, DecisionWay, Knowledge, Ties, usage, usage_errors

if TYPE_CHECKING:
    from handread.decisions.terms import DecisionTerms
    from handread.formats.registry import FormatRegistry
    from handread.inference.players import PlayerModels
    from handread.policy import Panel, Single
    from handread.session import ReadSettings
    from handread.simulate import Setup


def chosen_policy(name: str, lapse: float | None) -> Single | Panel:
    """Return the policy of ``--policy`` with ``--lapse``.

    Raises:
        PolicyError: The policy does not exist, or its file is invalid.
    """
    from handread.policy import load_policy

    policy = load_policy(name)
    return policy if lapse is None else policy.with_lapse(lapse)


def chosen_players(
    policy: str | None,
    lapse: float | None,
    seats: list[str],
    draws: int = 0,
    reader: str | None = None,
) -> PlayerModels:
    """Return the models of ``--policy``, ``--lapse`` and ``--seat``, or raise a usage error.

    ``draws`` is the value of ``--uncertainty``, ``reader`` that of ``--reader``.
    """
    from handread.inference.players import parse_players
    from handread.readers import load_reader

    if reader is not None and (policy is not None or lapse is not None or seats):
        raise usage("--reader replaces --policy, --lapse and --seat: give one or the others")
    with usage_errors():
        players = parse_players(policy, lapse, seats) if reader is None else load_reader(reader)
        if not draws:
            return players
        if players.reader is not None:
            raise usage(f"--uncertainty needs a fitted policy; the reader {players.name} has none")
        from handread.study.fit.uncertainty import drawn_players

        return drawn_players(players, draws)


def decision_terms(
    way: DecisionWay | None,
    players: PlayerModels,
    rollouts: int = ROLLOUTS,
    check: str | None = None,
    seed: int = 1,
    rake: str | None = None,
) -> DecisionTerms:
    """Return the settings by which decisions are valued, or raise a usage error.

    Args:
        way: The way; None takes the default.
        players: Models of the players.
        rollouts: Number of rollouts of a decision.
        check: Policy that checks costly decisions, "none", or None for the default.
        seed: Random seed.
        rake: The rake as ``decisions.terms.parse_rake`` takes it; None for that of each hand.
    """
    from handread.decisions import terms

    if players.reader is not None:
        raise usage(
            f"the reader {players.name} has no policies by which a hand could be played on; "
            "decisions are valued with --policy"
        )
    with usage_errors():
        chosen = (way or DecisionWay.ROLLOUTS).value
        return terms.decision_terms(chosen, players, rollouts, check, seed, rake)


def chosen_decisions(
    way: DecisionWay | None, rollouts: int | None, players: PlayerModels
) -> DecisionTerms | None:
    """Return the settings of ``--decisions`` with ``--rollouts``; None without ``--decisions``."""
    if rollouts is not None and way is not DecisionWay.ROLLOUTS:
        raise usage("--rollouts is for --decisions rollouts")
    if way is None:
        return None
    return decision_terms(way, players, rollouts or ROLLOUTS)


def table_setup(
    seats: int,
    policy: str,
    lapse: float | None,
    knowledge: Knowledge,
    own: list[str],
    game: str | None,
    stack: str | None,
    ties: Ties,
    names: str | None = None,
) -> Setup:
    """Return the setup that the options of a simulation ask for.

    Raises:
        PolicyError: There is no such policy, or its file cannot be used.
        ValueError: No game can be played with these options.
    """
    from handread.formats.saund import read_game
    from handread.game.rules import SAUND_STAKES, SAUND_UNIT, STUD
    from handread.inference.players import Model, parse_seats
    from handread.simulate import Setup, seated

    players = parse_seats(Model(chosen_policy(policy, lapse), knowledge.value), own)
    unit, stakes, variant = (SAUND_UNIT, SAUND_STAKES, STUD) if game is None else read_game(game)
    chips = None if stack is None else unit.amount(stack)
    called = None if names is None else tuple(name.strip() for name in names.split(","))
    return Setup(players, seated(players, seats, chips, called), stakes, unit, ties.value, variant)


def known_with(grammars: Iterable[str]) -> FormatRegistry:
    """Return the built-in formats and those of grammar files, or end with a usage error.

    Faults of a grammar are printed in plain lines, as by ``formats --lint``: the frame of a usage
    error would break them between the file and the line.
    """
    from handread.formats.faults import GrammarError
    from handread.formats.registry import read_grammars
    from handread.report.words import visible

    with usage_errors():
        try:
            return read_grammars(grammars)
        except GrammarError as error:
            for fault in error.faults:
                typer.echo(visible(str(fault)), err=True)
            raise typer.Exit(2) from None


def chosen_reads(
    files: Iterable[str],
    dialect: str | None,
    grammars: list[str],
    rejects: Path | None = None,
    verbose: bool = False,
    keep_repeated: bool = False,
    anonymous: bool = False,
) -> ReadSettings:
    """Return the settings for reading files, or raise a usage error."""
    from handread.addresses import same_file
    from handread.session import ReadSettings

    known = known_with(grammars)
    if dialect is not None:
        with usage_errors():
            known.named(dialect)
    if rejects is not None and any(same_file(rejects, file) for file in [*files, *grammars]):
        raise usage(f"{rejects}: is one of the files to read; choose another name for --rejects")
    if rejects is not None and anonymous:
        raise usage("--rejects saves the text of the log with its names: leave out --anonymous")
    settings = ReadSettings(dialect, known, rejects, verbose, keep_repeated)
    if not anonymous:
        return settings
    from handread.aliases import Aliases

    return replace(settings, aliases=Aliases())
