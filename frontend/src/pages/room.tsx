import { useEffect, useState } from "preact/hooks";
import { ApiError, get, loadForms, owner, post, sheetOf } from "../api";
import { pick, t } from "../i18n";
import type { JoinRoom, RoomCard, Seated } from "../messages";
import { route, swap } from "../router";
import { keepSeat, seatOf, Session } from "../session";
import { Play } from "../table/play";
import { Field, Page, Sheet } from "../ui";
import { Lobby } from "./lobby";
import { Nickname, nickname } from "./nickname";

/** A room: its door, its lobby, its table. */
export function RoomPage() {
  const { args } = route.value;
  const code = args[0] ?? "";
  const token = args[1] === "seat" ? args[2] : undefined;
  const [session, open] = useState<Session | null>(null);
  useEffect(() => {
    void loadForms().catch(() => undefined);
    if (token) {
      keepSeat(code, token);
      swap("r", code);
    }
    if (!seatOf(code)) return;
    const fresh = new Session(code);
    open(fresh);
    return () => fresh.stop();
  }, [code, token]);
  useEffect(() => () => session?.stop(), [session]);

  if (!session && (token || seatOf(code))) return null; // no door for who is in
  if (!session) return <Door code={code} enter={(password) => open(new Session(code, password))} />;
  const room = session.room.value;
  const update = session.update.value;
  const state = session.socket.state.value;
  const refused = session.refused.value;
  if (refused)
    return (
      <Page title={t("room_code", { code })}>
        <p class="notice bad" role="alert">
          {refused.text}
        </p>
        {refused.code === "protocol" && (
          <button type="button" class="button main" onClick={() => location.reload()}>
            {t("refresh")}
          </button>
        )}
        {seatOf(code) && (
          <button
            type="button"
            class="button main"
            onClick={() => {
              keepSeat(code, "");
              open(null);
            }}
          >
            {t("enter_anew")}
          </button>
        )}
      </Page>
    );
  return (
    <>
      {room && update && room.state !== "waiting" ? (
        <Play session={session} room={room} update={update} />
      ) : room ? (
        <Lobby session={session} room={room} />
      ) : (
        <Page title={t("room_code", { code })}>
          <p class="soft">{t("connecting")}</p>
        </Page>
      )}
      {state === "lost" && (
        <p class="toast bad" role="status">
          {t("reconnecting")}
        </p>
      )}
      <Toast session={session} />
      {session.superseded.value && (
        <Sheet
          title={t("superseded")}
          foot={
            <button type="button" class="button main" onClick={() => open(new Session(code))}>
              {t("use_here")}
            </button>
          }
        >
          <p>{t("superseded_why")}</p>
        </Sheet>
      )}
    </>
  );
}

function Toast({ session }: { session: Session }) {
  const notice = session.notice.value;
  const [gone, hide] = useState(-1);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => hide(notice.id), 5000);
    return () => clearTimeout(timer);
  }, [notice?.id]);
  return notice && notice.id !== gone ? (
    <p class="toast" role="alert">
      {notice.text}
    </p>
  ) : null;
}

/** Before one is in: who is there, a name and, where it wants one, a password. */
function Door({ code, enter }: { code: string; enter: (password: string) => void }) {
  const [card, set] = useState<RoomCard | null>(null);
  const [problem, tell] = useState<{ text: string; field: string | null } | null>(null);
  const [password, write] = useState("");
  const [busy, work] = useState(false);
  useEffect(() => {
    const look = () =>
      get<RoomCard>(`rooms/${encodeURIComponent(code)}`).then(set, (error: ApiError) => tell({ text: error.message, field: null }));
    void look();
  }, [code]);
  const sit = async (event: Event) => {
    event.preventDefault();
    if (!nickname()) return tell({ text: t("name_needed"), field: "nickname" });
    work(true);
    const body: JoinRoom = { nickname: nickname(), password, owner };
    try {
      const seat = await post<Seated>(`rooms/${encodeURIComponent(code)}/join`, body);
      keepSeat(code, seat.token);
      enter(password);
    } catch (error) {
      tell({ text: (error as Error).message, field: (error as ApiError).field ?? null });
      work(false);
    }
  };
  const sheet = card && sheetOf(card.rules);
  const wrong = (field: string) => (problem?.field === field ? problem.text : undefined);
  return (
    <Page title={card?.name || t("room_code", { code })}>
      {card && (
        <form class="paper" onSubmit={sit}>
          <h2>{sheet ? pick(sheet) : card.rules}</h2>
          <p>{pick({ zh: card.summary_zh, en: card.summary_en })}</p>
          <p class="soft">
            {card.players.join("、")} {card.free > 0 && `· ${t("seats_free", { n: card.free })}`}
          </p>
          <Nickname wrong={wrong("nickname")} />
          {card.password && (
            <Field label={t("need_password")} wrong={wrong("password")}>
              <input value={password} autocomplete="off" onInput={(event) => write(event.currentTarget.value)} />
            </Field>
          )}
          {card.free > 0 ? (
            <button class="button main big" disabled={busy} data-action="sit">
              {t("seat_in")}
            </button>
          ) : (
            <p class="soft">{t("room_full")}</p>
          )}
          {card.spectators && (
            <button type="button" class="button" onClick={() => enter(password)}>
              {t("watch")}
            </button>
          )}
        </form>
      )}
      {problem && !["nickname", "password"].includes(problem.field ?? "") && (
        <p class="notice bad" role="alert">
          {problem.text}
        </p>
      )}
    </Page>
  );
}
