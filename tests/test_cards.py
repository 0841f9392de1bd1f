"""Cards: text to number and back, and the indices of pairs and triples."""

from __future__ import annotations

import pickle
from itertools import combinations

import pytest

from handread.cards import (
    DECK,
    DECK_SIZE,
    N_PAIRS,
    N_TRIPLES,
    card_text,
    cards_text,
    holding_index,
    pair_index,
    parse_card,
    rank_of,
    suit_of,
    triple_index,
)
from handread.odds.htpd import PAIR_CARDS, TRIPLE_CARDS


def test_every_card_prints_and_parses() -> None:
    assert [parse_card(card_text(card)) for card in range(DECK_SIZE)] == list(range(DECK_SIZE))
    assert [card_text(card) for card in (0, 1, 2, 3, 4, 51)] == ["2c", "2d", "2h", "2s", "3c", "As"]


def test_ranks_and_suits() -> None:
    queen = parse_card("Qd")
    assert (rank_of(queen), suit_of(queen)) == (10, 1)


@pytest.mark.parametrize(
    ("text", "card"), [("10d", "Td"), ("ts", "Ts"), ("aH", "Ah"), ("QS", "Qs")]
)
def test_other_spellings(text: str, card: str) -> None:
    assert card_text(parse_card(text)) == card


@pytest.mark.parametrize("text", ["", "7", "c", "7x", "1c", "11c", "cc7", "??", "7c7", " 7c", "0c"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(text)


def test_unseen_cards_in_a_row() -> None:
    assert cards_text([51, None, 0]) == "As ?? 2c"
    assert cards_text([51, 0], between="") == "As2c"


def test_pair_indices_number_all_pairs() -> None:
    pairs = list(combinations(range(DECK_SIZE), 2))
    assert sorted(pair_index(*pair) for pair in pairs) == list(range(N_PAIRS))
    assert all(pair_index(a, b) == pair_index(b, a) for a, b in pairs)
    assert all(tuple(PAIR_CARDS[pair_index(*pair)]) == pair for pair in pairs)


def test_triple_indices_number_all_triples() -> None:
    triples = list(combinations(range(DECK_SIZE), 3))
    assert sorted(triple_index(*triple) for triple in triples) == list(range(N_TRIPLES))
    assert all(triple_index(a, b, c) == triple_index(c, a, b) for a, b, c in triples)
    cards = TRIPLE_CARDS.tolist()
    assert all(tuple(cards[triple_index(*triple)]) == triple for triple in triples)


def test_holding_index_takes_one_to_three_cards() -> None:
    assert holding_index((7,)) == 7
    assert holding_index((7, 3)) == pair_index(3, 7)
    assert holding_index([9, 3, 7]) == triple_index(3, 7, 9)
    with pytest.raises(ValueError, match="one to three"):
        holding_index([1, 2, 3, 4])


def test_cards_print_as_cards() -> None:
    aces = parse_card("As"), parse_card("ah")
    assert repr(aces) == "(As, Ah)"
    assert f"{aces[0]}" == str(aces[0]) == "As"
    assert aces[0] == 51
    assert DECK[51] is aces[0]
    assert pickle.loads(pickle.dumps(aces)) == aces
