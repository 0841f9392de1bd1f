"""Readers and players by name: readers of papers, every policy, and files of users.

A reader is imported on first use.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from handread.inference.players import Model, PlayerModels, parse_players, player_models
from handread.inference.readers import Player, PolicyReader, Reader, as_reader
from handread.policy import Policy, PolicyError, load_policy, policy_names
from handread.registry import FAULTS, players, readers
from handread.spelling import or_meant

OWN, PYTHON = "handread.own_reader", ".py"
"""The module of users' own readers and players, and the ending of their files."""

CARDS_ONLY = "cards-only"
"""The name of the reader that ignores the betting."""

BLIND = "uniform"
"""The policy that lets Saund's observer learn nothing from the betting."""


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

    >>> hand = handread.read("sample_histories/showdown.stud")[0]
    >>> stage = handread.analyze(hand, policy=handread.load_reader("cards-only")).at("7B")
    >>> stage.bet_inference == stage.cards_only
    True
    """
    if name.endswith(PYTHON):
        reader: Reader = import_module(OWN).reader_of_file(name)
        return reader
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
    """Return the player of a name.

    Args:
        name: "BPM", "BPT", "BPL", "GOM" or "SOM" of Billings et al. 1998; the name or file of a
            policy; or a Python file with a ``player`` of your own (``FILE.py``), which is run.

    Returns:
        The player, who bets by a policy (``Model``) or decides from a reader.

    Raises:
        PolicyError: There is no such player.
        ReaderError: The Python file cannot be used, or its player is not one.

    >>> handread.load_player("GOM").name
    'GOM'
    >>> handread.load_player("tight").policy.name
    'tight'
    """
    if name.endswith(PYTHON):
        player_of: Player = import_module(OWN).player_of_file(name)
        return player_of
    if (entry := players().get(name)) is not None:
        player: Player = entry.make(name)
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
        broken = "".join(f"; {paper} cannot be used: {fault}" for paper, fault in FAULTS.items())
        raise PolicyError(message + or_meant(name, [*others, *policy_names()]) + broken) from error


def reader_of(policy: str | Policy | Model | PlayerModels | Reader | None) -> Reader:
    """Return the reader for the argument ``policy`` of a function.

    It may be a name or file as in ``load_reader``, a policy or a model for all players, models, or
    a reader; None takes the defaults of ``parse_players``. Raise ``PolicyError`` for an unknown
    name, ``ReaderError`` for an incomplete reader, and ``TypeError`` for anything else.
    """
    if isinstance(policy, str):
        return load_reader(policy)
    if policy is None:
        return PolicyReader(player_models(None))
    reader: Reader = import_module(OWN).checked_unless_known(as_reader(policy))
    return reader
