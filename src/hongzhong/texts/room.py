"""What the server says: short phrases for the table, and what was wrong, by code."""

from __future__ import annotations

from typing import Final

from hongzhong.texts.records import Said
from hongzhong.texts.refusals import chinese

PHRASES: Final = (
    ("大家好！", "Hello!"),
    ("快点吧，我等到花儿都谢了", "Hurry up, please"),
    ("好牌！", "Nice hand!"),
    ("谢谢！", "Thank you!"),
    ("手气真差", "No luck today"),
    ("就差一张", "One tile short"),
    ("别走，再来一局", "Stay for another one"),
    ("稍等一下", "One moment"),
    ("打错了……", "Wrong tile ..."),
    ("再见", "Goodbye"),
)
"""Short phrases by number, Chinese and English."""

BOT_NAMES: Final = ("阿红", "阿中", "阿发", "阿白")
"""By place."""

PROBLEMS: Final = {
    "warming": (
        "引擎还在准备（{percent}%），请稍候",
        "the engine is still being made ready ({percent} %): wait a moment",
    ),
    "engine": ("引擎无法启动：{why}", "the engine cannot be started: {why}"),
    "storage": (
        "服务器暂时无法保存，牌局停在最后保存的一步，请稍后再来",
        "the server cannot save at the moment; the table stands where it was saved last: come back in a while",
    ),
    "restart": ("服务器正在关闭，稍后自动重连", "the server is closing: the page comes back by itself"),
    "not_json": ("无法读懂的消息：{why}", "a message that cannot be read: {why}"),
    "too_large": ("消息过长：最多 {most} 字节", "the message is too long: at most {most} bytes"),
    "too_fast": ("消息太频繁，请慢一点", "too many messages: slow down"),
    "too_many": (
        "来自这里的请求太多，请 {seconds} 秒后再试",
        "too many requests from here: try again in {seconds} seconds",
    ),
    "full_server": ("服务器已满（{most} 个房间），请稍后再试", "the server is full ({most} rooms): try again later"),
    "origin": ("请求来自别的网站，已拒绝", "the request comes from another site and is refused"),
    "hello_first": ("请先发 hello", "say hello first"),
    "hello_twice": ("已经打过招呼了", "hello was said already"),
    "protocol": (
        "页面版本与服务器不符（需要 {wanted}），请刷新页面",
        "the page is of another version (protocol {wanted} is wanted): reload it",
    ),
    "bad_seat": ("座位凭证无效，请重新加入房间", "this is no seat of this server: join the room anew"),
    "seat_gone": ("这个座位已经给了别人，请重新加入房间", "the seat was given away: join the room anew"),
    "no_room": ("没有房间 {code}，请检查房间号", "there is no room {code}: check the code"),
    "no_place": ("没有空座位了", "no place is free"),
    "place_taken": ("第 {place} 个座位有人", "place {place} is taken"),
    "no_such_place": ("没有这个座位：座位是 0 到 3", "there is no such place: places are 0 to 3"),
    "password": ("房间密码不对", "the room's password is another one"),
    "password_long": ("密码最多 {most} 个字符", "a password has at most {most} characters"),
    "no_spectators": ("这个房间不许旁观", "this room has no spectators"),
    "many_spectators": ("旁观的人已满", "there are too many spectators"),
    "name_empty": ("请填一个名字", "give a name"),
    "name_too_long": ("名字太长：最多 {most} 个字符", "the name is too long: at most {most} characters"),
    "name_characters": (
        "名字里有看不见或不能显示的字符",
        "the name has characters that do not show (controls, direction marks)",
    ),
    "name_taken": ("房间里已经有人叫 {name}", "somebody in the room is called {name} already"),
    "rules": ("规则不成立：{why}", "{why}"),
    "clock": (
        "每步 0（不限时）或 3-300 秒，备用 0-600 秒",
        "a move takes 0 (no clock) or 3 to 300 seconds, the bank 0 to 600",
    ),
    "unknown_bot": ("没有机器人 {bot}；可选：{known}", "there is no bot {bot}; known: {known}"),
    "no_bots": ("这个房间不用机器人", "this room has no bots"),
    "not_seated": ("旁观者不能这样做", "a spectator cannot do that"),
    "not_host": ("只有房主可以这样做", "only the host can do that"),
    "not_waiting": ("牌局已经开始", "the match has begun"),
    "not_playing": ("牌局没有在进行", "no match is being played"),
    "not_ended": ("牌局还没有结束", "the match is not over"),
    "not_everybody": ("还有空座位：等人来，或让机器人补位", "a place is empty: wait for somebody or seat bots"),
    "no_person": ("那个座位上没有人", "nobody sits there"),
    "nonce": ("随机串最多 {most} 个字符", "a nonce has at most {most} characters"),
    "phrase": ("没有这句话：{phrase}", "there is no phrase {phrase}"),
    "no_hints": ("这个房间没有提示", "this room has no hints"),
    "no_such_prompt": ("没有在问你这一步", "you are not asked that"),
    "too_late": ("时间已到，已经替你出牌", "the time was up: auto-play answered"),
    "answered": ("这一步已经答过了", "that was answered already"),
    "illegal": ("现在不能这样打", "that is not legal now: {why}"),
    "no_record": ("没有这份牌谱，可能已被删除", "there is no such record; it may have been deleted"),
    "no_hand": ("牌谱里没有第 {hand} 局：共 {hands} 局", "the record has no hand {hand}: it has {hands}"),
    "record": ("这不是可以收下的牌谱：{why}", "this is no record that can be taken: {why}"),
    "many_records": (
        "已保存 {most} 份牌谱，请先删除一些",
        "{most} records are kept for you: delete some first",
    ),
    "hand": ("这手牌不成立：{why}", "{why}"),
    "no_house_rules": ("没有这套家规，可能已被删除", "there are no such house rules; they may have been deleted"),
    "many_house_rules": (
        "已保存 {most} 套家规，请先删除一些",
        "{most} house rules are kept for you: delete some first",
    ),
    "browser": (
        "缺少浏览器标识：请求头 x-browser 要有 16 到 64 个字母、数字、- 或 _",
        "the browser's id is missing: send a header x-browser of 16 to 64 letters, digits, - or _",
    ),
    "no_analysis": ("这台服务器还不能分析", "this server cannot analyse yet"),
    "fault": ("服务器出了差错，已记入日志", "the server made a mistake; it is in its log"),
    "not_found": ("没有这个地址", "there is nothing at this address"),
    "method": ("这个地址不接受这种请求", "this address does not take such a request"),
    "idle": ("太久没有动静，连接已断开", "the connection was idle for too long and is closed"),
}
"""By code: Chinese, English."""


def problem(code: str, /, **values: object) -> tuple[str, str]:
    """What was wrong and what would be right, in Chinese and English."""
    zh, en = PROBLEMS[code]
    return zh.format(**{name: _chinese(value) for name, value in values.items()}), en.format(**values)


def _chinese(value: object) -> object:
    if isinstance(value, Said):
        return value.zh
    return chinese(value) if isinstance(value, str) else value
