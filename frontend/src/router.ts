import { signal } from "@preact/signals";

/** Pages live behind the hash, so any server path works and a seat's token never reaches a server log. */
export interface Route {
  page: string;
  args: string[];
  query: URLSearchParams;
}

function read(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", ...args] = path.split("/").map(decodeURIComponent);
  return { page: page || "home", args, query: new URLSearchParams(query) };
}

export const route = signal<Route>(read());

window.addEventListener("hashchange", () => {
  route.value = read();
  window.scrollTo(0, 0);
});

export const href = (...parts: string[]): string => "#/" + parts.map(encodeURIComponent).join("/");

export function go(...parts: string[]): void {
  location.hash = href(...parts);
}

/** As `go`, leaving no step back to here. */
export function swap(...parts: string[]): void {
  history.replaceState(null, "", href(...parts));
  route.value = read();
}
