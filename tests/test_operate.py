"""Running a server: limits, origin, health, figures, logs, pages, TLS, proxies, base path."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from websockets.asyncio.client import connect

from hongzhong.ledger import StoreError
from hongzhong.server import logs, operate, pages, web
from hongzhong.server.limits import MOST_ADDRESSES, Bucket, Buckets, network_of, same_origin
from hongzhong.server.metrics import Metrics
from hongzhong.server.options import Options
from hongzhong.server.records import MAX_RECORD
from tests.stores import room, run
from tests.whole_server import ANNA, Caller, listening, whole

# limits


def test_a_bucket_fills_up_again() -> None:
    bucket = Bucket(2.0, 3, 100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait() == pytest.approx(0.5)
    assert bucket.take(100.5) and not bucket.take(100.5)
    assert [bucket.take(200.0) for _ in range(4)] == [True, True, True, False]  # never above the burst
    assert not bucket.take(150.0)  # a clock that goes back gives nothing


def test_addresses_do_not_share(monkeypatch: pytest.MonkeyPatch) -> None:
    buckets = Buckets(1.0, 2)
    assert [buckets.take("a", 0.0) for _ in range(2)] == [0.0, 0.0]
    assert buckets.take("a", 0.0) > 0 and buckets.take("b", 0.0) == 0.0
    for number in range(MOST_ADDRESSES):
        buckets.take(f"other {number}", 0.0)
    assert len(buckets._buckets) == MOST_ADDRESSES


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("unix", "unix"),
        (None, ""),
    ],
)
def test_whom_an_address_belongs_to(host: str | None, network: str) -> None:
    assert network_of(host) == network


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        (None, "table.test", True),
        ("http://table.test", "table.test", True),
        ("https://table.test", "table.test", True),  # a proxy speaks https
        ("http://table.test:8765", "table.test:8765", True),
        ("http://TABLE.test:8765", "table.test:8765", True),
        ("http://table.test:8766", "table.test:8765", False),
        ("http://evil.test", "table.test", False),
        ("http://table.test.evil.test", "table.test", False),
        ("null", "table.test", False),
        ("file://", "table.test", False),
        ("http://[::1]:8765", "[::1]:8765", True),
        ("http://table.test:port", "table.test", False),
        ("https://play.example", "table.test", True),
        ("http://play.example", "table.test", False),
    ],
)
def test_origins(origin: str | None, host: str, allowed: bool) -> None:
    headers = Headers({"host": host} | ({"origin": origin} if origin is not None else {}))
    assert same_origin(headers, "http", ["https://play.example"]) == allowed


@pytest.mark.parametrize(
    ("origin", "right"),
    [
        ("https://play.example", ""),
        ("HTTPS://Play.Example/", ""),
        ("http://10.0.0.5:8080", ""),
        ("http://[::1]:8765", ""),
        ("play.example", "scheme and host, such as https://play.example"),
        ("ftp://play.example", "scheme and host"),
        ("https://", "scheme and host"),
        ("https://play.example:port", "scheme and host"),
        ("https://play example", "scheme and host"),
        ("*", "scheme and host"),
        ("", "scheme and host"),
        ("https://play.example/mahjong", "give https://play.example"),
        ("https://me:secret@play.example?x=1", "give https://play.example"),
        ("https://麻将.example:8443", "give https://xn--pet556m.example:8443"),
    ],
)
def test_an_origin_is_checked_at_the_start(origin: str, right: str) -> None:
    if not right:
        operate.check_origins(["https://fine.example", origin])
        headers = Headers({"host": "table.test", "origin": origin.removesuffix("/").lower()})
        assert same_origin(headers, "http", [origin])
        return
    with pytest.raises(operate.ListenError, match=re.escape(right)) as caught:
        operate.check_origins(["https://fine.example", origin])
    assert f"--origin {origin}:" in str(caught.value)


@pytest.mark.parametrize(
    ("proxy", "right"),
    [
        ("127.0.0.1", ""),
        ("::1", ""),
        ("10.0.0.0/8", ""),
        ("2001:db8::/32", ""),
        ("10.0.0.1/8", "give 10.0.0.0/8 for the network, or 10.0.0.1 for the one address"),
        ("10.0.0.256", "an address such as"),
        ("10.0.0.0/33", "an address such as"),
        ("localhost", "an address such as"),
        ("*", "an address such as"),
        ("", "an address such as"),
        ("10.0.0.1,10.0.0.2", "an address such as"),
    ],
)
def test_a_trusted_proxy_is_checked_at_the_start(proxy: str, right: str) -> None:
    if not right:
        assert operate.listening(host="::", port=0, trusted_proxies=[proxy])["forwarded_allow_ips"] == [proxy]
        return
    with pytest.raises(operate.ListenError, match=re.escape(right)) as caught:
        operate.listening(host="::", port=0, trusted_proxies=["127.0.0.1", proxy])
    assert f"--trusted-proxy {proxy}:" in str(caught.value)


NOWHERE = (
    ("GET", "/api/nothing", 404, ""),
    ("POST", "/api/nothing/at/all", 404, ""),
    ("DELETE", "/api/", 404, ""),
    ("GET", "/api/status/", 404, ""),
    ("GET", "/api/rooms/4F7KQ/socket", 404, ""),
    ("GET", "/api/quick", 405, "POST"),
    ("DELETE", "/api/rooms", 405, "GET, HEAD, POST"),
    ("PUT", "/api/status", 405, "GET, HEAD"),
    ("OPTIONS", "/api/records", 405, None),
    ("PURGE", "/api/status", 405, None),
)


@pytest.mark.parametrize("base", ["", "/mahjong"])
def test_addresses_of_the_api_that_are_none(tmp_path: Path, base: str) -> None:
    """An error of the API's own form, whatever the method; the page's addresses have theirs."""

    async def play() -> None:
        async with whole(tmp_path, base_path=base) as caller:
            for method, path, status, allow in NOWHERE:
                answer = await caller.request(method, base + path)
                assert answer.status_code == status, (method, path)
                assert answer.headers["content-type"] == "application/json"
                said = answer.json()
                assert said["code"] == ("not_found" if status == 404 else "method") and said["zh"] and said["en"]
                assert allow is None or answer.headers.get("allow", "") == allow
            assert (await caller.get(f"{base}/nothing.html")).headers["content-type"].startswith("text/plain")
            figures = caller.gate.metrics.text().decode()
            assert 'route="/api/{rest}"' in figures and "at/all" not in figures

    run(play())


def test_too_many_requests_of_one_address(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path) as caller:
            caller.gate.addresses = Buckets(0.001, 5)
            answers = [await caller.get("/api/house") for _ in range(7)]
            assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
            assert answers[-1].json()["code"] == "too_many" and int(answers[-1].headers["retry-after"]) > 0
            assert (await caller.get("/healthz")).status_code == 200  # only the API is counted
            async with Caller(caller.gate, caller.database, "10.9.9.9") as other:
                assert (await other.get("/api/house")).status_code == 200

    run(play())


def test_another_site_changes_nothing_here(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path, origins=("https://play.example",)) as caller:
            body = {"name": "ours", "rules": "qiqihar", "options": {}}
            for origin, status in (
                ("http://evil.test", 403),
                ("http://table.test", 201),
                ("https://play.example", 201),
            ):
                said = await caller.said("POST", "/api/house", status, json=body, headers=ANNA | {"origin": origin})
                assert status != 403 or said["code"] == "origin"

    run(play())


def test_bodies_are_limited_in_size_and_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def slow() -> Any:
        yield b"{"
        await asyncio.sleep(1)

    async def endless() -> Any:
        for _ in range(100):
            yield b" " * 1024

    async def play() -> None:
        async with whole(tmp_path) as caller:
            large = await caller.said("POST", "/api/house", 413, content=b"{" + b" " * 20_000, headers=ANNA)
            assert large["code"] == "too_large"
            assert (await caller.said("POST", "/api/house", 413, content=endless(), headers=ANNA))[
                "code"
            ] == "too_large"
            monkeypatch.setattr("hongzhong.server.web.BODY_SECONDS", 0.05)
            assert (await caller.said("POST", "/api/house", 422, content=slow(), headers=ANNA))["code"] == "not_json"

    run(play())


# health and figures


def test_health(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with whole(tmp_path) as caller:
            assert await caller.said("GET", "/healthz") == {"status": "ok", "ready": True, "problem": ""}

            async def failing(*_: object) -> None:
                raise StoreError("cannot read the database: the disk is gone")

            with monkeypatch.context() as patched:
                patched.setattr(caller.database, "rows", failing)
                said = await caller.said("GET", "/healthz", 503)
                assert said["status"] == "failing" and "the disk is gone" in said["problem"]
                assert (await caller.said("GET", "/api/house", 503, headers=ANNA))["code"] == "storage"
            caller.database._problem, caller.database._failed = "cannot write: the disk is full", time.monotonic()
            assert "the disk is full" in (await caller.said("GET", "/healthz", 503))["problem"]
            caller.database._failed -= 60  # somebody must try again some time
            assert (await caller.said("GET", "/healthz"))["status"] == "ok"
            caller.gate.app.state.server.closing = True
            assert (await caller.said("GET", "/healthz", 503))["status"] == "draining"
            caller.gate.app.state.server.closing = False

    run(play())


def test_figures(tmp_path: Path) -> None:
    async def play() -> str:
        async with whole(tmp_path) as caller:
            await caller.said("GET", "/api/records/geheim1234567890", 404, headers=ANNA)
            await caller.get("/no/such/page")
            await caller.database.write(room("1"), room("2"))
            answer = await caller.get("/metrics")
            assert answer.headers["content-type"].startswith("text/plain")
            return answer.text

    text = run(play())
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert lines['hongzhong_http_requests_total{method="GET",route="/api/records/{id}",status="404"}'] == "1.0"
    assert lines['hongzhong_rooms{state="playing"}'] == "0.0"
    assert lines["hongzhong_store_commits_total"] == lines["hongzhong_store_writes_total"] == "1.0"
    assert lines["hongzhong_ready"] == "1.0" and 'hongzhong_build_info{version="0.1.0"}' in lines
    assert "geheim" not in text and "10.1.2.3" not in text


def test_every_figure_is_documented(tmp_path: Path) -> None:
    async def play() -> str:
        async with whole(tmp_path) as caller:
            return (await caller.get("/metrics")).text

    shown = {line.split()[2] for line in run(play()).splitlines() if line.startswith("# TYPE hongzhong_")}
    shown = {name for name in shown if not name.endswith("_created")}
    page = (Path(__file__).parent.parent / "docs" / "operate.md").read_text(encoding="utf-8")
    assert shown == set(re.findall(r"`(hongzhong_\w+)(?:\{[\w,]+\})?`", page))


def test_the_limits_in_force_are_documented(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "operate.md").read_text(encoding="utf-8")
    given = Options(data=tmp_path)
    for told in (
        f"{operate.REQUESTS_PER_SECOND:.0f} a second, {operate.REQUEST_BURST:.0f} at once",
        f"{given.rooms_per_minute} a minute",
        f"{given.messages_per_second:.0f} a second, {given.message_burst} at once, {given.max_message // 1024} kB each",
        f"closed after {given.idle_seconds:.0f} s",
        f"{web.MAX_BODY // 1024} kB, records {MAX_RECORD >> 20} MB, within {web.BODY_SECONDS:.0f} s",
        f"{given.max_rooms}; freed",
    ):
        assert told in page


def test_two_servers_count_apart() -> None:
    first, second = Metrics(), Metrics()
    first.refused.labels("origin").inc()
    assert b'hongzhong_refused_total{code="origin"} 1.0' in first.text() and b"origin" not in second.text()


def test_the_lag_of_the_loop_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hongzhong.server.metrics.LAG_SECONDS", 0.01)
    metrics = Metrics()

    async def play() -> None:
        task = asyncio.create_task(metrics.watch_lag())
        await asyncio.sleep(0.015)
        time.sleep(0.06)  # something holds the loop
        await asyncio.sleep(0.03)
        task.cancel()

    run(play())
    counts = [
        line for line in metrics.text().decode().splitlines() if line.startswith("hongzhong_loop_lag_seconds_bucket")
    ]
    short, all_of_them = (
        float(next(line for line in counts if f'le="{le}"' in line).split()[-1]) for le in ("0.025", "+Inf")
    )
    assert all_of_them > short > 0


def test_messages_and_answers_are_counted(tmp_path: Path) -> None:
    async def play() -> str:
        async with whole(tmp_path, bot_ms=0, hold_ms=0) as caller, listening(caller) as place:
            seat = await caller.said("POST", "/api/quick", json={"rules": "qiqihar", "nickname": "Bo"})
            async with connect(f"{place}/api/rooms/{seat['code']}/socket") as one:

                async def said() -> Any:
                    return json.loads(await one.recv())

                await one.send("nonsense")
                assert (await said())["type"] == "error"
                await one.send(json.dumps({"type": "hello", "protocol": 1, "token": seat["token"]}))
                prompt = None
                while prompt is None:
                    prompt = (await said()).get("prompt")
                action = prompt["actions"][0]["action"]
                await one.send(json.dumps({"type": "answer", "prompt": prompt["id"], "action": action}))
                while (await said())["type"] != "update":
                    pass
                return (await caller.get("/metrics")).text

    text = run(play())
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert lines['hongzhong_messages_total{kind="hello"}'] == lines['hongzhong_messages_total{kind="answer"}'] == "1.0"
    assert lines['hongzhong_refused_total{code="not_json"}'] == lines['hongzhong_connected{role="players"}'] == "1.0"
    assert float(lines["hongzhong_action_seconds_count"]) == 1 and float(lines["hongzhong_action_seconds_sum"]) < 1


def test_the_engine_is_no_garbage_to_look_through(tmp_path: Path) -> None:
    """A full collection must not hold up the tables: what was there when the engine was ready is left out of it."""

    async def play() -> None:
        async with whole(tmp_path):
            while not gc.get_freeze_count():
                await asyncio.sleep(0.01)

    run(play())
    assert gc.get_freeze_count() > 100_000


# orders


def test_a_room_is_ended_by_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hongzhong.server.whole.ORDER_SECONDS", 0.05)

    async def play() -> None:
        from hongzhong.server.store import OrderEnd

        async with whole(tmp_path) as caller:
            body = {"rules": "qiqihar", "nickname": "阿红"}
            code = (await caller.said("POST", "/api/rooms", json=body))["code"]
            await caller.said("GET", f"/api/rooms/{code}")
            await caller.database.write(OrderEnd(code=code))
            for _ in range(100):
                await asyncio.sleep(0.02)
                if not await caller.database.rooms():
                    break
            assert (await caller.said("GET", f"/api/rooms/{code}", 404))["code"] == "no_room"

    run(play())


# logs


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged meanwhile."""
    root, stream = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    logs.configure(stream=stream, as_json=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # the caller's, not the server's
    yield stream
    root.handlers[:] = before
    root.setLevel(level)


def test_logs_are_json_without_secrets(log: io.StringIO) -> None:
    from hongzhong.server.seats import Seals

    secret, token = "ab" * 32, Seals(b"k" * 32).token("4F7KQ", "holder-of-it")
    one = logging.getLogger("hongzhong.test")
    one.info("match %s has the secret %s", "m1", secret)
    one.info("commitment sha256:%s", secret)
    one.warning("seat %s", token, extra={"token": "x", "room": "4F7KQ", "more": {"secret": "y", "points": 3}})
    one.error("cannot open postgresql+asyncpg://me:geheim@host/name")
    one.error("deal 123m456s77z does not follow", extra={"wall": "1m"})
    try:
        raise ValueError(f"wrong {secret}")
    except ValueError:
        one.exception("a fault")
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["level"] for line in lines] == ["info", "info", "warning", "error", "error", "error"]
    assert lines[0]["event"] == "match m1 has the secret [hidden]" and lines[0]["logger"] == "hongzhong.test"
    assert secret in lines[1]["event"]  # a commitment is public
    assert lines[2]["room"] == "4F7KQ" and lines[2]["more"] == {"secret": "[hidden]", "points": 3}
    assert "Traceback" in lines[5]["exception"]
    text = log.getvalue().replace(f"sha256:{secret}", "")
    assert all(hidden not in text for hidden in (secret, token, "geheim", "123m", "1m"))


