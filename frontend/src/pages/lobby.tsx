import { useState } from "preact/hooks";
import { sheetOf } from "../api";
import { pick, t } from "../i18n";
import type { Player, Room } from "../messages";
import { go, href } from "../router";
import type { Session } from "../session";
import { botName, levelName } from "../table/seats";
import { Page, signed } from "../ui";
import { Invite, SeatLink } from "./share";

/** A room before play: who sits where, the link, the house rules, readiness; the host arranges it. */
export function Lobby({ session, room }: { session: Session; room: Room }) {
  const place = session.place.value;
  const own = place >= 0 ? room.places[place] : undefined;
  const [swapping, swap] = useState(-1);
  const [leaving, ask] = useState(false);
  const host = own?.host ?? false;
  const sheet = sheetOf(room.rules);
  const late = room.places.filter((player) => player.kind === "person" && !player.ready);
  const empty = room.places.filter((player) => player.kind === "empty").length;
  const manage = (what: "swap" | "remove" | "bot" | "hand_over" | "start", at = -1, other = -1, bot = "") =>
    session.send({ type: "manage", do: what, place: at, other, bot });
  const exchange = (at: number) => {
    if (swapping < 0) swap(at);
    else {
      if (at !== swapping) manage("swap", swapping, at);
      swap(-1);
    }
  };
  return (
    <Page title={room.name || t("room_code", { code: room.code })}>
      <section class="paper">
        <h2>{sheet ? pick(sheet) : room.rules}</h2>
        <p>{pick({ zh: room.summary_zh, en: room.summary_en })}</p>
        <p class="soft">
          {room.settings.move_seconds ? t("clock_text", { move: room.settings.move_seconds, bank: room.settings.bank_seconds }) : t("no_clock")}
          {" · "}
          {room.settings.bots && `${t("bots_are", { level: levelName(room.settings.bot) })} · `}
          <a href={href("rules", room.rules)}>{t("rules")}</a>
        </p>
      </section>
      <section class="paper">
        <h2>{t("seats")}</h2>
        {swapping >= 0 && <p class="notice">{t("swap_with")}</p>}
        <ul class="places">
          {room.places.map((player, at) => (
            <li key={at} class={at === place ? "mine" : ""}>
              <Face player={player} />
              <span class="grow">
                <b>{nameOf(player)}</b>{" "}
                <small class="soft">
                  {[at === place && t("you"), player.host && t("host"), player.kind === "person" && !player.connected && t("offline")].filter(Boolean).join(" · ")}
                  {room.matches > 0 && ` ${t("running_totals")} ${signed(room.totals[at] ?? 0)}`}
                </small>
              </span>
              {player.kind === "person" && <span class={player.ready ? "state-ready" : "soft"}>{t(player.ready ? "ready" : "not_ready")}</span>}
              {host && (
                <span class={player.kind === "person" && at !== place ? "row tools many" : "row tools"}>
                  {player.kind === "empty" && (
                    <button type="button" class="button" onClick={() => manage("bot", at, -1, room.settings.bot)} aria-label={`${t("add_bot")} ${at + 1}`}>
                      {t("add_bot")}
                    </button>
                  )}
                  {(player.kind !== "empty" || swapping >= 0) && (
                    <button type="button" class="button" aria-pressed={swapping === at} onClick={() => exchange(at)} aria-label={`${t("swap")} ${nameOf(player)}`}>
                      {t("swap")}
                    </button>
                  )}
                  {player.kind !== "empty" && at !== place && (
                    <button type="button" class="button" onClick={() => manage("remove", at)} aria-label={`${t("remove")} ${nameOf(player)}`}>
                      {t("remove")}
                    </button>
                  )}
                  {player.kind === "person" && at !== place && (
                    <button type="button" class="button" onClick={() => manage("hand_over", at)}>
                      {t("hand_over")}
                    </button>
                  )}
                </span>
              )}
            </li>
          ))}
        </ul>
        {room.spectators > 0 && <p class="soft">{t("spectators_n", { n: room.spectators })}</p>}
        {own && room.state === "ended" ? (
          <button type="button" class="button main big" onClick={() => session.send({ type: "rematch" })} data-action="rematch">
            {t("rematch")}
          </button>
        ) : own ? (
          <div class="row">
            <button
              type="button"
              class={own.ready ? "button big grow" : "button main big grow"}
              aria-pressed={own.ready}
              onClick={() => session.ready(!own.ready)}
              data-action="ready"
            >
              {t(own.ready ? "not_be_ready" : "be_ready")}
            </button>
            {host && (
              <button
                type="button"
                class={own.ready ? "button main big grow" : "button big grow"}
                disabled={late.some((player) => player !== own)}
                onClick={() => {
                  if (!own.ready) session.ready(true); // brings the own share in the walls
                  manage("start");
                }}
                data-action="start"
              >
                {t(empty ? "start_with_bots" : "start")}
              </button>
            )}
          </div>
        ) : (
          <p class="soft">{t("spectating")}</p>
        )}
        <p class="soft" role="status">
          {late.length ? t("waiting_for", { names: late.map((player) => (player === own ? t("self") : nameOf(player))).join("、") }) : host ? t("everyone_ready") : t("waiting_host")}
        </p>
      </section>
      <section class="paper">
        <Invite code={room.code} />
        {own && <SeatLink session={session} code={room.code} />}
        <p class="soft break">
          {t("commitment")} {room.commitment}
        </p>
      </section>
      {leaving && <p class="notice">{t("leave_why")}</p>}
      <button
        type="button"
        class="button"
        onClick={() => {
          if (own && !leaving) return ask(true);
          if (own) session.send({ type: "leave" });
          session.leave();
          go();
        }}
      >
        {t(leaving ? "leave_sure" : "leave_room")}
      </button>
    </Page>
  );
}

function nameOf(player: Player): string {
  if (player.kind === "empty") return t("empty_seat");
  return player.name || botName(player.bot);
}

function Face({ player }: { player: Player }) {
  const name = player.kind === "empty" ? "" : nameOf(player);
  return (
    <span class={`face-badge ${player.kind}`} aria-hidden="true">
      {player.kind === "bot" ? "机" : [...name][0]}
    </span>
  );
}
