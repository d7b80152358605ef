"""The arena's table and plot in words."""

from __future__ import annotations

import re
from typing import Final

WORDS: Final[dict[str, tuple[str, str]]] = {
    # id: (English, Chinese)
    "title": ("{rules}: {deals} deals, {hands} hands, seed {seed}", "{rules}：{deals} 副牌，{hands} 局，种子 {seed}"),
    "columns": (
        "bot|hands|points|95 % interval|won %|gave %|mean ms|99 % ms|failed",
        "机器人|人次|每局得分|95 % 区间|和牌 %|点炮 %|平均毫秒|99 % 毫秒|出局",
    ),
    "difference": (
        "{one} − {other}: {points:+.3f} points a hand, {interval}: {verdict}",
        "{one} − {other}：每局 {points:+.3f} 分，{interval}：{verdict}",
    ),
    "between": ("{level} % interval {low:+.3f} to {high:+.3f}", "{level} % 区间 {low:+.3f} 至 {high:+.3f}"),
    "no interval": ("no interval from so few deals", "副数太少，不给区间"),
    "better": ("{bot} is better", "{bot} 更强"),
    "open": ("not clear", "未分高下"),
    "anytime": (
        "intervals hold at every number of deals at once, so stopping early does not bias them (docs/arena.md)",
        "区间在任何副数同时成立，提前停止不影响其可信度（见 docs/arena.md）",
    ),
    "fixed": ("intervals are for a number of deals fixed beforehand", "区间按事先定好的副数计算"),
    "clear": ("stopped: the answer is clear", "已停止：结果明确"),
    "interrupted": ("interrupted: {deals} of {wanted} deals were finished", "已中断：共 {wanted} 副，完成 {deals} 副"),
    "failures": ("stopped: a program failed too often", "已停止：程序出错过多"),
    "failure": (
        "deal {deal}: {bot} on seat {seat}: {kind} {where}: {text}; greedy played on",
        "第 {deal} 副：{seat} 号 {bot}：{kind}（{where}）：{text}；由 greedy 接着打",
    ),
    "at prompt": ("at prompt {prompt}", "第 {prompt} 问"),
    "at start": ("at the start", "开始时"),
    "missing": ("missing", "无法运行"),
    "crash": ("crash", "崩溃"),
    "stall": ("stall", "超时"),
    "nonsense": ("nonsense", "回答有误"),
    "more": ("and {n} more such hands", "另有 {n} 局如此"),
    "kept": ("deals: {path}", "各副结果：{path}"),
    "plotted": ("plot: {path}", "图：{path}"),
    "working": ("playing", "对局中"),
    "axis": ("deals", "副数"),
    "points": ("points a hand", "每局得分"),
}


_LAST: Final = r"(?:; its last words: (?P<last>.*))?"
_FAULTS: Final = (
    (r"cannot be run: (?P<why>.*)", "无法运行：{why}"),
    (r"programs as bots need a POSIX system", "程序机器人需要 POSIX 系统"),
    (r"no line within (?P<n>\S+) s" + _LAST, "{n} 秒内没有回答{last}"),
    (r"it closed its output" + _LAST, "关闭了输出{last}"),
    (r"it ended with exit code (?P<n>\d+)" + _LAST, "已退出，退出码 {n}{last}"),
    (r"it was ended by signal (?P<n>\d+)" + _LAST, "被信号 {n} 终止{last}"),
    (r"a line longer than (?P<n>\d+) bytes: (?P<line>.*)", "一行超过 {n} 字节：{line}"),
    (r"an answer before any prompt; .*", "还没有提问就回答；start 之后应答 {{'type':'ready'}}"),
    (r"'ready' where an answer was awaited", "应当回答，却又说 ready"),
    (r"an answer to prompt (?P<n>-?\d+)", "回答的是第 {n} 问"),
    (r"action (?P<n>\d+) \((?P<name>.*)\) is not legal here; legal are (?P<legal>.*)",
     "动作 {n}（{name}）在此不合法，合法的是 {legal}"),
    (r"no action (?P<n>-?\d+): .*; legal are (?P<legal>.*)", "没有动作 {n}，合法的是 {legal}"),
    (r"'(?P<line>.*)': (?P<why>.*)", "看不懂“{line}”（{why}）"),
)  # fmt: skip
"""What a program did wrong, as the verdict has it, and in Chinese."""


def fault(lang: str, text: str) -> str:
    """The text of a verdict in ``zh`` or ``en``; a program's own words stay as they are."""
    for pattern, zh in _FAULTS if lang == "zh" else ():
        found = re.fullmatch(pattern, text)
        if found is not None:
            words = found.groupdict()
            if "last" in words:
                words["last"] = f"；最后一行：{words['last']}" if words["last"] else ""
            return zh.format(**words)
    return text


def say(lang: str, word: str, **values: object) -> str:
    """A phrase in ``zh`` or ``en``."""
    return WORDS[word][lang == "zh"].format(**values)