def test_requests_are_logged_without_ids_and_addresses_of_pages(tmp_path: Path, log: io.StringIO) -> None:
    async def play() -> None:
        async with whole(tmp_path) as caller:
            await caller.said("GET", "/api/records/geheim1234567890/file?key=geheim", 404, headers=ANNA)
            await caller.get("/assets/index.js")

    run(play())
    (line,) = [json.loads(line) for line in log.getvalue().splitlines() if '"request"' in line]
    assert (line["method"], line["route"], line["status"]) == ("GET", "/api/records/{id}/file", 404)
    assert "geheim" not in log.getvalue() and ANNA["x-browser"] not in log.getvalue()


def test_logs_at_a_terminal_are_for_people() -> None:
    root, stream = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    try:
        logs.configure(stream=stream, as_json=False)
        logging.getLogger("hongzhong.test").info("ready")
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    assert "ready" in stream.getvalue() and "{" not in stream.getvalue()


# pages


def built(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>红中</title>", encoding="utf-8")
    (folder / "assets" / "index-abc.js").write_text("let x = 1;" * 500)
    (folder / ".stamp").write_text("secret")
    (folder / "notes.py").write_text("x = 1")
    (folder.parent / "outside.txt").write_text("outside")
    return folder


def asked(static: Path, path: str, **headers: str) -> httpx.Response:
    from starlette.applications import Starlette

    async def ask() -> httpx.Response:
        app = Starlette(routes=pages.routes(static))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://table.test:8765") as client:
            return await client.get(path, headers=headers)

    return run(ask())


def test_pages_and_files_of_the_build(tmp_path: Path) -> None:
    static = built(tmp_path / "static")
    page = asked(static, "/")
    assert page.status_code == 200 and "红中" in page.text and page.headers["cache-control"] == "no-cache"
    policy = page.headers["content-security-policy"]
    assert "default-src 'self'" in policy and "ws://table.test:8765" in policy and "frame-ancestors 'none'" in policy
    script = asked(static, "/assets/index-abc.js")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert script.headers["content-encoding"] == "gzip" and script.text == "let x = 1;" * 500
    assert "content-encoding" not in asked(static, "/assets/index-abc.js", **{"accept-encoding": "identity"}).headers
    again = asked(static, "/assets/index-abc.js", **{"if-none-match": script.headers["etag"]})
    assert again.status_code == 304 and not again.content
    (static / "index.html").write_text("<!doctype html>new")
    assert "new" in asked(static, "/").text


@pytest.mark.parametrize(
    "path",
    ["/.stamp", "/notes.py", "/../outside.txt", "/%2e%2e/outside.txt", "/assets", "/none.js", "/BUILD_FAILED.txt"],
)
def test_nothing_else_is_served(tmp_path: Path, path: str) -> None:
    static = built(tmp_path / "static")
    (static / "BUILD_FAILED.txt").write_text("why")
    assert asked(static, path).status_code == 404


def test_a_host_header_cannot_change_the_policy() -> None:
    assert "evil" not in pages.policy("x; script-src evil") and "ws://" not in pages.policy("x; script-src evil")


def test_a_page_that_was_not_built_says_why(tmp_path: Path) -> None:
    static = tmp_path / "static"
    page = asked(static, "/")
    assert page.status_code == 503 and "页面尚未构建" in page.text and "uv run hongzhong play" in page.text
    assert pages.build_problem(static) == "the page was not built: see 'Start' in README.md"
    static.mkdir()
    (static / "BUILD_FAILED.txt").write_text("npm ci: <no network>\nmore")
    page = asked(static, "/")
    assert page.status_code == 503 and "npm ci: &lt;no network&gt;" in page.text
    assert "npm ci: <no network>" in str(pages.build_problem(static))
    (static / "index.html").write_text("old")
    assert asked(static, "/").text == "old" and "stale" in str(pages.build_problem(static))


def test_headers_of_every_answer(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path) as caller:
            for path in ("/", "/api/status", "/healthz", "/none"):
                headers = (await caller.get(path)).headers
                assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"

    run(play())


def test_base_path(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path, base_path="/mahjong") as caller:
            answer = await caller.get("/mahjong")
            assert answer.status_code == 307 and answer.headers["location"] == "/mahjong/"
            for path in (
                "/mahjong/api/status",
                "/api/status",
                "/mahjong/healthz",
                "/healthz",
            ):  # a proxy may take it off
                assert (await caller.get(path)).status_code == 200, path
            assert (await caller.get("/mahjongg/api/status")).status_code == 404
            text = (await caller.get("/metrics")).text
            assert 'route="/api/status",status="200"} 2.0' in text

    run(play())


# before and after


def test_while_the_engine_compiles_a_page_is_told_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path) as caller:
            server = caller.gate.app.state.server
            lobby, server.lobby = server.lobby, None
            for method, path in (
                ("POST", "/api/score"),
                ("POST", "/api/verify"),
                ("POST", "/api/rooms"),
                ("POST", "/api/explain"),
            ):
                assert (await caller.said(method, path, 503, json={}))["code"] == "warming"
            assert (await caller.said("GET", "/healthz"))["ready"] is False
            assert (await caller.get("/api/house")).status_code == 200  # needs no engine
            server.lobby = lobby

    run(play())


def test_a_fault_of_ours_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError("secret details")

    async def play() -> None:
        async with whole(tmp_path) as caller:
            monkeypatch.setattr("hongzhong.server.store.library.house_rules_of", broken)
            quiet = httpx.ASGITransport(caller.gate, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=quiet, base_url="http://table.test") as client:
                answer = await client.get("/api/house", headers=ANNA)
            assert answer.status_code == 500 and answer.json()["code"] == "fault" and "secret" not in answer.text

    run(play())
