import { t } from "../i18n";
import { settings } from "../settings";
import { Choice, Page, Switch } from "../ui";

/** All settings; on their page and in a table's menu. */
export function SettingsForm() {
  return (
    <div class="stack">
      <Choice
        label={t("language")}
        value={settings.lang.value}
        options={[
          ["zh", "中文"],
          ["en", "English"],
        ]}
        set={(lang) => (settings.lang.value = lang)}
      />
      <Switch label={t("sound")} on={settings.sound.value} set={(on) => (settings.sound.value = on)} />
      <Switch label={t("tile_indices")} on={settings.indices.value} set={(on) => (settings.indices.value = on)} />
      <Switch label={t("large_mode")} on={settings.large.value} set={(on) => (settings.large.value = on)} />
      <Switch label={t("auto_sort")} on={settings.autoSort.value} set={(on) => (settings.autoSort.value = on)} />
      <Switch label={t("confirm_discard")} on={settings.confirm.value} set={(on) => (settings.confirm.value = on)} />
    </div>
  );
}

export function SettingsPage() {
  return (
    <Page title={t("settings")}>
      <section class="paper">
        <SettingsForm />
      </section>
    </Page>
  );
}
