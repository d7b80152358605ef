import { t } from "../i18n";
import { Page } from "../ui";

export function RoomPage() {
  return <Page title={t("room")}>{null}</Page>;
}
