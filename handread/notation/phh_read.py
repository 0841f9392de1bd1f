"""From the values of a PHH hand to its history."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

from handread.history import Event, History, Seat, Source
from handread.notation.dialect import Reading
from handread.notation.ledger import Ledger
from handread.notation.phh_actions import Actions, Slip
from handread.notation.phh_fields import Fields, is_whole
from handread.notation.phh_text import Section
from handread.stud import VARIANTS, Stakes, Unit

_VARIANT_KEYS = {"F7S": "stud", "F7S/8": "stud8", "FR": "razz"}
_STAKES_EXPECTED = "{ ante, bets = [5 amounts], cap, open_pair_doubles, inferred }"


def read_hand(section: Section) -> Iterator[Reading]:
    """The hand of a section, or its problems when it does not even name a game.

    Hands of other games than stud keep their players and have no events.
    """
    variant = section.values.get("variant")
    if not isinstance(variant, str):
        if not section.problems:
            section.complain("variant", "the hand does not name its game", 'variant = "F7S"')
        yield from (replace(problem, end_line=section.end_line) for problem in section.problems)
        return
    key = _VARIANT_KEYS.get(variant, "other")
    fields = Fields(section)
    numbers = _numbers(fields)
    stacks = dict(zip(numbers, fields.amounts("starting_stacks"), strict=True))
    stakes = _stakes(fields) if VARIANTS[key].readable else None
    history = History(
        hand_id=fields.label("hand"),
        source=Source(section.file, section.field_spot("variant").line, section.dialect),
        variant=key,
        unit=Unit(fields.decimals, fields.text("currency_symbol")),
        stakes=stakes,
        seats=_seats(fields, stacks),
        events=_events(fields, stacks, stakes) if stakes else (),
        hero=fields.whole("_handread_hero"),
        table=fields.label("table"),
        played_at=fields.text("_handread_played_at") or _date(section.values),
        end_line=section.end_line,
        problems=tuple(section.problems),
    )
    yield history


def _numbers(fields: Fields) -> list[int]:
    """The seat numbers of p1, p2 ...: those of the field ``seats``, else 1, 2 ..."""
    n = len(fields.items("starting_stacks"))
    if n == 0:
        fields.section.complain("starting_stacks", "nobody has a stack", "starting_stacks = [...]")
    for key in ("antes", "players", "seats", "finishing_stacks"):
        if key in fields.section.values and len(fields.items(key)) != n:
            fields.section.complain(key, f"{key} is not as long as starting_stacks", f"{n} values")
    numbers = fields.wholes("seats") or list(range(1, n + 1))
    if len(set(numbers)) == n == len(numbers):
        return numbers
    fields.section.complain("seats", "seats does not name each player's own seat", f"{n} numbers")
    return list(range(1, n + 1))


def _seats(fields: Fields, stacks: Mapping[int, int | None]) -> tuple[Seat, ...]:
    """The players, and those at the table who were not dealt in, by seat number."""
    names = [name for _, name in fields.texts("players")]
    names += [""] * (len(stacks) - len(names))
    unknown = fields.wholes("_handread_unknown_stacks")
    out = fields.wholes("_handread_sitting_out")
    seats = [
        Seat(number, name, None if number in unknown else stack, number in out)
        for (number, stack), name in zip(stacks.items(), names, strict=False)
    ]
    absent = [_absent(fields, item) for item in fields.items("_handread_absent")]
    return tuple(sorted([*seats, *absent], key=lambda seat: seat.number))


def _absent(fields: Fields, item: object) -> Seat:
    key = "_handread_absent"
    match item:
        case {"seat": number, "name": str(name), "sitting_out": bool(out), **rest} if is_whole(
            number
        ):
            stack = fields.minor(key, rest["stack"]) if "stack" in rest else None
            return Seat(number, name, stack, out)
    fields.section.complain(key, f"{key} holds what is no seat", "{ seat, name, sitting_out }")
    return Seat(0)


def _stakes(fields: Fields) -> Stakes:
    """The stakes; what PHH has no field for is in ``_handread_stakes`` or as PHH means it."""
    antes = [ante for ante in fields.amounts("antes") if ante is not None]
    if not antes:
        fields.section.complain("antes", "the hand has no antes", "antes = [an amount a player]")
    bring_in = fields.amount("bring_in")
    small, big = fields.amount("small_bet"), fields.amount("big_bet")
    key = "_handread_stakes"
    match fields.table(key):
        case {
            "bets": [third, fourth, fifth, sixth, seventh],
            "cap": cap,
            "open_pair_doubles": bool(doubles),
            "inferred": bool(inferred),
            "ante": ante,
            **rest,
        } if _is_cap(cap):
            cap_heads_up = rest.get("cap_heads_up")
            if cap_heads_up is None or _is_cap(cap_heads_up):
                bets = (
                    fields.minor(key, third) or 0,
                    fields.minor(key, fourth) or 0,
                    fields.minor(key, fifth) or 0,
                    fields.minor(key, sixth) or 0,
                    fields.minor(key, seventh) or 0,
                )
                ante = fields.minor(key, ante) or 0
                return Stakes(ante, bring_in, bets, cap, cap_heads_up, doubles, inferred)
    if fields.table(key):
        fields.section.complain(key, f"{key} are no stakes", _STAKES_EXPECTED)
    bets = (small, small, big, big, big)
    ante = max(antes, default=0)
    return Stakes(ante, bring_in, bets, cap_heads_up=None, open_pair_doubles=True)


def _is_cap(value: object) -> TypeGuard[int]:
    """Whether a value says how many bets and raises a street takes."""
    return is_whole(value) and value > 0


def _events(fields: Fields, stacks: Mapping[int, int | None], stakes: Stakes) -> tuple[Event, ...]:
    """The events up to the end or to the first action that cannot be read."""
    actions = Actions(tuple(stacks), Ledger.start(stacks), stakes.bring_in, fields.money)
    antes = dict(zip(stacks, fields.amounts("antes"), strict=False))
    posting = fields.wholes("_handread_antes_from") or list(stacks)
    played, ending = fields.texts("actions"), fields.texts("_handread_ending")
    implied, doubled = fields.wholes("_handread_implied"), fields.wholes("_handread_double")
    finishing = _finishing_stacks(fields, tuple(stacks))
    if fields.section.problems:
        return ()
    spot = fields.section.field_spot("antes")
    for seat in posting:
        if ante := antes.get(seat):
            actions.add(actions.ledger.ante(seat, ante), spot)
    spot = fields.section.field_spot("actions")
    try:
        for n, (spot, text) in enumerate(played, start=1):
            if n not in implied:
                actions.take(text, spot, n in doubled)
        for spot, text in ending:
            actions.take_ending(text, spot)
    except Slip as slip:
        fields.section.complain(spot, slip.message, slip.expected)
        finishing = {}
    actions.close(finishing)
    return tuple(actions.events)


def _finishing_stacks(fields: Fields, seats: Sequence[int]) -> dict[int, int]:
    """The stacks after the hand, where nothing better tells what each seat collects."""
    if "_handread_ending" in fields.section.values:
        return {}
    finishing = zip(seats, fields.amounts("finishing_stacks"), strict=False)
    return {seat: stack for seat, stack in finishing if stack is not None}


def _date(values: Mapping[str, object]) -> str:
    """The day and time of play as far as the fields tell."""
    date = [values.get(key) for key in ("year", "month", "day")]
    days = [f"{part:02d}" for part in date if is_whole(part)]
    time = values.get("time")
    day = "-".join(days) if len(days) == 3 else ""
    return f"{day} {time}".strip() if isinstance(time, datetime.time) else day
