import { t } from "../i18n";
import { Page } from "../ui";

export function AnalysisPage() {
  return <Page title={t("analysis")}>{null}</Page>;
}
