import { t } from "../i18n";
import { Page } from "../ui";

export function HistoryPage() {
  return <Page title={t("history")}>{null}</Page>;
}
