import { t } from "../i18n";
import { Page } from "../ui";

export function CalculatorPage() {
  return <Page title={t("calculator")}>{null}</Page>;
}
