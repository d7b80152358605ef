import { t } from "../i18n";
import { Page } from "../ui";

export function RulesPage() {
  return <Page title={t("rules")}>{null}</Page>;
}
