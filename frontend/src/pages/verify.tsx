import { t } from "../i18n";
import { Page } from "../ui";

export function VerifyPage() {
  return <Page title={t("verify")}>{null}</Page>;
}
