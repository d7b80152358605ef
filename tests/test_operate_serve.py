"""``hongzhong serve`` as a process: TLS, proxies, a clean stop, mistakes in one line, the files for deployment."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from hongzhong.server import operate
from hongzhong.server.store import Database, database_url, library
from tests.stores import run


def certificate(folder: Path, name: str = "one") -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is missing, which makes the test's certificate")
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    words = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {cert}"
    subprocess.run(words.split(), check=True, capture_output=True)
    return cert, key


def test_tls_files_are_checked(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    operate.check_tls(cert, key)
    _, other = certificate(tmp_path, "other")
    text = tmp_path / "text.pem"
    text.write_text("no certificate")
    for wrong, told in (
        ((None, key), "--tls-key needs --tls-cert"),
        ((tmp_path / "none.pem", key), "No such file"),
        ((cert, other), "do not serve"),
        ((text, key), "do not serve"),
        ((cert, None), "do not serve"),
    ):
        with pytest.raises(operate.ListenError, match=told) as caught:
            operate.check_tls(*wrong)
        assert "\n" not in str(caught.value)


class Running:
    """``hongzhong serve`` as a process."""

    def __init__(self, data: Path, *words: str, scheme: str = "http") -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [sys.executable, "-m", "hongzhong", "serve", "--no-browser", "--host", "127.0.0.1"]
        command += ["--port", str(self.port), "--data", str(data), *words]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.base = f"{scheme}://127.0.0.1:{self.port}"
        self.context = ssl._create_unverified_context() if scheme == "https" else None

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        request = urllib.request.Request(self.base + path, headers=headers)
        with urllib.request.urlopen(request, timeout=10, context=self.context) as answer:
            return answer.status, answer.read().decode()

    def wait(self) -> None:
        for _ in range(600):
            assert self.process.poll() is None, self.process.communicate()
            try:
                if json.loads(self.get("/healthz")[1])["ready"]:
                    return
            except OSError:
                pass
            time.sleep(0.1)
        raise AssertionError("not ready in time")

    def stop(self) -> tuple[int, str]:
        self.process.send_signal(signal.SIGTERM)
        _, err = self.process.communicate(timeout=30)
        return self.process.returncode, err


@pytest.mark.slow
def test_served_over_tls_behind_a_proxy_and_stopped_cleanly(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    words = ("--tls-cert", str(cert), "--tls-key", str(key), "--trusted-proxy", "127.0.0.1")
    server = Running(tmp_path / "data", *words, scheme="https")
    try:
        server.wait()
        assert server.get("/api/status", **{"x-forwarded-for": "203.0.113.7"})[0] == 200
    finally:
        code, err = server.stop()
    assert code == 0, err
    assert "Traceback" not in err and f"https://127.0.0.1:{server.port}/" in err
    logged = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert [line["address"] for line in logged if line.get("route") == "/api/status"] == ["203.0.113.7"]


@pytest.mark.slow
def test_forwarded_addresses_of_strangers_are_not_believed(tmp_path: Path) -> None:
    server = Running(tmp_path / "data")
    try:
        server.wait()
        server.get("/api/status", **{"x-forwarded-for": "203.0.113.7"})
    finally:
        code, err = server.stop()
    assert code == 0 and "203.0.113.7" not in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--database", "mysql://x/y"], "unknown kind of address"),
        (["--tls-cert", "/no/such.pem"], "No such file"),
        (["--data", "DATA"], "is no SQLite database"),
        (["--base-path", "mahjong/"], "it begins with a slash"),
        *(
            (["--base-path", path], "such as /mahjong")
            for path in ("/x?y#z", "/a b/../c", "/a/..", "/a//b", "/", "/%2e", "/麻将", "/a\n")
        ),
        (["--data", ""], "--data is empty: give a folder"),
        (["--database", ""], "--database is empty: give an address"),
        (["--host", ""], "--host is empty: give an address"),
        (["--trusted-proxy", "10.0.0.1/8"], "give 10.0.0.0/8 for the network"),
        (["--origin", "play.example"], "such as https://play.example"),
        (["--port", "TAKEN"], "; give another --port"),
        (["--host", "203.0.113.7"], "cannot listen at 203.0.113.7 port 0: Cannot assign requested address"),
        (["--database", "postgresql://nobody@127.0.0.1:1/none"], "cannot open the database"),
    ],
)
def test_a_server_that_cannot_start_says_why_in_one_line(tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "hongzhong.sqlite3").write_text("this is no database at all")
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        names = {"DATA": str(tmp_path), "TAKEN": str(taken.getsockname()[1])}
        ran = _tried(tmp_path, [names.get(word, word) for word in words])
    assert ran.returncode == 2 and told in ran.stderr and "Traceback" not in ran.stderr
    (line,) = ran.stderr.splitlines()  # and no link that nobody could open
    assert line.startswith("hongzhong: ") and not ran.stdout


def _tried(tmp_path: Path, given: list[str]) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "hongzhong",
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--data",
        str(tmp_path / "new"),
        *given,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.slow
def test_a_stopped_server_has_written_everything(tmp_path: Path) -> None:
    server = Running(tmp_path)
    try:
        server.wait()
        request = urllib.request.Request(
            server.base + "/api/quick", b'{"rules":"qiqihar","nickname":"Bo"}', {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            seat = json.load(answer)
        with connect(f"{server.base.replace('http', 'ws')}/api/rooms/{seat['code']}/socket") as one:
            one.send(json.dumps({"type": "hello", "protocol": 1, "token": seat["token"]}))
            prompt = None
            while prompt is None:
                prompt = json.loads(one.recv()).get("prompt")
            one.send(json.dumps({"type": "answer", "prompt": prompt["id"], "action": prompt["actions"][0]["action"]}))
            while json.loads(one.recv()).get("prompt") is not None:
                pass
            code, err = server.stop()
            with pytest.raises(ConnectionClosed):
                while True:
                    one.recv()
            assert one.close_code == 1012  # the page comes back by itself
    finally:
        server.process.kill()
        server.process.wait()
    assert code == 0, err
    assert not (tmp_path / "hongzhong.sqlite3-wal").exists()  # the database was closed

    async def look() -> None:
        async with await Database.open(database_url(tmp_path), claim=True) as database:
            (going,) = await library.going(database)
            assert going.code == seat["code"] and going.answers and going.answers > 0

    run(look())


# deployment


def test_the_files_for_deployment_call_the_command_rightly() -> None:
    from hongzhong.cli import main

    deploy = Path(__file__).parent.parent / "deploy"
    unit = re.search(r"^ExecStart=\S+/hongzhong (.*)$", (deploy / "hongzhong.service").read_text(), re.MULTILINE)
    container = re.search(r"^CMD (\[.*\])$", (deploy / "Containerfile").read_text(), re.MULTILINE)
    proxy = re.search(r"server runs with: (.*)$", (deploy / "nginx.conf").read_text(), re.MULTILINE)
    assert unit and container and proxy
    for words in (unit[1].split(), json.loads(container[1])[1:], ["serve", *proxy[1].split()]):
        command = main.get_command(None, words[0])  # type: ignore[arg-type]
        assert command is not None
        command.make_context("serve", words[1:])
