import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, forms, get, loadForms, owner, post, remove } from "../api";
import { counted, pick, t } from "../i18n";
import type {
  CheckRules,
  CreateRoom,
  HouseRules,
  HouseRulesList,
  KeepHouseRules,
  OptionForm,
  RulesChecked,
  Seated,
  Settings,
  SheetForm,
} from "../messages";
import { emptied, OptionRow, type Values, withOption } from "../options";
import { go, route, swap } from "../router";
import { keepSeat } from "../session";
import { botName } from "../table/seats";
import { Choice, Field, Icon, Page, Switch } from "../ui";
import { Nickname, nickname } from "./nickname";
import { CopyLine } from "./share";

/** The form of a new room: `?rules=hebei` chooses the rule set, `?house=ID` house rules that somebody shared. */
export function NewRoom() {
  const [problem, tell] = useState("");
  const [house, open] = useState<HouseRules | null>(null);
  const shared = route.value.query.get("house");
  useEffect(() => {
    loadForms().catch((error: Error) => tell(error.message));
  }, []);
  useEffect(() => {
    if (shared) get<HouseRules>(`house/${encodeURIComponent(shared)}`).then(open, (error: Error) => tell(error.message));
  }, [shared]);
  const sheets = forms.value?.sheets ?? [];
  const wanted = house?.rules ?? route.value.query.get("rules");
  const sheet = sheets.find((one) => one.id === wanted) ?? sheets[0];
  const waiting = shared && !house && !problem;
  return (
    <Page title={t("new_room")}>
      {problem && <p class="notice bad">{problem}</p>}
      {sheet && !waiting && <Form key={`${sheet.id} ${house?.id}`} sheet={sheet} sheets={sheets} house={house} open={open} />}
    </Page>
  );
}

