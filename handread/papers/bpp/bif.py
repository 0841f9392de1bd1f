"""BPP's network in the BIF format, for tools of Bayesian networks such as pyAgrum and pgmpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from handread.arrays import Floats
from handread.papers.bpp.network import Network

ACTIONS = ("pass_call", "bet_raise")
OUTCOMES = ("no", "yes")


def bif_text(network: Network, actions: Floats) -> str:
    """Return the network of a betting round as BIF, with its action matrix (types, 2)."""
    types = network.types.labels
    nodes = {
        "OPP_Final": types,
        "OPP_Current": types,
        "OPP_Upcards": types,
        "OPP_Action": ACTIONS,
        "BPP_Final": types,
        "BPP_Current": types,
        "BPP_Win": OUTCOMES,
    }
    win = network.shares
    lines = [f'network "BPP, {network.cards} cards" {{\n}}\n']
    for name, states in nodes.items():
        listed = ", ".join(states)
        lines.append(f"variable {name} {{\n  type discrete [ {len(states)} ] {{ {listed} }};\n}}\n")
    tables: list[tuple[str, tuple[str, ...], Floats]] = [
        ("OPP_Final", (), network.final),
        ("OPP_Current", ("OPP_Final",), network.current),
        ("OPP_Upcards", ("OPP_Current",), network.upcards),
        ("OPP_Action", ("OPP_Current",), actions),
        ("BPP_Final", (), network.final),
        ("BPP_Current", ("BPP_Final",), network.current),
        ("BPP_Win", ("BPP_Final", "OPP_Final"), np.stack([1.0 - win, win], axis=-1)),
    ]
    for name, parents, table in tables:
        given = f" | {', '.join(parents)}" if parents else ""
        lines.append(f"probability ( {name}{given} ) {{\n")
        lines += _rows([nodes[parent] for parent in parents], table)
        lines.append("}\n")
    return "".join(lines)


def _rows(parents: Sequence[Sequence[str]], table: Floats) -> Iterator[str]:
    """Yield the lines of a table (parents, ..., states)."""
    for states, row in zip(product(*parents), table.reshape(-1, table.shape[-1]), strict=True):
        chances = ", ".join(map(repr, row.tolist()))
        yield f"  ({', '.join(states)}) {chances};\n" if states else f"  table {chances};\n"
