import { useEffect, useMemo } from "preact/hooks";
import { t } from "../i18n";
import { route, swap } from "../router";
import { keepSeat, Session } from "../session";
import { Play } from "../table/play";
import { Page } from "../ui";

export function RoomPage() {
  const { args } = route.value;
  const code = args[0] ?? "";
  const token = args[1] === "seat" ? args[2] : undefined;
  const session = useMemo(() => {
    if (token) keepSeat(code, token);
    return new Session(code);
  }, [code]);
  useEffect(() => {
    if (token) swap("r", code);
    return () => session.stop();
  }, [code]);
  const room = session.room.value;
  const update = session.update.value;
  if (room && update && room.state !== "waiting") return <Play session={session} room={room} update={update} />;
  return <Page title={t("room_code", { code })}>{null}</Page>;
}
