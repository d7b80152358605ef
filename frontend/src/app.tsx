import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "./i18n";
import { Home } from "./pages/home";
import { route } from "./router";
import { Page } from "./ui";

type Loader = () => Promise<ComponentType>;

/** Pages by the first part of the address; each is loaded when first asked for. */
const PAGES: Record<string, Loader> = {
  new: () => import("./pages/new").then((m) => m.NewRoom),
  r: () => import("./pages/room").then((m) => m.RoomPage),
  replay: () => import("./pages/replay").then((m) => m.ReplayPage),
  calculator: () => import("./pages/calculator").then((m) => m.CalculatorPage),
  analysis: () => import("./pages/analysis").then((m) => m.AnalysisPage),
  history: () => import("./pages/history").then((m) => m.HistoryPage),
  rules: () => import("./pages/rules").then((m) => m.RulesPage),
  settings: () => import("./pages/settings").then((m) => m.SettingsPage),
  verify: () => import("./pages/verify").then((m) => m.VerifyPage),
};

export function App() {
  const { page, args } = route.value;
  if (page === "home") return <Home />;
  const load = PAGES[page];
  return load ? <Lazy key={page === "r" ? `r/${args[0]}` : page} load={load} /> : <Lost />;
}

function Lazy({ load }: { load: Loader }) {
  const [Loaded, set] = useState<ComponentType | null>(null);
  const [failed, fail] = useState(false);
  useEffect(() => {
    load().then(
      (component) => set(() => component),
      () => fail(true),
    );
  }, []);
  if (Loaded) return <Loaded />;
  return failed ? (
    <Page title={t("app")}>
      <p class="notice bad">{t("no_server")}</p>
      <button type="button" class="button main" onClick={() => location.reload()}>
        {t("try_again")}
      </button>
    </Page>
  ) : null;
}

function Lost() {
  return (
    <Page title={t("no_page")}>
      <p>{t("no_page_why")}</p>
    </Page>
  );
}