function Form({ sheet, sheets, house, open }: {
  sheet: SheetForm;
  sheets: SheetForm[];
  house: HouseRules | null;
  open: (house: HouseRules) => void;
}) {
  const [values, set] = useState<Values>(house?.options ?? {});
  const [room, setRoom] = useState({ name: "", password: "" });
  const [settings, setSettings] = useState<Settings>({
    move_seconds: 15,
    bank_seconds: 30,
    bots: true,
    bot: "greedy",
    hints: true,
    spectators: true,
    public: false,
  });
  const [problem, tell] = useState<{ text: string; field: string | null } | null>(null);
  const [busy, work] = useState(false);
  const checked = useCheck(sheet.id, values);
  const wrong = checked.wrong ?? (problem?.field === "options" ? problem.text : null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => goTo(form.current, problem?.field), [problem]);
  const change = (option: OptionForm, value: any) => {
    tell(null);
    set((now) => withOption(now, option, value));
  };
  const refused = (field: string) => (problem?.field === field ? problem.text : undefined);
  const asked = sheet.options.filter((option) => option.asked);
  const others = sheet.options.filter((option) => !option.asked && !option.price && !LENGTHS.includes(option.id));
  const prices = sheet.options.filter((option) => option.price);
  const row = (option: OptionForm) => (
    <OptionRow key={option.id} rules={sheet.id} option={option} value={option.id in values ? values[option.id] : option.default} set={(value) => change(option, value)} />
  );
  const create = async (event: Event) => {
    event.preventDefault();
    if (!nickname()) return tell({ text: t("name_needed"), field: "nickname" });
    if (checked.wrong !== null) return tell({ text: checked.wrong, field: "options" });
    work(true);
    const body: CreateRoom = { rules: sheet.id, nickname: nickname(), options: values, ...room, settings, owner };
    try {
      const seat = await post<Seated>("rooms", body);
      keepSeat(seat.code, seat.token);
      go("r", seat.code);
    } catch (error) {
      tell({ text: (error as Error).message, field: (error as ApiError).field ?? null });
      work(false);
    }
  };
  return (
    <form class="stack" noValidate ref={form} onSubmit={create}>
      <section class="paper">
        <Nickname wrong={refused("nickname")} />
        <Choice
          label={t("rule_set")}
          value={sheet.id}
          options={sheets.map((one) => [one.id, pick(one)] as const)}
          set={(id) => swapRules(id)}
        />
        <p class="soft">{pick({ zh: sheet.summary_zh, en: sheet.summary_en })}</p>
        <Length sheet={sheet} values={values} set={set} />
      </section>
      <section class="paper">
        <h2>{t("asked_first")}</h2>
        {asked.map(row)}
        <details>
          <summary>{t("other_options", { n: others.length })}</summary>
          <div class="stack">{others.map(row)}</div>
        </details>
        <details>
          <summary>{t("prices", { n: prices.length })}</summary>
          <div class="stack">{prices.map(row)}</div>
        </details>
        <p class={wrong ? "notice bad" : "notice"} role="status" tabIndex={-1}>
          {wrong ?? t("summary_text", { text: checked.summary })}
        </p>
        <HouseShelf rules={sheet.id} values={values} wrong={checked.wrong !== null} house={house} open={open} />
      </section>
      <section class="paper">
        <Choice
          label={t("clock")}
          value={`${settings.move_seconds}/${settings.bank_seconds}`}
          options={[
            ["0/0", t("no_clock")],
            ["10/20", "10 + 20"],
            ["15/30", "15 + 30"],
            ["30/60", "30 + 60"],
          ]}
          set={(text) => {
            const [move, bank] = text.split("/").map(Number);
            setSettings({ ...settings, move_seconds: move!, bank_seconds: bank! });
          }}
        />
        {settings.move_seconds > 0 && (
          <p class="soft">{t("clock_text", { move: settings.move_seconds, bank: settings.bank_seconds })}</p>
        )}
        <Switch label={t("bots_fill")} on={settings.bots} set={(bots) => setSettings({ ...settings, bots })} />
        {settings.bots && (
          <Choice
            label={t("bot_level")}
            value={settings.bot}
            options={(forms.value?.bots ?? []).map((bot) => [bot, botName(bot)] as const)}
            set={(bot) => setSettings({ ...settings, bot })}
          />
        )}
        <Switch label={t("hints_allowed")} on={settings.hints} set={(hints) => setSettings({ ...settings, hints })} />
        <Switch label={t("spectators_allowed")} on={settings.spectators} set={(spectators) => setSettings({ ...settings, spectators })} />
        <Switch label={t("public_room")} on={settings.public} set={(shown) => setSettings({ ...settings, public: shown })} />
        <Field label={t("room_name")} wrong={refused("name")}>
          <input name="name" value={room.name} maxLength={24} onInput={(event) => setRoom({ ...room, name: event.currentTarget.value })} />
        </Field>
        <Field label={t("password")} wrong={refused("password")}>
          <input name="password" value={room.password} maxLength={32} autocomplete="off" onInput={(event) => setRoom({ ...room, password: event.currentTarget.value })} />
        </Field>
      </section>
      {problem && !BESIDE.includes(problem.field ?? "") && (
        <p class="notice bad" role="alert" tabIndex={-1}>
          {problem.text}
        </p>
      )}
      <button class="button main big" disabled={busy}>
        {t("open_it")}
      </button>
    </form>
  );

  function swapRules(id: string) {
    swap("new");
    location.hash = `#/new?rules=${id}`;
  }
}

const LENGTHS = ["hands", "rounds"];

/** Refused fields whose words stand beside them. */
const BESIDE = ["nickname", "name", "password", "options"];

/** Brings what was refused into view and into focus: the field, a wrong number of the options, else the words about it. */
function goTo(form: HTMLFormElement | null, field: string | null | undefined): void {
  if (!form || field === undefined) return;
  const wrong = field === "options" ? ".option input:invalid, .option [aria-invalid=true]" : `input[name="${field}"]`;
  const words = field === "options" ? ".notice[role=status]" : ".notice[role=alert]";
  const target = form.querySelector<HTMLElement>(wrong) ?? form.querySelector<HTMLElement>(words);
  target?.closest("details")?.setAttribute("open", "");
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: "center" });
}

