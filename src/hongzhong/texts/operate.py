"""Words of the commands that look after a server, in both languages."""

from __future__ import annotations

from typing import Any, Final

_EN: Final = {
    "no_rooms": "no rooms",
    "rooms": "CODE|STATE|RULES|PLAYERS|LAST CHANGE|ANSWERS",
    "waiting": "waiting",
    "playing": "playing",
    "ended": "ended",
    "room_ended": "room {code} has ended",
    "room_ordered": "no server runs on this database: room {code} ends when one starts",
    "room_slow": "the server has not ended room {code} yet; it will: see 'hongzhong rooms list'",
    "backed_up": "{path}: {size} kB, {rooms:room}, {records:record}",
    "restored": "restored from {path}: {rooms:room}, {records:record}",
    "set_aside": "the old database is kept beside it, as .before-restore-*",
    "key_kept": "the signing key of {folder} was kept; the backup has another one, so seat links from it do not work",
    "pruned": "removed {records:record} and {matches:journal} of ended matches",
    "deleted": "record {id} is deleted",
}
_ZH: Final = {
    "no_rooms": "没有房间",
    "rooms": "房号|状态|规则|玩家|最近变动|应答数",
    "waiting": "等待中",
    "playing": "对局中",
    "ended": "已结束",
    "room_ended": "房间{code}已结束",
    "room_ordered": "此数据库上没有服务器在运行：房间{code}将在服务器启动时结束",
    "room_slow": "服务器尚未结束房间{code}，稍后会结束：见 hongzhong rooms list",
    "backed_up": "{path}：{size} kB，{rooms}个房间，{records}份牌谱",
    "restored": "已从{path}恢复：{rooms}个房间，{records}份牌谱",
    "set_aside": "原数据库保留在旁边，名为 .before-restore-*",
    "key_kept": "保留了{folder}的签名密钥；备份中的密钥不同，因此其中的座位链接失效",
    "pruned": "已删除{records}份牌谱和{matches}份已结束对局的日志",
    "deleted": "牌谱{id}已删除",
}
WORDS: Final = {"en": _EN, "zh": _ZH}


def say(lang: str, name: str, **values: Any) -> str:
    """The words of that name."""
    counted = {word: _Counted(value) if isinstance(value, int) else value for word, value in values.items()}
    return WORDS[lang][name].format(**counted)


class _Counted(int):
    """``{n:room}`` is ``1 room`` or ``2 rooms``."""

    def __format__(self, noun: str) -> str:
        return f"{int(self)} {noun}{'' if self == 1 else 's'}" if noun else str(int(self))
