"""Programs as bots: they play by the protocol; whatever goes wrong ends in a verdict, a seat that plays on, and no process left."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from hongzhong import bots, events, rules
from hongzhong.bots.external import ExternalBot
from hongzhong.cli import CommandError, main
from hongzhong.cli.play import parse_bots
from hongzhong.match import Match
from hongzhong.simulate.seating import play_hand
from hongzhong.texts.arena import fault as say_fault
from tests.test_bots import RULE_SETS

ROOT = Path(__file__).parent.parent
SCHEMAS = ROOT / "docs" / "schemas"
EXAMPLES = [["./examples/bots/first.py"], ["node", "examples/bots/first.js"]]

PROGRAM = """
import json, os, subprocess, sys, time
def say(text):
    print(text, flush=True)
def ready(message):
    say('{"type":"ready"}')
def answer(message, action=None):
    action = message["actions"][0] if action is None else action
    say(json.dumps({"type": "answer", "id": message["id"], "action": action}))
start, prompt, other = ready, answer, lambda message: None
%s
for line in sys.stdin:
    message = json.loads(line)
    {"start": start, "prompt": prompt}.get(message["type"], other)(message)
"""


def program(code: str = "", answer_seconds: float = 20.0, start_seconds: float = 20.0) -> ExternalBot:
    """A bot whose program does as it should but for ``code``."""
    command = [sys.executable, "-c", PROGRAM % code]
    return ExternalBot(command, answer_seconds=answer_seconds, start_seconds=start_seconds)


def one_hand(rules_name: str = "qiqihar", seed: int = 5) -> Match:
    return Match(rules.load(rules_name, {"hands": 1}), seed=seed)


def with_greedy(bot: bots.Bot, match: Match) -> list[events.Event]:
    """Plays the match to its end with the bot at seat 0; all its events."""
    play_hand(match, [bot, *(bots.make("greedy") for _ in range(3))])
    return match.events


def gone(pid: int) -> bool:
    """Whether a process has ended, if need be after a moment; one that waits to be reaped has."""
    for _ in range(200):
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        ).stdout
        if not state.strip() or state.strip().startswith("Z"):
            return True
        time.sleep(0.02)
    return False


# programs that play


@pytest.mark.parametrize("command", EXAMPLES, ids=["python", "javascript"])
@pytest.mark.parametrize("name", RULE_SETS)
def test_the_examples_play(command: list[str], name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if command[0] == "node" and shutil.which("node") is None:
        pytest.skip("no node here")
    monkeypatch.chdir(ROOT)
    bot = ExternalBot(command, answer_seconds=60, start_seconds=60)
    match = Match(rules.load(name, {"hands": 60}), seed=3)
    play_hand(match, [bot, *(bots.make("random", seed) for seed in range(3))])
    assert bot.verdict is None
    assert any(isinstance(event, events.Win) and event.seat == 0 for event in match.events)
    bot.close()


def test_the_examples_are_short() -> None:
    for path in (ROOT / "examples" / "bots").iterdir():
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 33
        assert os.access(path, os.X_OK)


def test_what_a_program_is_told_meets_the_schema_and_shows_no_other_hand(tmp_path: Path) -> None:
    log = tmp_path / "lines"
    bot = program(
        f"log = open({str(log)!r}, 'w')\n"
        "for what in ('start', 'prompt', 'other'):\n"
        "    def noted(message, old=globals()[what]):\n"
        "        print(json.dumps(message), file=log, flush=True)\n"
        "        old(message)\n"
        "    globals()[what] = noted\n"
    )
    bot.seed = (1 << 64) - 1
    match = one_hand("hebei")
    with_greedy(bot, match)
    bot.close()
    assert bot.verdict is None
    told = [json.loads(line) for line in log.read_text().splitlines()]
    validator = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "bot-message.schema.json").read_text("utf-8")))
    for message in told:
        validator.validate(message)
        if message["type"] in ("deal", "draw") and message["seat"] != 0:
            assert set(message.get("tiles") or message["tile"]) == {"?"}
    assert told[0]["type"] == "start" and told[0]["seat"] == 0 and told[0]["seed"] == (1 << 53) - 1
    assert told[0]["options"]["base_point"] == match.rules.get("base_point")
    seen = [message for message in told if message["type"] not in ("start", "prompt")]
    assert seen == [json.loads(events.encode(event)) for event in match.seen(0)]
    prompts = [message for message in told if message["type"] == "prompt"]
    assert [prompt["id"] for prompt in prompts] == list(range(1, len(prompts) + 1))
    assert all(prompt["from"] is None for prompt in prompts if prompt["kind"] == "turn")
    assert any(prompt["from"] in (1, 2, 3) and prompt["tile"] for prompt in prompts if prompt["kind"] == "claim")


def test_a_program_stays_from_match_to_match_or_leaves_after_each() -> None:
    stays = program("n = 0\ndef start(message):\n    global n\n    n += 1\n    ready(message)")
    with_greedy(stays, one_hand())
    assert stays._program is not None
    pid = stays._program.pid
    with_greedy(stays, one_hand(seed=6))
    assert stays.verdict is None and stays._program.pid == pid
    stays.close()
    assert gone(pid)
    leaves = program("def other(message):\n    if message['type'] == 'result':\n        sys.exit()")
    for seed in (5, 6, 7):
        with_greedy(leaves, one_hand(seed=seed))
        assert leaves.verdict is None
    leaves.close()


# programs that fail

HAN = re.compile("[\u4e00-\u9fff]")
FAULTS: dict[str, tuple[str, str, int, str]] = {
    # code, kind, prompt, a part of the text
    "dies at the start": ("sys.exit('no hands')", "crash", 0, "exit code 1; its last words: no hands"),
    "dies of an error": ("def prompt(message):\n    message['nothing']", "crash", 1, "its last words: KeyError: 'nothing'"),
    "leaves at a prompt": ("def prompt(message):\n    sys.exit()", "crash", 1, "it ended with exit code 0"),
    "is killed": ("def prompt(message):\n    os.kill(os.getpid(), 9)", "crash", 1, "it was ended by signal 9"),
    "closes its output": ("def prompt(message):\n    os.close(1); time.sleep(60)", "crash", 1, "it closed its output"),
    "dies later": (
        "def prompt(message):\n    answer(message) if message['id'] < 3 else sys.exit(7)",
        "crash", 3, "exit code 7",
    ),
    "never says ready": ("def start(message):\n    pass", "stall", 0, "no line within 0.5 s"),
    "never reads": ("time.sleep(60)", "stall", 0, "no line within 0.5 s"),
    "stops reading": ("def start(message):\n    ready(message); time.sleep(60)", "stall", 1, "no line within 0.5 s"),
    "closes its input": ("def start(message):\n    ready(message); os.close(0); time.sleep(60)", "stall", 1, "no line within"),
    "thinks for ever": ("def prompt(message):\n    time.sleep(60)", "stall", 1, "no line within 0.5 s"),
    "drips": (
        "def prompt(message):\n    while True:\n        print(' ', end='', flush=True); time.sleep(0.05)",
        "stall", 1, "no line within 0.5 s",
    ),
    "says hello": ("def start(message):\n    say('hello')", "nonsense", 0, "'hello': JSON is malformed"),
    "answers too early": ("def start(message):\n    say('{\"type\":\"answer\",\"id\":0,\"action\":34}')", "nonsense", 0, "before any prompt"),
    "says no JSON": ("def prompt(message):\n    say(34)\n    say('discard')", "nonsense", 1, "'34'"),
    "says bytes": ("def prompt(message):\n    os.write(1, b'\\xff\\xfe\\n')", "nonsense", 1, "'\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}': "),
    "paints": (
        "sys.stderr.write('\\x1b]0;mine\\x07\\x1b[31mred\\x1b[0m\\a \\x1b]8;;http://x\\x1b\\\\\\u202etext\\x9b2J\\n\\x1b[0m\\n'); sys.exit(7)",
        "crash", 0, "exit code 7; its last words: red text",
    ),
    "overwrites": ("sys.stderr.write('1 %\\r100 %\\r\\n'); sys.exit(7)", "crash", 0, "exit code 7; its last words: 100 %"),
    "paints its answers": ("def prompt(message):\n    say('{\"type\":\"\\x9b2Jx\"}')", "nonsense", 1, "Invalid value 'x'"),
    "says too deep": ("def prompt(message):\n    say('[' * 4000)", "nonsense", 1, "'[[["),
    "is ready again": ("prompt = ready", "nonsense", 1, "'ready' where an answer"),
    "adds fields": (
        "def prompt(message):\n    say(json.dumps({'type': 'answer', 'id': 1, 'action': 34, 'why': 'so'}))",
        "nonsense", 1, "why",
    ),
    "answers in words": ("def prompt(message):\n    answer(message, 'pass')", "nonsense", 1, "Expected `int`, got `str`"),
    "knows other numbers": ("def prompt(message):\n    answer(message, 144)", "nonsense", 1, "no action 144: actions are 0-143"),
    "plays what it may not": ("def prompt(message):\n    answer(message, 41)", "nonsense", 1, "action 41 (false-win) is not legal here; legal are"),
    "answers twice": ("def prompt(message):\n    answer(message); answer(message)", "nonsense", 2, "an answer to prompt 1"),
    "never ends its line": ("def prompt(message):\n    say('x' * 5000)", "nonsense", 1, "a line longer than 4096 bytes"),
    "floods": ("def prompt(message):\n    while True:\n        print('x' * 100000, end='')", "nonsense", 1, "a line longer than 4096 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_in_a_verdict_and_the_seat_plays_on(fault: str, caplog: pytest.LogCaptureFixture) -> None:
    code, kind, at, text = FAULTS[fault]
    hurry = kind == "stall"
    bot = program(code, 0.5 if hurry and at else 20.0, 0.5 if hurry and not at else 20.0)
    began = time.monotonic()
    match = one_hand()
    played = with_greedy(bot, match)
    assert time.monotonic() - began < 15
    assert bot.verdict is not None
    assert (bot.verdict.kind, bot.verdict.prompt) == (kind, at) and text in bot.verdict.text
    assert bot.verdict.text.isprintable() and "b'" not in bot.verdict.text and len(bot.verdict.text) <= 400
    zh = say_fault("zh", bot.verdict.text)
    assert HAN.search(zh) and not re.search("its last words|legal are|it ended|no line within", zh), zh
    assert say_fault("en", bot.verdict.text) == bot.verdict.text
    assert bot._program is None
    assert f"{kind} at" in caplog.text and "greedy plays on" in caplog.text
    if at <= 1:
        assert played == with_greedy(bots.make("greedy"), one_hand())


@pytest.mark.parametrize("stubborn", ["", "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"])
def test_children_end_with_their_program(tmp_path: Path, stubborn: str) -> None:
    pids = tmp_path / "pids"
    child = (
        f"{stubborn}"
        "child = subprocess.Popen(['sleep', '600'])\n"
        f"print(os.getpid(), child.pid, file=open({str(pids)!r}, 'w'), flush=True)\n"
    )
    stuck = "def prompt(message):\n    time.sleep(600)"
    leave = "def prompt(message):\n    sys.exit(1)"
    for code, limit, kind in ((child, 20.0, ""), (child + stuck, 0.5, "stall"), (child + leave, 20.0, "crash")):
        bot = program(code, answer_seconds=limit)
        with_greedy(bot, one_hand())
        bot.close()
        assert (bot.verdict.kind if bot.verdict else "") == kind
        assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_a_bot_that_is_forgotten_leaves_no_process(tmp_path: Path) -> None:
    bot = program()
    bot.start(rules.load("qiqihar"), 0)
    assert bot._program is not None
    pid = bot._program.pid
    del bot
    gc.collect()
    assert gone(pid)


# names


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("exec:", "write it as exec:COMMAND"),
        ("exec:   ", "write it as exec:COMMAND"),
        ("exec:'./bot.py", "No closing quotation in the command"),
        ("exec:./no/such/bot.py", "no program './no/such/bot.py' that can be run"),
        ("exec:no-such-program-anywhere x", "no program 'no-such-program-anywhere'"),
        ("exec:.", "no program '.'"),
        ("exec@soon:./bot.py", "'soon' is no time for an answer"),
        ("exec@0:./bot.py", "'0' is no time"),
        ("exec@nan:./bot.py", "'nan' is no time"),
        ("exec@1e9:./bot.py", "'1e9' is no time"),
        ("exec@2", "write it as exec:COMMAND"),
    ],
)
def test_bad_names_are_told(name: str, problem: str) -> None:
    for use in (bots.check, bots.make):
        with pytest.raises(bots.BotError) as error:
            use(name)
        assert problem in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    plain = tmp_path / "bot.py"
    plain.write_text("print()")
    with pytest.raises(bots.BotError, match="is it executable"):
        bots.check(f"exec:{plain}")
    plain.chmod(0o755)
    bot = bots.make(f"exec:{plain}")  # no interpreter named
    assert isinstance(bot, ExternalBot)
    bot.start(rules.load("qiqihar"), 0)
    assert bot.verdict is not None and bot.verdict.kind == "missing" and "Exec format error" in bot.verdict.text


def test_a_name_may_hold_arguments_and_a_limit() -> None:
    bot = bots.make(f"exec@0.25:{sys.executable} -c 'import sys; sys.exit(3)'", 4)
    assert isinstance(bot, ExternalBot)
    assert bot.command == [sys.executable, "-c", "import sys; sys.exit(3)"]
    assert (bot._seconds, bot.seed) == (0.25, 4)


def test_programs_play_in_simulate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    arguments = ["simulate", "4", "--rules", "hebei", "--bots", "exec:./examples/bots/first.py,greedy,greedy,greedy"]
    ran = CliRunner().invoke(main, [*arguments, "--seed", "1", "--json"])
    assert ran.exit_code == 0
    result: dict[str, Any] = json.loads(ran.stdout)
    assert result["hands"] == 4
    ran = CliRunner().invoke(main, ["simulate", "4", "--rules", "hebei", "--bots", "exec:./absent"])
    assert ran.exit_code == 2 and "no program './absent'" in ran.stderr


def failing(tmp_path: Path, code: str) -> str:
    """A program that does as it should but for ``code``, as a name with a comma in its command."""
    path = tmp_path / "bot.py"
    path.write_text(PROGRAM % code)
    return f"exec:{sys.executable} {path} '1,2'"


@pytest.mark.parametrize("recorded", [False, True])
def test_simulate_tells_in_the_end_that_a_program_failed(tmp_path: Path, recorded: bool) -> None:
    """It dies in its third hand: that hand and those after it are played on by greedy, the numbers are printed, the exit code is 3."""
    dies = "def start(m):\n    hands.append(m)\n    ready(m)\ndef prompt(m):\n    len(hands) == 3 and sys.exit(7)\n    answer(m)"
    bot = failing(tmp_path, f"hands = []\n{dies}")
    arguments = ["simulate", "5", "--rules", "qiqihar", "--seed", "1", "--jobs", "1", "--lang", "en", "--json"]
    more = ["--record", str(tmp_path / "hands.jsonl")] if recorded else []
    ran = CliRunner().invoke(main, [*arguments, *more, "--bots", f"greedy,{bot},greedy,random"])
    assert ran.exit_code == 3, ran.output
    result = json.loads(ran.stdout)
    assert result["hands"] == 5
    (failure,) = result["failures"]
    assert (failure["hand"], failure["seat"], failure["kind"], failure["bot"]) == (3, 1, "crash", bot)
    assert f"hand 3: {bot} on seat 1: crash at prompt 1: it ended with exit code 7; greedy played on" in ran.stderr


def test_simulate_gives_up_when_a_program_fails_too_often(tmp_path: Path) -> None:
    bot = failing(tmp_path, "def prompt(m):\n    say('nonsense')")
    arguments = ["simulate", "100", "--rules", "qiqihar", "--seed", "1", "--jobs", "1", "--lang", "en"]
    ran = CliRunner().invoke(main, [*arguments, "--bots", f"{bot},greedy,greedy,greedy"])
    assert ran.exit_code == 3
    assert "10 hands of Qiqihar" in ran.stdout
    assert "stopped: programs failed too often; 10 of 100 hands were played" in ran.stderr
    assert ran.stderr.count("nonsense at prompt 1") == 5 and "and 5 more such hands" in ran.stderr


def test_simulate_ends_its_programs(tmp_path: Path) -> None:
    seen = tmp_path / "pids"
    bot = failing(tmp_path, f"open({str(seen)!r}, 'a').write(str(os.getpid()) + ' ')")
    arguments = ["simulate", "3", "--rules", "qiqihar", "--seed", "1", "--jobs", "1"]
    assert CliRunner().invoke(main, [*arguments, "--bots", f"{bot},greedy,greedy,greedy"]).exit_code == 0
    pids = seen.read_text().split()
    assert len(pids) == 1  # it stays from hand to hand
    assert gone(int(pids[0]))


def test_programs_play_at_the_terminal() -> None:
    assert parse_bots("greedy,exec:cat -u,exec@2:cat") == ("greedy", "exec:cat -u", "exec@2:cat")
    assert parse_bots("exec:cat '1,2',search:50, value") == ("exec:cat '1,2'", "search:50", "value")
    with pytest.raises(CommandError, match="its budget is a number of playouts"):
        parse_bots("search:many")
    with pytest.raises(CommandError, match="no program 'absent'"):
        parse_bots("exec:absent")
