import { useEffect, useRef, useState } from "preact/hooks";
import type { Room } from "../messages";
import { pick, t } from "../i18n";
import { href } from "../router";
import type { Session } from "../session";
import { Sheet, Switch } from "../ui";
import { Invite, SeatLink } from "../pages/share";
import { SettingsForm } from "../pages/settings";

/** What a table's ☰ holds: settings, links, house rules, the vote to end, leaving. */
export function Menu({ session, room, close, leave }: { session: Session; room: Room; close: () => void; leave: () => void }) {
  const [asked, ask] = useState<"vote" | "leave" | null>(null);
  const place = session.place.value;
  const own = place >= 0 ? room.places[place] : undefined;
  const voted = room.votes.includes(place);
  const vote = (on: boolean) => session.send({ type: "vote", on });
  const alone = room.places.every((player, at) => at === place || player.kind !== "person" || !player.connected);
  return (
    <Sheet
      title={t("room_code", { code: room.code })}
      close={close}
      foot={
        own && asked ? (
          <Sure
            why={t(asked === "leave" ? "leave_why" : alone ? "vote_why_alone" : "vote_why")}
            yes={t(asked === "leave" ? "leave_sure" : "vote_sure")}
            no={() => ask(null)}
            go={() => {
              if (asked === "leave") return leave();
              vote(true);
              ask(null);
            }}
          />
        ) : own ? (
          <>
            {room.state === "playing" && (
              <button type="button" class="button" aria-pressed={voted} onClick={() => (voted ? vote(false) : ask("vote"))}>
                {t(voted ? "vote_taken_back" : "vote_end")}
              </button>
            )}
            <button type="button" class="button danger" onClick={() => ask("leave")}>
              {t("leave_room")}
            </button>
          </>
        ) : (
          <a class="button" href={href()} onClick={() => session.stop()}>
            {t("leave")}
          </a>
        )
      }
    >
      {room.votes.length > 0 && <p class="notice">{t("votes_n", { n: room.votes.length })}</p>}
      {own && <Switch label={t("auto_play")} on={own.auto} set={(on) => session.send({ type: "auto", on })} />}
      <SettingsForm />
      <section class="stack">
        <h3>{t("house_rules")}</h3>
        <p>{pick({ zh: room.summary_zh, en: room.summary_en })}</p>
        <a class="button" href={href("rules", room.rules)} target="_blank">
          {t("rules")}
        </a>
      </section>
      <Invite code={room.code} />
      {own && <SeatLink session={session} code={room.code} />}
      <p class="soft">
        {t("keys")}: {t("keys_text")}
      </p>
    </Sheet>
  );
}

/** Asks before what cannot be undone; the way back has the focus. */
function Sure({ why, yes, no, go }: { why: string; yes: string; no: () => void; go: () => void }) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <div class="stack" role="group" aria-label={yes}>
      <p role="alert">{why}</p>
      <div class="row">
        <button type="button" class="button grow" ref={back} onClick={no}>
          {t("cancel")}
        </button>
        <button type="button" class="button danger grow" onClick={go} data-action="sure">
          {yes}
        </button>
      </div>
    </div>
  );
}
