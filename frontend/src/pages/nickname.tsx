import { t } from "../i18n";
import { settings } from "../settings";
import { Field } from "../ui";

export const nickname = (): string => settings.name.value.trim();

/** The name that others see; kept for the next time. */
export function Nickname({ wrong }: { wrong?: string | undefined }) {
  return (
    <Field label={t("your_name")} wrong={wrong}>
      <input
        value={settings.name.value}
        maxLength={12}
        autocomplete="nickname"
        name="nickname"
        aria-invalid={wrong ? true : undefined}
        onInput={(event) => (settings.name.value = event.currentTarget.value)}
      />
    </Field>
  );
}
