"""The tools that assistants call: each returns plain text of a limited size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import islice

from rich.console import Console

from handread.decisions.terms import CHECKED, decision_terms
from handread.engine.answers import analysis_of, chosen_reader
from handread.engine.requests import RequestError
from handread.engine.sources import Sources, ToolError
from handread.formats.registry import writer_named
from handread.game.steps import Replay
from handread.inference.hand import Analysis
from handread.inference.readers import policies_of
from handread.lazy import lazily
from handread.policy import policy_names
from handread.report.build import hand_report
from handread.report.steps import hand_steps
from handread.report.text import plain_report
from handread.report.words import visible
from handread.settings import is_there, only_below

with lazily():
    import handread.formats.saund_read as saund
    import handread.game.rules as rules
    import handread.inference.players as inference
    import handread.opponents.records as records
    import handread.report.decisions as decision_report
    import handread.report.first as first
    import handread.report.index as index
    import handread.report.overview as summary
    import handread.report.players as player_report
    import handread.sessions.analyzing as analyzing
    import handread.sessions.reading as session_reading
    import handread.simulate as simulation
    import handread.spelling as spelling

MOST_CHARACTERS = 20_000
"""The longest text of a tool, some five thousand words."""

MOST_HANDS = 200
"""The most hands of a session that are analyzed at once: each takes some tenth of a second."""

MOST_PLAYED = 20_000
"""The most hands from which the profile of a player is made."""

MOST_GAMES = 50

WIDTH = 110


def cut(text: str) -> str:
    """Return a text, cut at the end of a line if it is too long, with a word about that."""
    if len(text) <= MOST_CHARACTERS:
        return text
    kept = text[: text.rfind("\n", 0, MOST_CHARACTERS) + 1] or text[:MOST_CHARACTERS]
    lines = text.count("\n", len(kept))
    return f"{kept}[cut here: {lines:,} more lines. Ask for one hand, or for less.]\n"


def _is_policy(name: str) -> bool:
    file, mark, _ = name.rpartition("#")
    return is_there(name) or bool(mark and is_there(file))


class Tools:
    """The tools, which read hands of texts and of files below some folders."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    @property
    def all(self) -> tuple[Callable[..., str], ...]:
        """The tools; their docstrings and arguments are what assistants are told."""
        return (
            self.read_hand,
            self.explain_action,
            self.value_decisions,
            self.session_overview,
            self.player_profile,
            self.simulate,
        )

    def read_hand(
        self, text: str = "", path: str = "", hand: str = "", viewpoint: str = "", policy: str = ""
    ) -> str:
        """Read a hand of stud poker street by street: likely holdings and chances to win.

        Give the text of the hand, or the path of a file. hand is its id, or #N for the Nth of
        several. viewpoint is public, hero, seat:N, omniscient or a player's name. policy says how
        players bet, such as people.
        """
        report = hand_report(analysis := self._analysis(text, path, hand, viewpoint, policy))
        steps = hand_steps(report, analysis).steps
        return cut(self._sources.unread + plain_report(report, steps, WIDTH))

    def explain_action(
        self,
        action: int,
        text: str = "",
        path: str = "",
        hand: str = "",
        viewpoint: str = "",
        policy: str = "",
    ) -> str:
        """Explain what one action told: how expected it was, and how it changed the read.

        action is the number of a voluntary action of the hand, from 1; antes, bring-ins and deals
        do not count. The other arguments are those of read_hand.
        """
        report = hand_report(analysis := self._analysis(text, path, hand, viewpoint, policy))
        acted = [step for step in hand_steps(report, analysis).steps if step.action is not None]
        titles = "".join(f"{n}. {step.title}\n" for n, step in enumerate(acted, 1))
        if not 1 <= action <= len(acted):
            raise ToolError(cut(f"there is no action {action}; the actions are\n{titles}"))
        step = acted[action - 1]
        told = [step.title, step.gist, step.sentence, step.on_truth]
        wins = (f"{report.spoken[seat]} {one.bets.point}" for seat, one in step.chances.items())
        told += [f"The pot is {step.pot}. Chances to win after it: {', '.join(wins)}."]
        found = "".join(f"{line}\n" for line in told if line)
        return cut(f"{self._sources.unread}{found}\nAll actions:\n{titles}")

    def value_decisions(
        self, text: str = "", path: str = "", hand: str = "", policy: str = ""
    ) -> str:
        """Value the decisions of the players whose downcards are known: what each cost.

        It takes seconds if the policy has no learned values. The arguments are those of read_hand.
        """
        analysis = self._analysis(text, path, hand, "", policy)
        players = policies_of(analysis.reader)
        if players is None:
            raise ToolError("decisions are valued by policies: name one")
        terms = decision_terms(CHECKED, players)
        screen = Console(file=StringIO(), width=WIDTH, no_color=True, highlight=False, emoji=False)
        found = decision_report.hand_text(terms.valued(analysis), screen)
        return cut(self._sources.unread + found)

    def session_overview(self, text: str = "", path: str = "") -> str:
        """Tell of a session what a player asks first: result, dearest decisions, tells, players.

        Give the text of the hands, or the path of a file or folder.
        """
        reader, left_out = chosen_reader({}), 0
        rows: list[index.IndexRow] = []
        players = policies_of(reader)
        assert players is not None
        terms = decision_terms(CHECKED, players)
        hands = self._sources.replays(text, path)
        some = analyzing.View(decisions=terms, rolls_all=False)
        for hand in session_reading.read_in_turn(islice(hands, MOST_HANDS), reader, some):
            left_out += hand.problem is not None
            if hand.is_shown:
                rows.append(hand.row(len(rows) + 1, ""))
        if not rows:
            raise ToolError("none of the hands can be analyzed")
        more = next(hands, None) is not None
        notes = f"{left_out:,} hands cannot be analyzed and are left out.\n" * (left_out > 0)
        notes += f"Only the first {MOST_HANDS:,} hands were read.\n" * more
        return cut(first.first_text(rows, summary.overview(rows)) + notes + self._sources.unread)

    def player_profile(self, name: str = "", text: str = "", path: str = "") -> str:
        """Tell how a player bets, compared with the other players of the hands.

        Without a name, list the players. Give the text of hands, or the path of a file or folder.
        """
        legal = (one for one in self._sources.replays(text, path) if one.problem is None)
        found = records.records_of(islice(legal, MOST_PLAYED))
        profiles = player_report.profiles(found)
        more = f"Only {MOST_PLAYED:,} hands were read.\n" * (next(legal, None) is not None)
        more += self._sources.unread
        if not name:
            return cut(player_report.players_text(profiles, 0) + more)
        wanted = [one for one in profiles if one.player.name == name]
        if not wanted:
            names = sorted({one.player.name for one in profiles})
            meant = spelling.or_meant(name, names) or f"; players: {', '.join(names[:20])}"
            raise ToolError(f"there is no player {visible(name[:200])}{visible(meant)}")
        return cut("\n".join(map(player_report.profile_text, wanted)) + more)

    def simulate(
        self,
        games: int = 1,
        game: str = "stud",
        seats: int = 7,
        policy: str = "people",
        seed: int = 1,
    ) -> str:
        """Play games by a policy, and return them with all downcards, in PHH.

        game is stud, stud8, razz or 5stud. Equal arguments give equal games.
        """
        if not (1 <= games <= MOST_GAMES and 2 <= seats <= 8 and 0 <= seed < 2**32):
            raise ToolError(f"games is from 1 to {MOST_GAMES}, seats from 2 to 8, seed 0 or more")
        try:
            unit, stakes, variant = saund.read_game(game)
            with self._only_given(policy) as named:
                players = inference.parse_players(named, None, ())
            at_table = simulation.seated(players, seats)
            setup = simulation.Setup(players, at_table, stakes, unit, "split", variant)
            played = simulation.play_games(simulation.check_analyzed(setup), seed, range(games))
            # PHH has no code for five-card stud.
            writer = writer_named("saund" if variant is rules.FIVE_STUD else "phh")
            return cut("".join(writer.write_all(one.replay for one in played)))
        except ValueError as error:
            raise ToolError(visible(str(error))) from None

    def _analysis(self, text: str, path: str, hand: str, viewpoint: str, policy: str) -> Analysis:
        """Return the analysis of a hand, or raise ``ToolError``."""
        try:
            played = self._hand(text, path, hand)
            with self._only_given(policy) as named:
                wants = {"viewpoint": viewpoint, "policy": named}
                return analysis_of(played, {key: value for key, value in wants.items() if value})
        except RequestError as error:
            raise ToolError(visible(error.words)) from None

    @contextmanager
    def _only_given(self, policy: str) -> Iterator[str]:
        """Yield a policy by its name or real file; in the body no other folder is read."""
        with only_below(self._sources.folders):
            files = (str(one / policy) for one in self._sources.folders)
            known = policy in ("", *policy_names())
            yield policy if known else next(filter(_is_policy, files), policy)

    def _hand(self, text: str, path: str, hand: str) -> Replay:
        ids: list[str] = []
        for n, played in enumerate(self._sources.replays(text, path), 1):
            ids.append(played.history.hand_id)
            if hand in (played.history.hand_id, f"#{n}") and hand:
                return played
            if n > 1 and not hand:
                break
            only = played
        if not hand and len(ids) == 1:
            return only
        if not hand:
            raise ToolError("there are several hands: give hand, an id or #N for the Nth")
        known = f"among {len(ids):,}: give #N for the Nth\n{self._sources.unread}".strip()
        raise ToolError(f"no hand {visible(hand[:200])} {known}")
