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
    from hongzhong.analysis import Analysis as Analysis
    from hongzhong.analysis import AnalysisError as AnalysisError
    from hongzhong.analysis import Analyst as Analyst
    from hongzhong.analysis.batch import batch_discards as batch_discards
    from hongzhong.analysis.batch import batch_distance as batch_distance
    from hongzhong.analysis.batch import batch_useful as batch_useful
    from hongzhong.analysis.batch import batch_waits as batch_waits
    from hongzhong.analysis.explain import Explanation as Explanation
    from hongzhong.analysis.text import analyse_hand as analyse_hand
    from hongzhong.analysis.text import explain_hand as explain_hand
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
    "Analysis": ("analysis", "Analysis"),
    "AnalysisError": ("analysis", "AnalysisError"),
    "Analyst": ("analysis", "Analyst"),
    "analyse_hand": ("analysis.text", "analyse_hand"),
    "batch_discards": ("analysis.batch", "batch_discards"),
    "batch_distance": ("analysis.batch", "batch_distance"),
    "batch_useful": ("analysis.batch", "batch_useful"),
    "batch_waits": ("analysis.batch", "batch_waits"),
    "Explanation": ("analysis.explain", "Explanation"),
    "explain_hand": ("analysis.text", "explain_hand"),
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
    "Analysis",
    "AnalysisError",
    "Analyst",
    "Explanation",
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
    "analyse_hand",
    "batch_discards",
    "batch_distance",
    "batch_useful",
    "batch_waits",
    "explain_hand",
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
