import { t } from "../i18n";
import { Page } from "../ui";

export function NewRoom() {
  return <Page title={t("new_room")}>{null}</Page>;
}
