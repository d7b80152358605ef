"""The key that signs seats: 32 bytes in the data folder, for its owner's eyes alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from hongzhong.ledger import StoreError

KEY_NAME: Final = "signing.key"
KEY_BYTES: Final = 32


def signing_key(data: Path) -> bytes:
    """The key of a data folder, made at the first call. Raises ``StoreError``."""
    return read_key(data) or put_key(data, secrets.token_bytes(KEY_BYTES))


def read_key(data: Path) -> bytes | None:
    """The key if there is one. Raises ``StoreError``."""
    path = data / KEY_NAME
    try:
        text = path.read_text(encoding="ascii")
        key = bytes.fromhex(text)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise StoreError(
            f"{path} holds no key of {KEY_BYTES} bytes in hex: put it back from a backup, or remove it (all seat links end then)"
        )
    return key


def put_key(data: Path, key: bytes) -> bytes:
    """Writes the key; one that another process wrote meanwhile wins. Raises ``StoreError``."""
    path, mine = data / KEY_NAME, data / f".{KEY_NAME}.{os.getpid()}"
    try:
        data.mkdir(parents=True, exist_ok=True)
        handle = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(key.hex())
                file.flush()
                os.fsync(file.fileno())
            os.link(mine, path)
        finally:
            mine.unlink()
    except FileExistsError:
        return read_key(data) or key
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
    return key
