import { pick, t, type Key } from "./i18n";
import { sheetOf } from "./api";
import type { OptionForm } from "./messages";
import { href } from "./router";
import { Choice, Switch } from "./ui";

/** Options by id, those alone that differ from a sheet's defaults. */
export type Values = Record<string, any>;

export function withOption(values: Values, option: OptionForm, value: any): Values {
  const { [option.id]: _, ...rest } = values;
  return JSON.stringify(value) === JSON.stringify(option.default) ? rest : { ...rest, [option.id]: value };
}

/** Which number is still to be given, in words: an emptied field counts as "". Empty: none. */
export function emptied(rules: string, values: Values): string {
  const option = sheetOf(rules)?.options.find(({ id }) => [values[id]].flat().includes(""));
  return option ? numberWanted(option) : "";
}

const numberWanted = (option: OptionForm): string => t("number_wanted", { option: pick(option), low: option.low, high: option.high });

/** An option of a sheet as a form asks it, its ruling beside it. */
export function OptionRow({ rules, option, value, set }: { rules: string; option: OptionForm; value: any; set: (value: any) => void }) {
  const changed = JSON.stringify(value) !== JSON.stringify(option.default);
  const label = pick(option);
  const foot = (
    <small class="soft option-foot">
      <a href={href("rules", rules, option.ruling)} target="_blank" title={t("ruling")}>
        {option.ruling}
      </a>
      {changed && (
        <button type="button" class="link" onClick={() => set(option.default)}>
          {t("back_to_default")}
        </button>
      )}
    </small>
  );
  if (option.kind === "bool")
    return (
      <div class={changed ? "option bool changed" : "option bool"}>
        <Switch label={label} on={value} set={set} />
        {foot}
      </div>
    );
  if (option.kind === "choice")
    return (
      <div class={changed ? "option changed" : "option"}>
        <Choice label={label} value={value} options={option.choices.map((choice) => [choice.value, pick(choice)] as const)} set={set} />
        {foot}
      </div>
    );
  const triple = option.kind === "points";
  const bad = (now: any) => now === "" || (typeof now === "number" && !(now >= option.low && now <= option.high));
  const words = option.choices;
  const number = (part: number, now: any, put: (n: number | "") => void, name?: string) => (
    <label class="number" key={part}>
      {name && <small>{name}</small>}
      <input
        class="input num"
        type="number"
        inputMode="numeric"
        min={option.low}
        max={option.high}
        aria-label={name ? `${label} ${name}` : label}
        value={typeof now === "number" ? now : ""}
        aria-invalid={bad(now) || undefined}
        onInput={(event) => put(event.currentTarget.value && event.currentTarget.valueAsNumber)}
      />
    </label>
  );
  return (
    <div class={changed ? "option changed" : "option"} role="group" aria-label={label}>
      <span>{label}</span>
      <span class="row">
        {triple
          ? (["exposed", "added", "concealed"] as const).map((kind, i) =>
              number(i, value[i], (n) => set(value.map((old: number, j: number) => (j === i ? n : old))), t(`triple_${kind}` as Key)),
            )
          : number(0, value, set)}
        {words.map((word) => (
          <button type="button" class="button" aria-pressed={word.value === value} onClick={() => set(word.value === value ? option.default : word.value)}>
            {pick(word)}
          </button>
        ))}
      </span>
      {[value].flat().some(bad) && <small class="wrong">{numberWanted(option)}</small>}
      {foot}
    </div>
  );
}
