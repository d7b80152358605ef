import { t } from "../i18n";
import { Page } from "../ui";

export function SettingsPage() {
  return <Page title={t("settings")}>{null}</Page>;
}
