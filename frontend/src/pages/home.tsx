import { t } from "../i18n";
import { Page } from "../ui";

export function Home() {
  return <Page title={t("app")} back={false}>{null}</Page>;
}
