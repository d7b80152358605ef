import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "./i18n";
import { href } from "./router";

/** A page with its title and the way back. */
export function Page({ title, back = true, wide, tools, children }: {
  title: string;
  back?: boolean;
  wide?: boolean;
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · ${t("app")}`;
  }, [title]);
  return (
    <main class={wide ? "page wide" : "page"}>
      <header class="page-head">
        {back && (
          <a class="button icon" href={href()} aria-label={t("home")}>
            <Icon name="back" />
          </a>
        )}
        <h1>{title}</h1>
        {tools}
      </header>
      {children}
    </main>
  );
}

const PATHS: Record<string, string> = {
  back: "M15 5l-7 7 7 7",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4l2.2 2.2M18.4 5.6l-2.2 2.2m-8.4 8.4l-2.2 2.2",
  sound: "M4 10v4h3l5 4V6L7 10H4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  mute: "M4 10v4h3l5 4V6L7 10H4zM16 10l4 4M20 10l-4 4",
  chat: "M4 5h16v11H9l-5 4V5z",
  robot: "M6 9h12v10H6zM12 9V5M9.5 13v1.5M14.5 13v1.5M3 12v4M21 12v4",
  share: "M12 15V4M8 7.5L12 4l4 3.5M5 12v8h14v-8",
  off: "M5 5l14 14M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 4-2.4M19 12a10 10 0 0 0-5-2.7M12 19h.01",
  check: "M5 12.5l4.5 4.5L19 7.5",
  up: "M6 15l6-6 6 6",
  down: "M6 9l6 6 6-6",
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  next: "M9 6l6 6-6 6",
  previous: "M15 6l-6 6 6 6",
  save: "M12 4v11M8 11.5l4 4 4-4M5 20h14",
};

export function Icon({ name, size = "1.4em" }: { name: string; size?: string }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Switch({ label, on, set, hint }: { label: string; on: boolean; set: (on: boolean) => void; hint?: string }) {
  return (
    <label class="switch">
      <span>
        {label}
        {hint && <small class="soft"> {hint}</small>}
      </span>
      <input type="checkbox" role="switch" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
    </label>
  );
}

/** One of a few, as buttons. */
export function Choice<T extends string | number | boolean>({ label, value, options, set, hidden }: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  set: (value: T) => void;
  hidden?: boolean;
}) {
  const id = useId();
  return (
    <div class="field" role="group" aria-labelledby={id}>
      <span id={id} class={hidden ? "hidden-text" : ""}>
        {label}
      </span>
      <div class="choice">
        {options.map(([key, text]) => (
          <button type="button" aria-pressed={key === value} onClick={() => set(key)}>
            {text}
          </button>
        ))}
      </div>
    </div>
  );
}

export function Field({ label, wrong, children }: { label: string; wrong?: string | undefined; children: ComponentChildren }) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {wrong && (
        <small class="wrong" role="alert">
          {wrong}
        </small>
      )}
    </label>
  );
}

/** A sheet of paper over the page; Escape and its cross close it where `close` is given. */
export function Sheet({ title, close, foot, children, class: more = "" }: {
  title: string;
  close?: (() => void) | undefined;
  foot?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current!;
    element.showModal();
    element.focus(); // not its first button, which would be ringed
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      class={`sheet ${more}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close?.();
      }}
      onClick={(event) => event.target === dialog.current && close?.()}
    >
      <div class="sheet-head">
        <h2 id={id}>{title}</h2>
        {close && (
          <button type="button" class="button icon" aria-label={t("close")} onClick={close}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <div class="sheet-body" tabIndex={0} role="group" aria-labelledby={id}>{children}</div>
      {foot && <div class="sheet-foot">{foot}</div>}
    </dialog>
  );
}

/** Copies where the browser lets us, on plain HTTP by the old way. */
export async function copy(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard && window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // the old way may still do
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
