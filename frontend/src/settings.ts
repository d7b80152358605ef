import { effect, signal, type Signal } from "@preact/signals";

const kept: Record<string, unknown> = (() => {
  try {
    return JSON.parse(localStorage.getItem("hz.settings") ?? "{}");
  } catch {
    return {};
  }
})();

const language = navigator.languages?.some((l) => l.toLowerCase().startsWith("zh")) ? "zh" : "en";

function setting<T>(name: string, initial: T): Signal<T> {
  return signal((typeof kept[name] === typeof initial ? kept[name] : initial) as T);
}

/** What a player may set; kept in this browser. */
export const settings = {
  lang: setting<"zh" | "en">("lang", language),
  name: setting("name", ""),
  large: setting("large", false),
  indices: setting("indices", true),
  sound: setting("sound", true),
  autoSort: setting("autoSort", true),
  /** Off: one tap discards. */
  confirm: setting("confirm", true),
};

effect(() => {
  const now = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.value]));
  try {
    localStorage.setItem("hz.settings", JSON.stringify(now));
  } catch {
    // private windows may keep nothing
  }
  document.documentElement.lang = settings.lang.value === "zh" ? "zh-CN" : "en";
  document.documentElement.classList.toggle("large", settings.large.value);
});
