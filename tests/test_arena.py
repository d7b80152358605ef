"""The arena: walls shared by all seatings, luck that cancels, the same result by any road, files that are gone on with or refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from hongzhong import bots, events, rules
from hongzhong.arena import ArenaError, Outcome, arena, deals, plot, settings_of
from hongzhong.arena.deals import CIRCLES, PAIRS, Dealer, Times, seatings
from hongzhong.arena.outcome import labels
from hongzhong.arena.store import Store
from hongzhong.cli import main
from hongzhong.cli.choices import split_bots
from hongzhong.match import Match
from hongzhong.round import Prompt
from tests.test_bots import RULE_SETS, Cautious, installed
from tests.test_external_bots import PROGRAM, gone

TWO = ("greedy", "random")
FOUR = ("greedy", "random", "greedy", "random")


def untimed(outcome: Outcome) -> dict[str, Any]:
    """The result without the times, which differ from run to run."""
    data = outcome.as_data()
    for row in data["bots"]:
        del row["seconds_mean"], row["seconds_p99"]
    return data


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["arena", *arguments])


def refused(result: Result, *parts: str) -> None:
    """One line that says what was wrong, and exit code 2."""
    assert result.exit_code == 2, result.output
    assert result.stderr.startswith("hongzhong: ") and result.stderr.count("\n") == 1
    for part in parts:
        assert part in result.stderr


# seatings


def test_two_bots_sit_in_all_six_ways() -> None:
    assert len(set(PAIRS)) == 6 and all(sorted(seats) == [0, 0, 1, 1] for seats in PAIRS)
    assert seatings(2, 0) == seatings(2, 5) == PAIRS


def test_four_bots_sit_everywhere_and_next_to_everyone() -> None:
    followed: Counter[tuple[int, int]] = Counter()
    for deal in range(len(CIRCLES)):
        seated = seatings(4, deal)
        for seat in range(4):
            assert sorted(seats[seat] for seats in seated) == [0, 1, 2, 3]
        followed.update((seats[seat], seats[(seat + 1) % 4]) for seats in seated for seat in range(4))
    assert len(followed) == 12 and len(set(followed.values())) == 1


# duplicate deals


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("entrants", [TWO, FOUR])
def test_all_seatings_of_a_deal_share_its_wall(
    name: str, entrants: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    heads: list[events.Event] = []
    outcome_of = deals._outcome

    def noted(match: Match) -> deals.Hand:
        heads.append(match.events[1])
        return outcome_of(match)

    monkeypatch.setattr(deals, "_outcome", noted)
    dealer = Dealer(rules.load(name), entrants, labels(list(entrants)), 7)
    walls = []
    for number in range(3):
        heads.clear()
        dealer.play(number)
        assert len(heads) == len(seatings(len(entrants), number))
        assert isinstance(heads[0], events.Hand) and len(heads[0].wall) > 100
        assert all(head == heads[0] for head in heads)  # wall, dealer, dice
        walls.append(heads[0].wall)
    assert len(set(walls)) == 3


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("bot", ["greedy", "random"])
@pytest.mark.parametrize("entrants", [2, 4])
def test_the_luck_of_the_wall_cancels(name: str, bot: str, entrants: int) -> None:
    """Equal bots, also ones that leave all to chance, get exactly nothing of each other, deal by deal."""
    outcome = arena(name, {}, [bot] * entrants, 25, seed=3)
    assert outcome.deals == 25 and outcome.stopped == "deals"
    for entrant in outcome.entrants:
        assert entrant.points.mean == 0.0 and entrant.points.sd == 0.0
        assert entrant.wins == outcome.entrants[0].wins > (0 if bot == "greedy" else -1)
    assert not any(map(outcome.clear, outcome.pairs))


def test_the_sums_are_those_of_the_hands() -> None:
    seated = Dealer(rules.load("hebei"), TWO, TWO, 1)
    outcome = arena("hebei", {}, TWO, 30, seed=1, stop=False)
    points, hands, wins, gave = [0, 0], [0, 0], [0, 0], [0, 0]
    differences = []
    for number in range(30):
        deal = seated.play(number)
        before = list(points)
        for seats, hand in zip(PAIRS, deal.hands, strict=True):
            assert sum(hand.scores) == 0
            for seat, entrant in enumerate(seats):
                points[entrant] += hand.scores[seat]
                hands[entrant] += 1
                wins[entrant] += seat in hand.won
                gave[entrant] += seat == hand.gave
        differences.append((points[0] - before[0] - points[1] + before[1]) / 12)
    assert hands == [360, 360]
    for place, each in enumerate(outcome.entrants):
        assert each.points.mean == pytest.approx(points[place] / 360)
        assert (each.hands, each.wins, each.gave) == (360, wins[place], gave[place])
    assert outcome.pairs[0, 1].mean == pytest.approx(sum(differences) / 30)
    assert outcome.pairs[0, 1].mean > 2  # greedy over random
    assert sum(entrant.wins for entrant in outcome.entrants) <= 180 and gave[0] + gave[1] > 20


# the same by any road


@pytest.mark.slow
@pytest.mark.parametrize(("entrants", "stop"), [(TWO, True), (("greedy", "random", "random", "random"), False)])
def test_processes_change_nothing(entrants: tuple[str, ...], stop: bool) -> None:
    one = arena("qiqihar", {"kong_points": (1, 1, 2)}, entrants, 60, seed=2, stop=stop)
    for jobs in (2, 3):
        assert untimed(
            arena("qiqihar", {"kong_points": (1, 1, 2)}, entrants, 60, seed=2, stop=stop, jobs=jobs)
        ) == untimed(one)
    assert one.stopped == ("clear" if stop else "deals")


def test_a_resumed_arena_is_the_uninterrupted_one(tmp_path: Path) -> None:
    whole = arena("hebei", {}, TWO, 24, seed=4, stop=False)
    assert untimed(arena("hebei", {}, TWO, 24, seed=5, stop=False)) != untimed(whole)

    def interrupt(outcome: Outcome) -> None:
        if outcome.deals == 9:
            raise KeyboardInterrupt

    path = tmp_path / "deals.jsonl"
    broken = arena("hebei", {}, TWO, 24, seed=4, stop=False, out=str(path), progress=interrupt)
    assert (broken.stopped, broken.deals) == ("interrupted", 9)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 10
    path.write_bytes(
        b"".join([lines[0], lines[5], *lines[1:4], *lines[6:9], lines[9][:-40]])
    )  # in another order, two missing, one torn
    resumed = arena("hebei", {}, TWO, 24, seed=4, stop=False, out=str(path), resume=True)
    assert untimed(resumed) == untimed(whole)
    assert len(path.read_bytes().splitlines()) == 25
    before = path.read_bytes()
    again = arena("hebei", {}, TWO, 24, seed=4, stop=False, out=str(path), resume=True)
    assert again.as_data() == resumed.as_data() and path.read_bytes() == before  # times too: nothing was played
    assert arena("hebei", {}, TWO, 10, seed=4, stop=False, out=str(path), resume=True).deals == 10


def test_it_stops_when_the_answer_is_clear_and_stays_so(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    outcome = arena("hebei", {}, TWO, 500, seed=4, out=str(path))
    assert outcome.stopped == "clear" and 20 <= outcome.deals < 120
    interval = outcome.interval((0, 1))
    assert interval is not None and interval[0] > 0
    assert path.read_bytes().count(b"\n") == outcome.deals + 1
    further = arena("hebei", {}, TWO, outcome.deals + 5, seed=4, stop=False, out=str(path), resume=True)
    assert further.deals == outcome.deals + 5
    assert untimed(arena("hebei", {}, TWO, 500, seed=4, out=str(path), resume=True)) == untimed(outcome)


# what is refused


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    arena("hebei", {}, TWO, 3, seed=4, out=str(path))
    held = path.read_bytes()
    head, first, *rest = held.splitlines(keepends=True)

    def wrong(text: str, content: bytes = held, **changed: Any) -> None:
        path.write_bytes(content)
        given: dict[str, Any] = {"seed": 4, "options": {}, "names": TWO, "resume": True} | changed
        with pytest.raises(ArenaError) as error:
            arena(
                "hebei", given["options"], given["names"], 3, seed=given["seed"], out=str(path), resume=given["resume"]
            )
        assert text in str(error.value) and "\n" not in str(error.value)
        assert path.read_bytes() == content

    wrong("go on with --resume, or give another file", resume=False)
    wrong("seed was 4 and is now 5", seed=5)
    wrong("base_point was 1 and is now 2", options={"base_point": 2})
    wrong("bots was ['greedy', 'random'] and is now ['random', 'greedy']", names=("random", "greedy"))
    wrong(
        "engine was '0.0.9'",
        content=held.replace(b'"engine":"', b'"engine":"0.0.9","x":"').replace(b'"x":"0.1.0",', b""),
    )
    wrong("line 1 heads no arena", content=b"points\n1\n")
    wrong("is no file of an arena", content=b"points of last week")
    wrong("line 1 heads no arena: a deal stands", content=first)
    wrong("line 3 is damaged", content=head + first + b"{}\n" + rest[0])
    wrong("line 3: a second heading", content=head + first + head)
    path.write_bytes(held)
    store = Store(path, settings_of(rules.load("hebei"), TWO, 4), resume=True)
    wrong("is in use by another arena")
    store.close()
    path.write_bytes(head[:20])  # torn while it was begun
    assert arena("hebei", {}, TWO, 3, seed=4, out=str(path), resume=True).deals == 3


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["greedy", "--deals", "5"], ["1 bot for an arena: name two"]),
        (["greedy,random,greedy", "--deals", "5"], ["3 bots for an arena"]),
        (["greedy,grandmaster", "--deals", "5"], ["unknown bot 'grandmaster'; known: random, "]),
        (["greedy,exec:./absent", "--deals", "5"], ["no program './absent' that can be run"]),
        (["greedy,exec@soon:cat", "--deals", "5"], ["'soon' is no time for an answer"]),
        (
            ["greedy,exec:false", "--deals", "5"],
            ["bot 'false' cannot play: crash at the start: it ended with exit code 1"],
        ),
        (["greedy,exec:echo hello", "--deals", "5"], ["cannot play: nonsense at the start: 'hello'"]),
        (["greedy,random", "--deals", "0"], ["number of deals 0"]),
        (["greedy,random", "--deals", "many"], ["'many' is not a valid integer"]),
        (["greedy,random", "--deals", "5", "--seed", "-1"], ["seed -1"]),
        (["greedy,random", "--deals", "5", "--jobs", "0"], ["number of jobs 0"]),
        (["greedy,random", "--deals", "5", "--resume"], ["name it with --out"]),
        (["greedy,random", "--deals", "5", "--option", "cap=no"], ["cap"]),
        (["greedy,random", "--deals", "5", "--out", "no/such/folder/x"], ["cannot use no/such/folder/x: No such file"]),
        (["greedy,random"], ["--deals"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_bad_input_is_told_in_a_line(
    arguments: list[str], parts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(run("--rules", "hebei", *arguments), *parts)


def test_names_are_split_outside_of_quotes() -> None:
    assert split_bots("greedy, exec:node bot.js ,search:50") == ["greedy", "exec:node bot.js", "search:50"]
    assert split_bots("exec:'a,b' \"c,d\",random") == ["exec:'a,b' \"c,d\"", "random"]
    assert split_bots("exec:'a,b") == ["exec:'a,b"]
    assert labels(["a", "b", "a", "a"]) == ["a #1", "b", "a #2", "a #3"]


# bots that fail


def script(tmp_path: Path, code: str) -> str:
    path = tmp_path / "bot.py"
    path.write_text(PROGRAM % code)
    return f"exec@20:{sys.executable} {path}"


def test_a_program_that_fails_is_reported_and_replaced(tmp_path: Path) -> None:
    """It fails in its third prompt wherever it sits at seat 2; greedy plays those hands on."""
    name = script(tmp_path, "seat = None\ndef start(message):\n    global seat\n    seat = message['seat']\n    ready(message)\n"
                  "def prompt(message):\n    sys.exit('tired') if (seat, message['id']) == (2, 3) else answer(message)")  # fmt: skip
    ran = run(f"greedy,{name}", "--rules", "qiqihar", "--deals", "2", "--json", "--out", str(tmp_path / "deals"))
    assert ran.exit_code == 3
    data = json.loads(ran.stdout)
    assert [row["failed"] for row in data["bots"]] == [0, 6]
    failure = data["failures"][0]
    assert failure["kind"] == "crash" and failure["seat"] == 2 and failure["prompt"] == 3
    assert "exit code 1; its last words: tired" in failure["text"]
    assert all(PAIRS[failure["seating"]][2] == 1 for failure in data["failures"])
    assert "deal 0: exec@20:" in ran.stderr and "greedy played on" in ran.stderr and "and 1 more" in ran.stderr


def test_a_program_that_always_fails_is_given_up(tmp_path: Path) -> None:
    name = script(tmp_path, "def prompt(message):\n    answer(message, 143)")
    ran = run(f"greedy,{name}", "--rules", "qiqihar", "--deals", "500", "--lang", "en")
    assert ran.exit_code == 3
    assert "stopped: a program failed too often" in ran.stderr and "1 deals" in ran.stdout


class Tires(Cautious):
    """Plays two deals and their start, then raises."""

    left = 0

    def choose(self, prompt: Prompt) -> int:
        Tires.left -= 1
        if Tires.left < 0:
            raise LookupError("no more")
        return super().choose(prompt)


def test_an_installed_bot_that_raises_ends_the_arena_and_the_deals_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entry = EntryPoint("tires", "tests.test_arena:Tires", bots.GROUP)
    monkeypatch.setattr(bots, "entry_points", lambda group: [entry] if group == bots.GROUP else [])
    path = tmp_path / "deals"
    Tires.left = 1000
    ran = run("greedy,tires", "--rules", "qiqihar", "--deals", "50", "--out", str(path), "--lang", "en")
    assert ran.exit_code == 2 and "bot 'tires' on seat" in ran.stderr and "LookupError: no more" in ran.stderr
    finished = path.read_bytes().count(b"\n") - 1
    assert finished >= 2 and f"{finished} deals" in ran.stdout
    Tires.left = 0
    refused(run("greedy,tires", "--rules", "qiqihar", "--deals", "5"), "bot 'tires' at its first prompt: LookupError")


def test_an_installed_bot_that_answers_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "Broken")
    refused(run("greedy,broken", "--rules", "qiqihar", "--deals", "5"), "it answered 143, legal are")


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_finished_and_leaves_no_process(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    name = script(tmp_path, f"print(os.getpid(), file=open({str(pids)!r}, 'a'), flush=True)")
    path = tmp_path / "deals"
    command = [sys.executable, "-m", "hongzhong", "arena", f"greedy,{name}", "--rules", "qiqihar", "--deals", "100000"]
    command += ["--all", "--jobs", "2", "--out", str(path), "--lang", "en"]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    deadline = time.monotonic() + 180
    while not (path.exists() and path.read_bytes().count(b"\n") > 40):  # several whole deals
        assert time.monotonic() < deadline and running.poll() is None
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)  # as Ctrl-C does
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "Traceback" not in err and "interrupted: " in err
    assert "greedy" in out and "95 % interval" in out
    assert path.read_bytes().endswith(b"\n") and path.read_bytes().count(b"\n") > 40
    assert all(gone(int(pid)) for pid in pids.read_text().split())


# what is shown


def test_times_are_classed_within_a_twentieth() -> None:
    times = Times()
    for place in range(1000):
        times.add((place + 1) / 1e4)
    assert times.n == 1000 and times.seconds == pytest.approx(50.05)
    for share in (0.5, 0.9, 0.99):
        assert share / 10 <= times.quantile(share) <= 1.05 * share / 10
    other = Times()
    other.join(times)
    assert other == times and Times().quantile(0.99) == 0.0


def test_the_table_and_the_plot(tmp_path: Path) -> None:
    picture = tmp_path / "plot.svg"
    ran = run(*(",".join(TWO), "--rules", "hebei", "--deals", "40", "--all", "--plot", str(picture), "--lang", "zh"))
    assert ran.exit_code == 0
    assert "greedy − random：每局 +" in ran.stdout and "greedy 更强" in ran.stdout and "河北" in ran.stdout
    nowhere = str(tmp_path / "no" / "plot.svg")
    refused(run(",".join(TWO), "--rules", "hebei", "--deals", "9000", "--plot", nowhere), "no folder", "no/plot.svg")
    root = ElementTree.fromstring(picture.read_text("utf-8"))
    svg = "{http://www.w3.org/2000/svg}"
    (line,) = root.findall(f"{svg}polyline")
    (band,) = root.findall(f"{svg}polygon")
    assert len(line.attrib["points"].split()) == 40
    assert len(band.attrib["points"].split()) == 2 * 21


def test_the_plot_shows_the_numbers(tmp_path: Path) -> None:
    outcome = arena("hebei", {}, TWO, 30, stop=False)
    root = ElementTree.fromstring(plot.svg(outcome, "a < b & c"))
    svg = "{http://www.w3.org/2000/svg}"
    ticks = {
        float(text.text or ""): float(text.attrib["y"]) - 4
        for text in root.findall(f"{svg}text") if text.attrib.get("text-anchor") == "end" and text.attrib["x"] == "56"
    }  # fmt: skip
    (low, y_low), (high, y_high) = min(ticks.items()), max(ticks.items())
    line = root.findall(f"{svg}polyline")[0].attrib["points"].split()
    last = float(line[-1].split(",")[1])
    assert low + (y_low - last) / (y_low - y_high) * (high - low) == pytest.approx(outcome.pairs[0, 1].mean, abs=0.05)
    assert "a < b & c" in [text.text for text in root.findall(f"{svg}text")]
    many = arena("qiqihar", {}, ["random"] * 4, 2)
    assert len(ElementTree.fromstring(plot.svg(many, "flat")).findall(f"{svg}polyline")) == 4
