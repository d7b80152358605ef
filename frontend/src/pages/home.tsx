import { useEffect, useState } from "preact/hooks";
import { ApiError, forms, get, loadForms, owner, post, sheetOf } from "../api";
import { pick, t } from "../i18n";
import type { OpenRooms, QuickStart, RoomCard, Seated, Status } from "../messages";
import { go, href } from "../router";
import { heldSeats, keepSeat } from "../session";
import { settings } from "../settings";
import { Tile } from "../tiles";
import { Field, Icon } from "../ui";
import { Nickname } from "./nickname";

const LAST = "hz.rules";

/** One tap to play, a room for friends, a code to join by, and the rooms that are open. */
export function Home() {
  const [rules, choose] = useState(() => localStorage.getItem(LAST) ?? "");
  const [problem, tell] = useState("");
  const [busy, work] = useState(false);
  const status = useStatus();
  const [rooms, list] = useState<RoomCard[] | null>(null);
  const [mine, keep] = useState<RoomCard[]>([]);

  useEffect(() => {
    document.title = t("app");
    loadForms().catch((error: Error) => tell(error.message));
    const look = () =>
      get<OpenRooms>("rooms").then(
        (answer) => list(answer.rooms),
        () => undefined,
      );
    void look();
    void ownRooms().then(keep);
    const timer = setInterval(() => document.visibilityState === "visible" && look(), 8000);
    return () => clearInterval(timer);
  }, [status?.ready]);
  const sheets = forms.value?.sheets ?? [];
  const chosen = sheets.find((sheet) => sheet.id === rules) ?? sheets[0];

  const quick = async () => {
    if (!chosen) return;
    work(true);
    tell("");
    localStorage.setItem(LAST, chosen.id);
    const body: QuickStart = { rules: chosen.id, nickname: settings.name.value.trim() || t("you"), owner };
    try {
      const seat = await post<Seated>("quick", body);
      keepSeat(seat.code, seat.token);
      go("r", seat.code);
    } catch (error) {
      tell((error as Error).message);
      work(false);
    }
  };

  return (
    <main class="page home">
      <header class="masthead">
        <Tile kind="7z" class="logo" />
        <div class="grow">
          <h1>{t("app")}</h1>
          <p class="soft">{t("tagline")}</p>
        </div>
        <button
          type="button"
          class="button"
          lang={settings.lang.value === "zh" ? "en" : "zh"}
          onClick={() => (settings.lang.value = settings.lang.value === "zh" ? "en" : "zh")}
        >
          {settings.lang.value === "zh" ? "English" : "中文"}
        </button>
        <a class="button icon" href={href("settings")} aria-label={t("settings")}>
          <Icon name="gear" />
        </a>
      </header>
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {status && !status.ready && (
        <div class="notice" role="status">
          {status.problem || (status.percent ? t("warming", { percent: status.percent }) : t("loading"))}
          {!status.problem && <progress max={100} value={status.percent} aria-label={t("warming", { percent: status.percent })} />}
        </div>
      )}
      {mine.map((room) => (
        <a class="button main big" href={href("r", room.code)}>
          {t("resume_room", { code: room.code })}
        </a>
      ))}
      <section class="paper">
        <div class="sheets" role="group" aria-label={t("play_with")}>
          {sheets.map((sheet) => (
            <button type="button" class="sheet-card" aria-pressed={sheet === chosen} onClick={() => choose(sheet.id)}>
              <b>{pick(sheet)}</b>
              <small>{pick({ zh: sheet.summary_zh, en: sheet.summary_en })}</small>
            </button>
          ))}
        </div>
        <button type="button" class="button main big" disabled={busy || !chosen || status?.ready === false} onClick={quick} data-action="quick">
          {t("quick_start")}
          <small>{t("quick_start_why")}</small>
        </button>
        <a class="button big" href={chosen ? `${href("new")}?rules=${chosen.id}` : href("new")}>
          {t("create_room")}
          <small>{t("create_room_why")}</small>
        </a>
      </section>
      <Join />
      <section class="paper">
        <h2>{t("open_rooms")}</h2>
        {rooms?.length === 0 && <p class="soft">{t("no_open_rooms")}</p>}
        {rooms?.map((room) => (
          <a class="room-card" href={href("r", room.code)}>
            <span class="grow">
              <b>{room.name || room.players.join("、")}</b>
              <small class="soft">
                {sheetOf(room.rules) ? pick(sheetOf(room.rules)!) : room.rules} · {pick({ zh: room.summary_zh, en: room.summary_en })}
              </small>
            </span>
            <span class="soft">{room.free > 0 ? t("seats_free", { n: room.free }) : t("watch")}</span>
          </a>
        ))}
      </section>
      <nav class="doors" aria-label={t("more")}>
        {(["history", "calculator", "analysis", "rules", "verify", "settings"] as const).map((page) => (
          <a class="button" href={href(page)}>
            {t(page)}
          </a>
        ))}
      </nav>
    </main>
  );
}

/** Asks until tables can be opened. */
function useStatus(): Status | null {
  const [status, set] = useState<Status | null>(null);
  useEffect(() => {
    let stopped = false;
    const ask = async () => {
      const answer = await get<Status>("status").catch(() => null);
      if (stopped) return;
      set(answer);
      if (!answer?.ready) setTimeout(ask, 800);
    };
    void ask();
    return () => void (stopped = true);
  }, []);
  return status;
}

/** Rooms in which this browser holds a seat and play goes on; seats of rooms that are gone are forgotten. */
async function ownRooms(): Promise<RoomCard[]> {
  const found: RoomCard[] = [];
  for (const code of heldSeats().slice(-4)) {
    try {
      const room = await get<RoomCard>(`rooms/${encodeURIComponent(code)}`);
      if (room.state !== "ended") found.push(room);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) keepSeat(code, "");
    }
  }
  return found;
}

function Join() {
  const [text, write] = useState("");
  const [wrong, tell] = useState("");
  const join = (event: Event) => {
    event.preventDefault();
    const link = /#\/r\/(.+)$/.exec(text.trim());
    if (link) location.hash = `#/r/${link[1]}`;
    else if (/^[\p{L}\p{N}-]{3,12}$/u.test(text.trim())) go("r", text.trim().toUpperCase());
    else tell(t("bad_code"));
  };
  return (
    <form class="paper" onSubmit={join}>
      <Nickname />
      <Field label={t("code_or_link")} wrong={wrong}>
        <span class="row nowrap">
          <input
            class="grow"
            value={text}
            autocapitalize="characters"
            autocomplete="off"
            spellcheck={false}
            enterkeyhint="go"
            onInput={(event) => (write(event.currentTarget.value), tell(""))}
          />
          <button class="button">{t("join")}</button>
        </span>
      </Field>
    </form>
  );
}
