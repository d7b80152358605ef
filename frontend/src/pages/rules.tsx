import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { pick, t } from "../i18n";
import type { OptionForm, RuleBook } from "../messages";
import { useBook, useSheets } from "../pad/choose";
import { href, route } from "../router";
import { rulingsOf, type Ruling } from "../rulings";
import { settings } from "../settings";
import { Tiles } from "../tiles";
import { Choice, Page } from "../ui";

/** A rule set to read: `#/rules/hebei`; `#/rules/hebei/H7` goes to that ruling. */
export function RulesPage() {
  const [rules = "", ruling = ""] = route.value.args;
  const { sheets, problem } = useSheets();
  const sheet = rules ? sheets.find((one) => one.id === rules) : sheets[0];
  const { book, wrong } = useBook(sheet?.id ?? "", {});
  return (
    <Page title={sheet ? pick(sheet) : t("rules")}>
      {rules && !sheet && sheets.length > 0 && (
        <p class="notice bad" role="alert">
          {t("no_rules", { name: rules })}
        </p>
      )}
      {(problem || wrong) && <p class="notice bad">{problem || wrong}</p>}
      {(sheets.length > 1 || !sheet) && sheets.length > 0 && (
        <section class="paper">
          <Choice label={t("rule_set")} hidden value={sheet?.id ?? ""} options={sheets.map((one) => [one.id, pick(one)] as const)} set={(id) => (location.hash = href("rules", id))} />
        </section>
      )}
      {book && <Book key={book.form.id} book={book} ruling={ruling} />}
    </Page>
  );
}

function Book({ book, ruling }: { book: RuleBook; ruling: string }) {
  const { form } = book;
  const name = (id: string) => {
    const row = book.patterns.find((pattern) => pattern.id === id);
    return row ? pick(row) : id;
  };
  const options = form.options.filter((option) => !option.price);
  return (
    <>
      <section class="paper">
        <p>{pick({ zh: form.summary_zh, en: form.summary_en })}</p>
        <p class="soft">
          {t("rules_tiles", { n: book.copies })} · {book.claims.map(([, zh, en]) => pick({ zh, en })).join(" · ")}
        </p>
        {form.wild.length > 0 && (
          <p class="row">
            {t("rules_wild")} <Tiles kinds={form.wild} wild={form.wild} />
          </p>
        )}
      </section>
      <section class="paper">
        <h2>{t("rules_shapes")}</h2>
        <Table rules={form.id} rows={book.forms.map((row) => ({ head: pick(row), value: "", ruling: row.ruling, off: !row.on }))} />
        {book.conditions.length > 0 && <h2>{t("rules_conditions")}</h2>}
        <Table
          rules={form.id}
          rows={book.conditions.map((row) => ({
            head: (
              <>
                {pick(row)}
                {row.exempt.length > 0 && <small class="soft">{t("rules_exempt", { list: row.exempt.map(name).join(", ") })}</small>}
              </>
            ),
            value: "",
            ruling: row.ruling,
          }))}
        />
      </section>
      <section class="paper">
        <h2>{t("rules_prices")}</h2>
        <Table
          rules={form.id}
          rows={book.patterns.map((row) => ({
            head: pick(row) + (row.counted ? ` (${t("rules_each_kong")})` : ""),
            value: t(`kind_${row.kind}`, { value: row.value }),
            ruling: row.ruling,
          }))}
        />
      </section>
      <section class="paper">
        <h2>{t("rules_options")}</h2>
        <p class="soft">{t("rules_options_why")}</p>
        <Table
          rules={form.id}
          rows={options.map((option) => ({
            head: (
              <>
                {pick(option)}
                <small class="soft">{range(option)}</small>
              </>
            ),
            value: said(option, option.default),
            ruling: option.ruling,
            asked: option.asked,
          }))}
        />
      </section>
      {book.examples.length > 0 && (
        <section class="paper">
          <h2>{t("rules_examples")}</h2>
          <ul class="lines">
            {book.examples.map((example) => (
              <li>
                <a href={`${href("calculator")}?request=${encodeURIComponent(JSON.stringify({ rules: form.id, ...example.request }))}`}>{pick(example)}</a>
                <b class="num">{example.points === null ? t("verdict_no") : t("points_n", { n: example.points })}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Rulings rules={form.id} here={ruling} />
    </>
  );
}

interface Row {
  head: ComponentChildren;
  value: string;
  ruling: string;
  off?: boolean;
  asked?: boolean;
}

function Table({ rules, rows }: { rules: string; rows: Row[] }) {
  return (
    <table class="book">
      <tbody>
        {rows.map((row) => (
          <tr class={`${row.off ? "off" : ""} ${row.asked ? "asked" : ""}`}>
            <th scope="row">{row.head}</th>
            {row.value && <td class="num">{row.value}</td>}
            <td>
              <a href={href("rules", rules, row.ruling)}>{row.ruling}</a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A value as players say it. */
function said(option: OptionForm, value: any): string {
  const word = option.choices.find((choice) => choice.value === value);
  if (word) return pick(word);
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return Array.isArray(value) ? value.join(" / ") : value === null ? t("none") : String(value);
}

function range(option: OptionForm): string {
  if (option.kind === "bool") return "";
  const words = option.choices.filter((choice) => choice.value !== option.default).map(pick);
  return option.kind === "choice" ? words.join(" / ") : [`${option.low}–${option.high}`, ...words].join(" / ");
}

function Rulings({ rules, here }: { rules: string; here: string }) {
  const [rulings, show] = useState<Ruling[]>([]);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    let stale = false;
    rulingsOf(rules, here).then(
      (found) => !stale && show(found),
      () => undefined,
    );
    return () => void (stale = true);
  }, [rules, here]);
  useEffect(() => place.current?.scrollIntoView(), [rulings, here]);
  if (!rulings.length) return null;
  const lang = settings.lang.value;
  return (
    <section class="paper">
      <h2>{t("rules_rulings")}</h2>
      {rulings.map((ruling) => (
        <article key={ruling.id} class={ruling.id === here ? "ruling-text here" : "ruling-text"} ref={ruling.id === here ? place : undefined}>
          <h3>
            {ruling.id} · {ruling.title}
          </h3>
          {ruling.parts.map((part) =>
            part.kind === "table" ? <Grid text={part.text} /> : (part.lang === "both" || part.lang === lang) && <p>{inline(part.text, rules)}</p>,
          )}
        </article>
      ))}
    </section>
  );
}

function Grid({ text }: { text: string }) {
  const rows = text.split("\n").filter((line) => !/^\|[\s:|-]+\|$/.test(line));
  return (
    <div class="rolls" tabIndex={0} role="group" aria-label={t("rules_table")}>
      <table>
        <tbody>
          {rows.map((line) => (
            <tr>
              {line
                .slice(1, -1)
                .split("|")
                .map((cell) => (
                  <td>{inline(cell.trim(), "")}</td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The few marks that the rules use: `code`, links, ids of rulings. */
function inline(text: string, rules: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\)|\b[CHNQ]\d+\b)/).map((piece) => {
    if (piece.startsWith("`")) return <code>{piece.slice(1, -1)}</code>;
    const link = /^\[([^\]]+)\]\(/.exec(piece);
    if (link) return link[1];
    return rules && /^[CHNQ]\d+$/.test(piece) ? <a href={href("rules", rules, piece)}>{piece}</a> : piece;
  });
}
