"""Readers and players by name: those of the papers, every policy, and the files of users.

A reader is imported only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from handread.inference.players import Model, PlayerModels, parse_players, player_models
from handread.inference.readers import Player, PolicyReader, Reader, as_reader
from handread.policy import Policy, PolicyError, load_policy, policy_names
from handread.registry import players, readers
from handread.spelling import or_meant

OWN, PYTHON = "handread.own_reader", ".py"
"""The module of users' own readers, and the ending of their files."""

CARDS_ONLY = "cards-only"
"""The name of the reader that ignores the betting."""

BLIND = "uniform"
"""The policy by which Saund's observer learns nothing from the betting."""


def reader_names() -> list[str]:
    """Return the names of all readers, policies last."""
    return [CARDS_ONLY, *readers(), *policy_names()]


def load_reader(name: str) -> Reader:
    """Return the reader of a name.

    Args:
        name: "cards-only", "loki", "loki-specific", "loki-basic", "bpp" or "bpp-improved"; the name
            or file of a policy, by which the observer of Saund 2006 reads; or a Python file with a
            ``reader`` of your own (``FILE.py``), which is run.

    Returns:
        The reader, for the argument ``policy`` of ``analyze`` and of the other functions.

    Raises:
        PolicyError: There is no such reader.
        ReaderError: The Python file cannot be used, or its reader is not one.
    """
    if name.endswith(PYTHON):
        found: Reader = import_module(OWN).reader_of_file(name)
        return found
    if name == CARDS_ONLY:
        return PolicyReader(PlayerModels(Model(load_policy(BLIND))))
    if (entry := readers().get(name)) is not None:
        known: Reader = entry.make()
        return known
    with _naming_others(name, "policy or reader", [CARDS_ONLY, *readers()]):
        return PolicyReader(parse_players(name, None, ()))


def player_names() -> list[str]:
    """Return the names of all players, policies last."""
    return [*players(), *policy_names()]


def load_player(name: str) -> Model | Player:
    """Return the player of a name: one of ``player_names()``, or of the file of a policy.

    Raises:
        PolicyError: There is no such player.
    """
    if (found := players().get(name)) is not None:
        player: Player = found.make(name)
        return player
    with _naming_others(name, "player", [*players()]):
        return Model(load_policy(name))


@contextmanager
def _naming_others(name: str, what: str, others: list[str]) -> Iterator[None]:
    """Add to the error about an unknown policy that ``others`` could be named as well."""
    try:
        yield
    except PolicyError as error:
        if name in policy_names() or any(c in name for c in "/\\.#"):
            raise
        message = f"no {what} {name!r}: expected {', '.join(others)} or a policy"
        raise PolicyError(message + or_meant(name, [*others, *policy_names()])) from error


def reader_of(policy: str | Policy | Model | PlayerModels | Reader | None) -> Reader:
    """Return the reader that a function is told to read hands by.

    Args:
        policy: A name or file as ``load_reader`` takes it, a policy or a model for all players,
            models, or a reader; None takes the defaults of ``parse_players``.

    Raises:
        PolicyError: There is no such policy or reader.
        ReaderError: The reader lacks something.
        TypeError: It is none of these.
    """
    if isinstance(policy, str):
        return load_reader(policy)
    if policy is None:
        return PolicyReader(player_models(None))
    reader = as_reader(policy)
    if type(reader).__module__.partition(".")[0] == __name__.partition(".")[0]:
        return reader  # one of the package, which needs no check
    found: Reader = import_module(OWN).checked(reader)
    return found
