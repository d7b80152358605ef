"""The command line. Each command lives in a module of its own that is imported when it is called."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from typing import Any, Final

import click

_COMMANDS: Final = {
    "serve": "the table in the browser, for you and your friends",
    "play": "play a match in the terminal against bots",
    "score": "what a hand is worth, or why it does not win",
    "analyse": "how far a hand is, what it waits for, what to discard, and why",
    "rules": "rule sets, options and prices",
    "simulate": "play many hands between bots",
    "arena": "bots against each other on duplicate deals",
    "replay": "step through a record",
    "verify": "check a record line by line",
    "rooms": "list or end the rooms of a server",
    "backup": "write all that a server keeps into a file",
    "restore": "put a backup in the place of the database",
    "prune": "remove old records, or one record",
    "warm": "compile the kernels now",
}
EXIT_ERROR: Final = 2


class CommandError(click.ClickException):
    """One line for the user on stderr, exit code 2."""

    exit_code = EXIT_ERROR

    def show(self, file: object = None) -> None:
        print(f"hongzhong: {self.format_message()}", file=sys.stderr)


@contextmanager
def _one_line() -> Iterator[None]:
    """A mistake in the arguments is told like every other error."""
    try:
        yield
    except click.exceptions.NoArgsIsHelpError as error:
        assert error.ctx is not None
        raise CommandError(f"say which command; see: {error.ctx.command_path} --help") from error
    except click.UsageError as error:
        asked = f"; see: {error.ctx.command_path} --help" if error.ctx is not None else ""
        raise CommandError(error.format_message().rstrip(".").replace("\n", " ") + asked) from error


@contextmanager
def _written() -> Iterator[None]:
    """Output that cannot be written is told, unless its reader has had enough and left."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None:
            raise
        raise CommandError(f"cannot write: {error.strerror or error}") from error


class _Lazy(click.Group):
    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _one_line():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that knows no Chinese is no reason to fail
        with _one_line(), _written():
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
            return result

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"hongzhong.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Lazy, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(metadata.version("hongzhong"), prog_name="hongzhong")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Hongzhong 红中: play, referee and study northern Chinese regional mahjong.

    Without a command it starts the table in the browser, as 'hongzhong serve' does.
    """
    if ctx.invoked_subcommand is None:
        command = _Lazy.get_command(ctx.command, ctx, "serve")  # type: ignore[arg-type]
        assert command is not None
        ctx.invoke(command)
