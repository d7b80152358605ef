import { render } from "preact";
import "./styles/tokens.css";
import "./styles/shell.css";
import { App } from "./app";

render(<App />, document.getElementById("app")!);

// Only a secure context may install; everything works without.
if (import.meta.env.PROD && window.isSecureContext && "serviceWorker" in navigator)
  navigator.serviceWorker.register("./sw.js").catch(() => undefined);
