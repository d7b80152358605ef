"""Hongzhong 红中: play, referee and study northern Chinese regional mahjong.

>>> import hongzhong as hz
>>> rules = hz.load_rules("qiqihar")
>>> hz.score_hand(rules, "1133557799m46m7z + 6m").points
9

Everything here is loaded when first used; the names in ``__all__`` are the public API (docs/api.md).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hongzhong.bots import make as make_bot
    from hongzhong.events import masked as masked
    from hongzhong.match import Match as Match
    from hongzhong.record import RecordError as RecordError
    from hongzhong.round import IllegalAction as IllegalAction
    from hongzhong.round import Prompt as Prompt
    from hongzhong.round import Round as Round
    from hongzhong.rules import RuleError as RuleError
    from hongzhong.rules import RuleSet as RuleSet
    from hongzhong.rules import load as load_rules
    from hongzhong.rules import names as rule_names
    from hongzhong.score import ScoreError as ScoreError
    from hongzhong.score import Verdict as Verdict
    from hongzhong.score.text import score_hand as score_hand
    from hongzhong.simulate import simulate as simulate_hands
    from hongzhong.verification import replay as replay
    from hongzhong.verification import verify as verify
    from hongzhong.view import View as View

_HOMES: Final = {
    "make_bot": ("bots", "make"),
    "masked": ("events", "masked"),
    "Match": ("match", "Match"),
    "RecordError": ("record", "RecordError"),
    "replay": ("verification", "replay"),
    "verify": ("verification", "verify"),
    "IllegalAction": ("round", "IllegalAction"),
    "Prompt": ("round", "Prompt"),
    "Round": ("round", "Round"),
    "RuleError": ("rules", "RuleError"),
    "RuleSet": ("rules", "RuleSet"),
    "load_rules": ("rules", "load"),
    "rule_names": ("rules", "names"),
    "ScoreError": ("score", "ScoreError"),
    "Verdict": ("score", "Verdict"),
    "simulate_hands": ("simulate", "simulate"),
    "score_hand": ("score.text", "score_hand"),
    "View": ("view", "View"),
}
__all__ = [
    "IllegalAction",
    "Match",
    "Prompt",
    "RecordError",
    "Round",
    "RuleError",
    "RuleSet",
    "ScoreError",
    "Verdict",
    "View",
    "load_rules",
    "make_bot",
    "masked",
    "replay",
    "rule_names",
    "score_hand",
    "simulate_hands",
    "verify",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hongzhong' has no attribute {name!r}; it has {', '.join(sorted(_HOMES))}")
    module, attribute = _HOMES[name]
    return getattr(import_module(f"hongzhong.{module}"), attribute)


def __dir__() -> list[str]:
    return [*_HOMES, "__version__"]
