"""Words of ``hongzhong analyse``, of explanations and of the hint at the table, in both languages."""

from __future__ import annotations

from typing import Any, Final

_WORDS: Final[dict[str, tuple[str, str]]] = {
    "won": ("Distance  won", "向听  已胡"),
    "ready": ("Distance  0: ready", "向听  0：听牌"),
    "far": ("Distance  {distance}: ready after {distance} more tile(s)", "向听  {distance}：再换{distance}张听牌"),
    "out_of_reach": (
        "Distance  no win is within reach with these melds",
        "向听  亮出的牌已使此手无法胡",
    ),
    "waits": ("Waits for", "听"),
    "wait": ("{tile}  {unseen} left   {points}   {patterns}", "{tile}  余{unseen}张   {points}   {patterns}"),
    "wait_points": ("drawn {draw}, discarded {discard}", "自摸{draw}分，点炮{discard}分"),
    "wait_same": ("{draw} point(s)", "{draw}分"),
    "wait_no_discard": ("drawn {draw}, discarded no win", "自摸{draw}分，不可点炮"),
    "useful": ("Useful    {tiles}   {copies} left", "进张  {tiles}   余{copies}张"),
    "useful_tile": ("{tile} ({unseen})", "{tile}({unseen})"),
    "no_useful": ("Useful    nothing", "进张  无"),
    "discards": ("Discards, fastest first", "打哪张（由快到慢）"),
    "discard": ("{tile}  distance {distance}   {copies} left   {points}", "{tile}  向听{distance}   余{copies}张   {points}"),
    "discard_far": ("{tile}  no win within reach", "{tile}  无法再胡"),
    "best_points": ("up to {points} point(s)", "最多{points}分"),
    "why": ("Why", "说明"),
    "wins": ("It wins, {way}: {points} point(s), read as {reading}", "能胡（{way}）：{points}分，牌型 {reading}"),
    "row": ("{name}: {price} ({ruling})", "{name}：{price}（{ruling}）"),
    "condition_met": ("met: {text} ({ruling})", "符合：{text}（{ruling}）"),
    "condition_exempt": ("not asked here: {text}, as the hand shows {names} ({ruling})", "不要求：{text}，因为是{names}（{ruling}）"),
    "fails": ("It does not win: {why} ({ruling})", "不能胡：{why}（{ruling}）"),
    "missing": ("Missing {count} tile(s)", "还差{count}张"),
    "waits_for": ("It is ready and waits for {tiles}", "已听牌：{tiles}"),
    "waits_without": ("Without the last tile it waits for {tiles}", "不算最后一张，听 {tiles}"),
    "brings_nearer": ("Nearer with {tiles}", "进张：{tiles}"),
    "barred_kind": ("{tiles} would complete a shape, but: {why} ({ruling})", "{tiles} 可成牌型，但{why}（{ruling}）"),
    "otherwise": ("With {name} = {value} ({ruling}): {answer}", "若{name}为“{value}”（{ruling}）：{answer}"),
    "other_wins": ("it wins, {points} point(s), {patterns}", "能胡，{points}分，{patterns}"),
    "other_fails": ("it does not win: {why}", "不能胡：{why}"),
    "other_distance": ("distance {distance}", "向听{distance}"),
    "other_waits": ("it waits for {tiles}", "听 {tiles}"),
    "other_out": ("no win within reach", "无法胡"),
    "nothing": ("nothing", "无"),
    "hint_title": ("Hint", "提示"),
    "hint_discard": ("Suggested  discard {tile}", "建议  打{tile}"),
    "hint_act": ("Suggested  {act}", "建议  {act}"),
    "hint_fastest": (": the fastest", "：最快"),
    "hint_dearer": (": not the fastest, but it may pay more", "：慢一点，但更值"),
    "hint_safer": (": not the fastest, but safer", "：慢一点，但更安全"),
    "hint_close": ("T or Esc: close   ↑↓: scroll", "T 或 Esc：关闭   ↑↓：滚动"),
    "hint_open": (": not the fastest, but it leaves more hands open", "：慢一点，但路子更宽"),
    "hint_about": (": as good as the fastest", "：与最快的不相上下"),
    "hint_no_hand": ("There is no hand to look at now.", "现在没有手牌。"),
    "hint_refused": ("These rules cannot be analysed: {why}", "此规则无法分析：{why}"),
    "comma": (", ", "，"),
    "pause": ("; ", "；"),
}  # fmt: skip


def say(lang: str, text_id: str, /, **values: Any) -> str:
    """The words of that id."""
    text = _WORDS[text_id][1 if lang == "zh" else 0]
    return text.format(**values) if values else text
