"""Who somebody is without an account: signed seats, nicknames, room codes, passwords."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import unicodedata
from pathlib import Path
from typing import Final

from itsdangerous import BadSignature, URLSafeSerializer

KEY_FILE: Final = "seat.key"
KEY_BYTES: Final = 32
CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Without those that are mistaken for one another."""
CODE_LENGTH: Final = 5
MAX_NAME: Final = 16
MAX_ROOM_NAME: Final = 24
MAX_PASSWORD: Final = 64
_SCRYPT: Final = {"n": 1 << 12, "r": 8, "p": 1}


class BadName(ValueError):  # noqa: N818 - the name says what happened
    """A name that others should not be shown: ``why`` is the id of what is wrong with it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class KeyFault(OSError):  # noqa: N818 - the name says what happened
    """The signing key cannot be read or made: one line that says where and why."""


def signing_key(data: Path) -> bytes:
    """The key in the data folder, made on first use; only its owner may read it. Raises ``KeyFault``."""
    path = data / KEY_FILE
    try:
        data.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            draft = data / f"{KEY_FILE}.{os.getpid()}"
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                os.write(handle, secrets.token_bytes(KEY_BYTES))
                os.fsync(handle)
            finally:
                os.close(handle)
            try:
                os.link(draft, path)  # of two servers that start at once, one wins
            except FileExistsError:
                pass
            except OSError:  # no such links on this disk
                os.replace(draft, path)
            draft.unlink(missing_ok=True)
        key = path.read_bytes()
    except OSError as error:
        raise KeyFault(f"cannot keep the key of the seats in {path}: {error.strerror or error}") from error
    if len(key) != KEY_BYTES:
        raise KeyFault(
            f"{path} is damaged: it has {len(key)} bytes, a key has {KEY_BYTES}; remove it to make a new one"
        )
    return key


class Seals:
    """Signs seats: a token says which room and which holder, and nobody can make one up."""

    def __init__(self, key: bytes) -> None:
        self._serializer = URLSafeSerializer(
            key, salt="hongzhong seat 1", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def token(self, code: str, holder: str) -> str:
        text = self._serializer.dumps([code, holder])
        return text if isinstance(text, str) else text.decode()

    def read(self, token: str) -> tuple[str, str] | None:
        """``(room, holder)``, None for what was not signed here."""
        try:
            code, holder = self._serializer.loads(token)
        except (BadSignature, ValueError, TypeError):
            return None
        return (code, holder) if isinstance(code, str) and isinstance(holder, str) else None


def new_holder() -> str:
    """Who sits somewhere; another one after each change of hands, so that old tokens are void."""
    return secrets.token_urlsafe(9)


def new_code(taken: object) -> str:
    """A room code that is not among ``taken``."""
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if code not in taken:  # type: ignore[operator]
            return code


def clean_name(text: str, most: int = MAX_NAME) -> str:
    """The name as others see it: composed, spaces single. Raises ``BadName``: ``empty``, ``too_long``, ``characters``."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if any(not _shown(character) for character in name):
        raise BadName("characters")
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise BadName("empty")
    if len(name) > most or len(name.encode()) > 4 * most:
        raise BadName("too_long")
    return name


def _shown(character: str) -> bool:
    """Controls, formats (the bidirectional ones and joiners among them), private and unassigned ones are not; marks only in reason."""
    category = unicodedata.category(character)
    return category not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me") and character not in _BLANK


_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and symbols that show nothing."""


def sealed_password(password: str) -> str:
    """A salted hash of a room's password, empty for none."""
    if not password:
        return ""
    salt = secrets.token_bytes(12)
    return f"{salt.hex()}:{_hash(password, salt)}"


def opens(sealed: str, password: str) -> bool:
    """Whether the password is the room's."""
    if not sealed:
        return True
    salt, _, wanted = sealed.partition(":")
    return hmac.compare_digest(_hash(password, bytes.fromhex(salt)), wanted)


def _hash(password: str, salt: bytes) -> str:
    return hashlib.scrypt(password.encode(), salt=salt, dklen=24, **_SCRYPT).hex()
