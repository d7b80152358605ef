import { useState } from "preact/hooks";
import type { Room } from "../messages";
import { pick, t } from "../i18n";
import { href } from "../router";
import type { Session } from "../session";
import { Sheet, Switch } from "../ui";
import { Invite, SeatLink } from "../pages/share";
import { SettingsForm } from "../pages/settings";

/** What a table's ☰ holds: settings, links, house rules, the vote to end, leaving. */
export function Menu({ session, room, close, leave }: { session: Session; room: Room; close: () => void; leave: () => void }) {
  const [leaving, ask] = useState(false);
  const place = session.place.value;
  const own = place >= 0 ? room.places[place] : undefined;
  const voted = room.votes.includes(place);
  return (
    <Sheet
      title={t("room_code", { code: room.code })}
      close={close}
      foot={
        own ? (
          <>
            {room.state === "playing" && (
              <button type="button" class="button" aria-pressed={voted} onClick={() => session.send({ type: "vote", on: !voted })}>
                {t(voted ? "vote_taken_back" : "vote_end")}
              </button>
            )}
            <button type="button" class="button danger" onClick={() => (leaving ? leave() : ask(true))}>
              {t(leaving ? "leave_sure" : "leave_room")}
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
      {leaving && <p class="notice">{t("leave_why")}</p>}
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
