import { t } from "../i18n";
import { Page } from "../ui";

export function ReplayPage() {
  return <Page title={t("replay")}>{null}</Page>;
}
