import { useEffect, useState } from "preact/hooks";
import { renderSVG } from "uqr";
import { t } from "../i18n";
import { get } from "../api";
import type { Status } from "../messages";
import { href } from "../router";
import type { Session } from "../session";
import { copy } from "../ui";

/** A link that one tap copies. */
export function CopyLine({ link }: { link: string }) {
  const [done, set] = useState(false);
  return (
    <div class="row copy-line">
      <input class="input grow" readOnly value={link} aria-label={t("copy_link")} onFocus={(event) => event.currentTarget.select()} />
      <button
        type="button"
        class="button"
        onClick={async () => {
          set(await copy(link));
          setTimeout(() => set(false), 2000);
        }}
      >
        <span aria-live="polite">{t(done ? "copied" : "copy_link")}</span>
      </button>
    </div>
  );
}

/** Where others reach this page. Opened as localhost it says nothing to a phone; then the server tells its address in the network. */
function useBase(): string {
  const here = location.href.split("#")[0]!;
  const [base, set] = useState(here);
  useEffect(() => {
    if (!/^(localhost|127\.|\[::1\])/.test(location.hostname)) return;
    get<Status>("status").then(
      (status) => set(status.links.find((link) => !/\/\/(localhost|127\.|\[::1\])/.test(link)) ?? here),
      () => undefined,
    );
  }, []);
  return base;
}

/** The room's link as a picture to scan, a line to copy, and through the phone's own sharing where it has one. */
export function Invite({ code }: { code: string }) {
  const link = useBase() + href("r", code);
  return (
    <section class="stack">
      <h3>{t("invite")}</h3>
      <div class="invite">
        <div class="qr" role="img" aria-label={link} dangerouslySetInnerHTML={{ __html: renderSVG(link, { border: 2 }) }} />
        <div class="stack">
          <p>
            <b class="code num">{code}</b>
          </p>
          <p class="soft">{t("invite_why")}</p>
        </div>
      </div>
      <CopyLine link={link} />
    </section>
  );
}

/** The personal link that moves the own seat to another phone or browser. */
export function SeatLink({ session, code }: { session: Session; code: string }) {
  const [shown, show] = useState(false);
  const token = session.token.value;
  const base = useBase();
  useEffect(() => {
    if (shown && !token) session.send({ type: "ask_seat" });
  }, [shown]);
  return (
    <section class="stack">
      <h3>{t("seat_link")}</h3>
      <p class="soft">{t("seat_link_why")}</p>
      {shown && token ? (
        <CopyLine link={base + href("r", code, "seat", token)} />
      ) : (
        <button type="button" class="button" onClick={() => show(true)}>
          {t("seat_link_show")}
        </button>
      )}
    </section>
  );
}
