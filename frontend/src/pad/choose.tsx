import { useEffect, useState } from "preact/hooks";
import { forms, get, loadForms } from "../api";
import { pick, t } from "../i18n";
import type { RuleBook, SheetForm } from "../messages";
import { emptied, OptionRow, type Values, withOption } from "../options";

/** A rule set as its book shows it under these options, the last one while the next is on its way. */
export function useBook(rules: string, values: Values): { book: RuleBook | null; wrong: string } {
  const [state, set] = useState<{ book: RuleBook | null; wrong: string }>({ book: null, wrong: "" });
  const options = JSON.stringify(values);
  const wanted = emptied(rules, values);
  useEffect(() => {
    let stale = false;
    if (rules && !wanted)
      get<RuleBook>(`rules/${encodeURIComponent(rules)}?options=${encodeURIComponent(options)}`).then(
        (book) => !stale && set({ book, wrong: "" }),
        (error: Error) => !stale && set((now) => ({ ...now, wrong: error.message })),
      );
    return () => void (stale = true);
  }, [rules, options]);
  const wrong = wanted || state.wrong;
  return { book: state.book?.form.id === rules ? state.book : null, wrong };
}

/** The sheets, once they are here; `problem` says why they are not. */
export function useSheets(): { sheets: SheetForm[]; problem: string } {
  const [problem, tell] = useState("");
  useEffect(() => {
    loadForms().catch((error: Error) => tell(error.message));
  }, []);
  return { sheets: forms.value?.sheets ?? [], problem };
}

/** Which rule set, and its options folded away, the disputed ones first. */
export function RulesChosen({ sheet, sheets, values, change, wrong }: {
  sheet: SheetForm;
  sheets: SheetForm[];
  values: Values;
  change: (rules: string, values: Values) => void;
  wrong: string;
}) {
  const shown = sheet.options.filter((option) => !["hands", "rounds"].includes(option.id));
  const row = (option: (typeof shown)[number]) => (
    <OptionRow
      key={option.id}
      rules={sheet.id}
      option={option}
      value={option.id in values ? values[option.id] : option.default}
      set={(value) => change(sheet.id, withOption(values, option, value))}
    />
  );
  const changed = Object.keys(values).length;
  return (
    <section class="paper chosen">
      <select class="input" aria-label={t("rule_set")} value={sheet.id} onChange={(event) => change(event.currentTarget.value, {})}>
        {sheets.map((one) => (
          <option value={one.id}>{pick(one)}</option>
        ))}
      </select>
      <details>
        <summary>{changed ? t("options_changed", { n: changed }) : t("options_default")}</summary>
        <div class="stack">
          {shown.filter((option) => option.asked).map(row)}
          <details>
            <summary>{t("other_options", { n: shown.filter((option) => !option.asked && !option.price).length })}</summary>
            <div class="stack">{shown.filter((option) => !option.asked && !option.price).map(row)}</div>
          </details>
          <details>
            <summary>{t("prices", { n: shown.filter((option) => option.price).length })}</summary>
            <div class="stack">{shown.filter((option) => option.price).map(row)}</div>
          </details>
        </div>
      </details>
      {wrong && <p class="notice bad">{wrong}</p>}
    </section>
  );
}