/** So many hands, or so many full rounds of dealers. */
function Length({ sheet, values, set }: { sheet: SheetForm; values: Values; set: (values: Values) => void }) {
  const [hands, rounds] = LENGTHS.map((id) => sheet.options.find((option) => option.id === id)!) as [OptionForm, OptionForm];
  const { hands: n = hands.default, rounds: full = rounds.default, ...rest } = values;
  const stays = "dealer_stays_on_plain_win";
  const slow = values[stays] ?? sheet.options.find((option) => option.id === stays)?.default;
  const some = (usual: number[], now: number) => [...new Set([...usual, ...(now ? [now] : [])])].sort((a, b) => a - b);
  return (
    <>
      <Choice
        label={t("length")}
        value={full ? `rounds ${full}` : `hands ${n}`}
        options={[
          ...some([1, 4, 8, 16], n).map((n) => [`hands ${n}`, counted("hand", n)] as const),
          ...some([1, 2, 4], full).map((n) => [`rounds ${n}`, counted("round", n)] as const),
        ]}
        set={(chosen) => {
          const [by, count] = chosen.split(" ") as [string, string];
          const length = withOption(rest, rounds, by === "rounds" ? Number(count) : 0);
          set(by === "rounds" ? length : withOption(length, hands, Number(count)));
        }}
      />
      {full > 0 && (
        <p class="soft">
          {t("rounds_text")} {slow && <b>{t("rounds_slow")}</b>}
        </p>
      )}
    </>
  );
}

/** Asks the server whether the options go together; its words say why not. */
function useCheck(rules: string, values: Values): { summary: string; wrong: string | null } {
  const [answer, set] = useState<RulesChecked | null>(null);
  const [wrong, tell] = useState<string | null>(null);
  const latest = useRef(0);
  const key = JSON.stringify(values);
  const wanted = emptied(rules, values);
  useEffect(() => {
    const mine = ++latest.current;
    if (wanted) return;
    const body: CheckRules = { rules, options: values };
    const timer = setTimeout(
      () =>
        post<RulesChecked>("rules/check", body).then(
          (checked) => mine === latest.current && (set(checked), tell(null)),
          (error: Error) => mine === latest.current && tell(error.message),
        ),
      150,
    );
    return () => clearTimeout(timer);
  }, [rules, key]);
  return { summary: answer ? pick({ zh: answer.summary_zh, en: answer.summary_en }) : "…", wrong: wanted || wrong };
}

/** House rules under a name: those kept by this browser, the present ones to be kept, a link for friends. */
function HouseShelf({ rules, values, wrong, house, open }: {
  rules: string;
  values: Values;
  wrong: boolean;
  house: HouseRules | null;
  open: (house: HouseRules) => void;
}) {
  const [kept, list] = useState<HouseRules[]>([]);
  const [name, write] = useState("");
  const [problem, tell] = useState("");
  const load = () =>
    get<HouseRulesList>("house").then(
      (answer) => list(answer.house_rules),
      () => undefined,
    );
  useEffect(() => void load(), []);
  const keep = () => {
    const body: KeepHouseRules = { name: name.trim(), rules, options: values };
    post<HouseRules>("house", body).then(
      (one) => {
        write("");
        tell("");
        open(one);
      },
      (error: Error) => tell(error.message),
    );
  };
  return (
    <details open={house !== null}>
      <summary>{t("house_shelf")}</summary>
      <div class="stack">
        {kept.map((one) => (
          <div class="row nowrap" key={one.id}>
            <button type="button" class="button grow" aria-pressed={one.id === house?.id} onClick={() => open(one)}>
              {one.name}
            </button>
            <button
              type="button"
              class="button icon"
              aria-label={`${t("remove_rules")} ${one.name}`}
              onClick={() => void remove(`house/${one.id}`).then(load)}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        {house && <CopyLine link={`${location.href.split("#")[0]}#/new?house=${house.id}`} />}
        <span class="row nowrap">
          <input class="input grow" value={name} maxLength={24} aria-label={t("house_name")} placeholder={t("house_name")} onInput={(event) => write(event.currentTarget.value)} />
          <button type="button" class="button" disabled={!name.trim() || wrong} onClick={keep}>
            {t("keep_rules")}
          </button>
        </span>
        {problem && (
          <small class="wrong" role="alert">
            {problem}
          </small>
        )}
      </div>
    </details>
  );
}
