// What browser and server say to each other. Written from src/hongzhong/server/messages.py and bodies.py:
// uv run python -m tests.client_types

export const PROTOCOL = 1;

/** `text` in mpsz as in the record; `tiles`: kinds by name (`?` while hidden); `turned`: the place of the tile that was
 * claimed, -1 for none; `source`: the seat it came from. */
export interface MeldShown {
  text: string;
  form: "added" | "chow" | "concealed" | "exposed" | "pung";
  tiles: string[];
  turned: number;
  source: number;
}

export interface RiverTile {
  tile: string;
  claimed: boolean;
}

/** What lies before one seat. `hand`: concealed tiles where they may be known (own, or all at the end), else empty. */
export interface SeatView {
  size: number;
  hand: string[];
  melds: MeldShown[];
  river: RiverTile[];
  score: number;
  total: number;
}

/** A kind that wins: copies this seat has not seen; points by discard and by draw, -1 where it cannot be won so. */
export interface Wait {
  tile: string;
  unseen: number;
  by_discard: number;
  by_draw: number;
}

/** One seat's view of the hand in play (seat -1: a spectator's). Seats are absolute; `around`: seats at the left, across and
 * right of the viewer on a screen. `number`: of the hand, from 0, `hands`: of the match, or 0 where it lasts `rounds` full rounds of
 * dealers; `round`: which of them is played, from 0. */
export interface TableView {
  seat: number;
  around: number[];
  number: number;
  hands: number;
  round: number;
  rounds: number;
  dealer: number;
  seats: SeatView[];
  drawn: string | null;
  remaining: number;
  turn: number;
  last_discard: [number, string] | null;
  over: boolean;
  reason: string | null;
  wins: Win[];
  false_win: number | null;
  next_dealer: number | null;
  wild: string[];
  waits: Wait[];
}

export interface Win {
  type: "win";
  seat: number;
  by: "discard" | "draw" | "kong";
  from?: number | null;
  tile: string;
  concealed: string;
  melds: string[];
  reading: string;
  points: number;
  patterns: Pattern[];
}

/** One row that a win is paid for; `name` is display text. */
export interface Pattern {
  id: string;
  name: string;
  kind: "base" | "fan" | "times";
  value: number;
  count: number;
  ruling: string;
}

/** A legal action: its frozen number, what it is, and the tiles it shows (discarded, claimed with, or konged). Where wins are called by
 * hand (C10) each seat is always offered the same win, right or false: the server knows which it is. */
export interface ActionShown {
  action: number;
  kind: "chow" | "claim_win" | "discard" | "draw_win" | "kong" | "pass" | "pung";
  tiles: string[];
}

/** What this seat is asked. `id` goes back with the answer; `until`: milliseconds left to answer, the bank included, -1 for no clock;
 * `move`: milliseconds left before the bank is drawn on (a claim never draws on it). `auto`: auto-play answers it. */
export interface Prompt {
  id: number;
  kind: "claim" | "rob" | "turn";
  tile: string | null;
  source: number;
  actions: ActionShown[];
  until: number;
  move: number;
  auto: boolean;
}

/** Milliseconds left to each seat's bank (-1: no clocks); `thinking`: the seats asked on an own turn (claims are not told) and
 * `until`: milliseconds that the first of them has left, -1 for none. `next_hand`: milliseconds until the next hand begins by
 * itself, -1 when none waits; it begins at once when every person said `ready`. `paused`: nobody is there, nothing moves. */
export interface Clock {
  bank: number[];
  thinking: number[];
  until: number;
  next_hand: number;
  paused: boolean;
}

/** One of a room's four places. `kind` empty: nobody yet, in play a bot holds it and whoever joins takes it over. `ready`: to
 * begin, between hands to go on. `away`: a bot answers until the person is back; `auto`: auto-play (托管). */
export interface Player {
  name: string;
  kind: "bot" | "empty" | "person";
  bot: string;
  connected: boolean;
  ready: boolean;
  auto: boolean;
  away: boolean;
  host: boolean;
}

/** How a room is run, apart from its rules. `move_seconds`: 0 for no clocks, else 3-300; `bank_seconds`: 0-600, full again at
 * every hand. `bots`: bots may take empty places; `public`: in the list of open rooms. */
export interface Settings {
  move_seconds: number;
  bank_seconds: number;
  bots: boolean;
  bot: string;
  hints: boolean;
  spectators: boolean;
  public: boolean;
}

/** A room as all in it may know it. `seat_of`: where each place sits at the table once play began (seats may be drawn).
 * `options`: what differs from the sheet's defaults. `votes`: places that want to end. `totals`: by place, over all matches that
 * ended. `commitment`: to the walls of the match in play or the next one. `record`: the last match's, to show or download. */
export interface Room {
  code: string;
  name: string;
  rules: string;
  options: Record<string, any>;
  summary_zh: string;
  summary_en: string;
  state: "ended" | "playing" | "waiting";
  places: Player[];
  seat_of: number[];
  spectators: number;
  votes: number[];
  settings: Settings;
  password: boolean;
  matches: number;
  totals: number[];
  scores: number[];
  ranking: number[];
  commitment: string;
  record: string | null;
}

/** The first message of a socket: who you are. `place`: 0-3, -1 for a spectator; `version`: of the server. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  version: string;
  place: number;
  room: Room;
}

export interface RoomChanged {
  type: "room";
  room: Room;
}

/** `events` since the last update (empty after a reconnect), the view they lead to, what is asked now. `seq` counts the match's
 * events that lie behind the view. */
export interface Update {
  type: "update";
  seq: number;
  events: AnyEvent[];
  view: TableView;
  prompt: Prompt | null;
  clock: Clock;
}

/** Heads a record. `dealer_throws`, `seat_draw` and `commitment` only where they apply. */
export interface Match {
  type: "match";
  format: number;
  engine: string;
  rules: string;
  rules_revision: number;
  options: Record<string, any>;
  players: string[];
  hands: number;
  first_dealer: number;
  dealer_throws?: number[][] | null;
  seat_draw?: number[] | null;
  commitment?: string | null;
  nonces?: string[] | null;
}

/** A hand of play begins; `scores` are the totals before it. Only the record holds `wall`. */
export interface Hand {
  type: "hand";
  number: number;
  dealer: number;
  scores: number[];
  wall?: string;
  dice?: number[][] | null;
  break?: number | null;
}

export interface Deal {
  type: "deal";
  seat: number;
  tiles: string;
}

export interface Draw {
  type: "draw";
  seat: number;
  tile: string;
  from: "tail" | "wall";
}

export interface Discard {
  type: "discard";
  seat: number;
  tile: string;
  drawn: boolean;
}

export interface Chow {
  type: "chow";
  seat: number;
  tile: string;
  with: string;
  from: number;
}

export interface Pung {
  type: "pung";
  seat: number;
  tile: string;
  from: number;
}

/** `hidden_` while a concealed kong lies face down (C7); then others see `"tile":"?"`. */
export interface Kong {
  type: "kong";
  seat: number;
  tile: string;
  kind: "added" | "concealed" | "exposed";
  from?: number | null;
  hidden?: boolean;
}

export interface FalseWin {
  type: "false_win";
  seat: number;
}

export interface Pay {
  type: "pay";
  deltas: number[];
  for: "false_win" | "follow_dealer" | "kong" | "kong_void" | "win";
}

/** `hands` and `melds` of all seats lie open; `scores` are the hand's own sums. */
export interface End {
  type: "end";
  reason: "aborted" | "exhausted" | "false_win" | "four_kongs" | "win";
  hands: string[];
  melds: string[][];
  scores: number[];
  next_dealer: number;
}

export interface Result {
  type: "result";
  scores: number[];
  ranking: number[];
  secret?: string | null;
}

/** A phrase by number (texts/phrases) from a place. */
export interface Said {
  type: "said";
  place: number;
  phrase: number;
}

/** What a discard leaves: tiles missing to a win (0: ready, -1: out of reach), the kinds that bring it nearer and how many copies are unseen. */
export interface DiscardHint {
  tile: string;
  away: number;
  kinds: string[];
  copies: number;
}

/** What the bot `value` would do, and what each discard leaves, the advised one first, then the nearest (empty at a claim). */
export interface HintGiven {
  type: "hint";
  prompt: number;
  action: number;
  discards: DiscardHint[];
}

/** A seat's token, for the personal link: your own one when asked for. */
export interface SeatGiven {
  type: "seat";
  place: number;
  token: string;
}

export interface Pong {
  type: "pong";
}

/** The seat was opened elsewhere; this tab stops. */
export interface Superseded {
  type: "superseded";
}

/** Something was not done: `code` is a stable id, `field` what was wrong, the texts say what would be right. Over HTTP it is the body
 * of every error. `fatal`: the socket closes, do not come back with the same hello. */
export interface Refused {
  type: "error";
  code: string;
  zh: string;
  en: string;
  field: string | null;
  fatal: boolean;
}

/** Must come first. `token`: the signed seat; without one a spectator's socket. `nonce`: the player's share in the walls of a quick
 * start, else it comes with `ready`. */
export interface Hello {
  type: "hello";
  protocol: number;
  token?: string;
  nonce?: string;
  password?: string;
}

/** Idempotent: the same answer to the same prompt again is a quiet yes. */
export interface Answer {
  type: "answer";
  prompt: number;
  action: number;
}

/** Auto-play (托管) on or off for the own seat. */
export interface Auto {
  type: "auto";
  on: boolean;
}

/** To begin the match, with the own share in its walls (up to 64 characters, drawn after the commitment was shown); between hands: go
 * on. */
export interface Ready {
  type: "ready";
  on: boolean;
  nonce?: string;
}

export interface Say {
  type: "say";
  phrase: number;
}

/** To end the match early. */
export interface Vote {
  type: "vote";
  on: boolean;
}

export interface Hint {
  type: "ask_hint";
  prompt: number;
}

/** Gives up the place: before play it is empty again, in play a bot holds it. The socket closes. */
export interface Leave {
  type: "leave";
}

/** For the own seat's token. */
export interface AskSeat {
  type: "ask_seat";
}

/** The host's: exchange two places, empty one (in play a bot holds it, and who joins takes it over), seat a bot, hand the room over,
 * start (bots fill up). */
export interface Manage {
  type: "manage";
  do: "bot" | "hand_over" | "remove" | "start" | "swap";
  place?: number;
  other?: number;
  bot?: string;
}

/** After the end: the room waits again for all to be ready, totals go on. */
export interface Rematch {
  type: "rematch";
}

export interface Ping {
  type: "ping";
}

/** GET api/status. `ready`: tables can be opened; until then kernels compile, `percent` says how far; `problem`: why they cannot.
 * `links`: addresses of the page, those for other devices last. */
export interface Status {
  version: string;
  protocol: number;
  ready: boolean;
  percent: number;
  problem: string;
  links: string[];
}

/** A value that an option takes, or a word beside its numbers, as players read it. */
export interface Choice {
  value: any;
  zh: string;
  en: string;
}

/** An option or price of a sheet, to be asked in a form. `choices`: all values of a choice, else words beside the numbers `low` to
 * `high` (`points`: three numbers, kongs exposed, added, concealed). `asked`: players of the region argue about it. */
export interface OptionForm {
  id: string;
  zh: string;
  en: string;
  kind: "bool" | "choice" | "int" | "points";
  default: any;
  choices: Choice[];
  low: number;
  high: number;
  ruling: string;
  asked: boolean;
  price: boolean;
}

/** A rule set. `options`: the disputed ones first, prices last; `tiles`: its kinds. */
export interface SheetForm {
  id: string;
  zh: string;
  en: string;
  summary_zh: string;
  summary_en: string;
  tiles: string[];
  wild: string[];
  clockwise: boolean;
  options: OptionForm[];
}

/** GET api/rules. `bots`: who can fill places; `phrases`: the short phrases by number, Chinese and English. */
export interface RuleForms {
  sheets: SheetForm[];
  bots: string[];
  phrases: [string, string][];
}

/** POST api/rules/check: are these options together a rule set? Answers `RulesChecked`, or an error in the sheet's words. */
export interface CheckRules {
  rules: string;
  options?: Record<string, any>;
}

/** `options`: only those that differ from the defaults; the summary names them in one line. */
export interface RulesChecked {
  rules: string;
  options: Record<string, any>;
  summary_zh: string;
  summary_en: string;
}

/** POST api/rooms. Answers `Seated`: who creates a room is its host and sits at place 0. `owner`: the browser's own id, under which
 * it finds its records. */
export interface CreateRoom {
  rules: string;
  nickname: string;
  options?: Record<string, any>;
  name?: string;
  password?: string;
  settings?: Settings;
  owner?: string;
}

/** POST api/quick: alone with three bots; play begins with the socket's `hello`. Answers `Seated`. */
export interface QuickStart {
  rules: string;
  nickname: string;
  options?: Record<string, any>;
  settings?: Settings;
  owner?: string;
}

/** POST api/rooms/{code}/join. `place`: -1 for the first free one. Answers `Seated`. */
export interface JoinRoom {
  nickname: string;
  password?: string;
  place?: number;
  owner?: string;
}

/** A place in a room: `token` is the signed seat; whoever has it sits there. */
export interface Seated {
  code: string;
  place: number;
  token: string;
  commitment: string;
}

/** GET api/rooms/{code}: what one who is about to join may know, also each of the open rooms in the list. */
export interface RoomCard {
  code: string;
  name: string;
  rules: string;
  summary_zh: string;
  summary_en: string;
  state: "ended" | "playing" | "waiting";
  players: string[];
  free: number;
  password: boolean;
  spectators: boolean;
}

/** GET api/rooms. */
export interface OpenRooms {
  rooms: RoomCard[];
}

/** A record in a list. `kept`: milliseconds since 1970; `seat`: where the browser that asks sat, -1 where it did not. The link with
 * the `id` shares it. */
export interface RecordCard {
  id: string;
  rules: string;
  rules_zh: string;
  rules_en: string;
  players: string[];
  scores: number[];
  hands: number;
  kept: number;
  seat: number;
}

/** GET api/records?before=...: the browser's own, newest first. `before`: where the next page begins, None at the end. */
export interface RecordList {
  records: RecordCard[];
  before: number | null;
}

/** A hand of a record, to jump to: `scores` are its own. */
export interface HandCard {
  number: number;
  dealer: number;
  reason: string;
  winners: number[];
  by: string;
  scores: number[];
  events: number;
}

/** GET api/records/{id}. `commitment` and `secret` where its walls are fair. Its lines: api/records/{id}/file. */
export interface RecordShown {
  card: RecordCard;
  summary_zh: string;
  summary_en: string;
  options: Record<string, any>;
  hands: HandCard[];
  commitment: string | null;
  secret: string | null;
}

/** A step of a replay: what happened, in words too, and what is seen then. */
export interface Frame {
  event: Match | Hand | Deal | Draw | Discard | Chow | Pung | Kong | Win | FalseWin | Pay | End | Result;
  zh: string;
  en: string;
  view: TableView;
}

/** GET api/records/{id}/hands/{number}?seat=0&open=1: a hand of play as a seat sees it, or from its side with all hands open (`open`:
 * then `drawn` is the tile of whoever drew last). */
export interface Replay {
  number: number;
  seat: number;
  open: boolean;
  players: string[];
  frames: Frame[];
}

/** A remark in both languages. */
export interface Note {
  zh: string;
  en: string;
}

/** POST api/verify with a record's lines, GET api/records/{id}/verify: does each line follow? `line`: the first that does not, 0 if
 * all do. The rest is what a page needs to check the walls itself (docs/fair-walls.md): `tiles` in the order they are laid before
 * the shuffle, `walls` by hand in drawing order; `secret` None where it was not opened. */
export interface Verified {
  ok: boolean;
  line: number;
  zh: string;
  en: string;
  notes: Note[];
  matches: number;
  hands: number;
  lines: number;
  rules: string;
  commitment: string | null;
  secret: string | null;
  nonces: string[];
  tiles: string;
  sides: boolean;
  walls: string[];
  dice: number[][][];
  dealers: number[];
}

/** POST api/house: options of a rule set under a name. Answers `HouseRules`. */
export interface KeepHouseRules {
  name: string;
  rules: string;
  options: Record<string, any>;
}

/** GET api/house/{id}, by whoever has the link. `options`: what differs from the defaults; `mine`: the browser that asks keeps them. */
export interface HouseRules {
  id: string;
  name: string;
  rules: string;
  options: Record<string, any>;
  summary_zh: string;
  summary_en: string;
  created: number;
  mine: boolean;
}

/** GET api/house: the browser's own. */
export interface HouseRulesList {
  house_rules: HouseRules[];
}

/** DELETE of a record (off the browser's list; gone once nobody has it) or of house rules. */
export interface Done {
  done: boolean;
}

/** What another value of a disputed option would make of a hand: an answer of the score contract. */
export interface Disputed {
  option: string;
  zh: string;
  en: string;
  value: any;
  value_zh: string;
  value_en: string;
  ruling: string;
  answer: any;
}

/** POST api/score/disputed with a request of the score contract, as api/score: the answer, and the disputed options that would change it. Of
 * a hand that does not win, or cannot be, also why, in words, how many tiles are to be exchanged (-1: not known) and what it waits for without the last
 * tile. */
export interface ScoreDisputed {
  answer: any;
  reason_zh: string;
  reason_en: string;
  formula: string;
  missing: number;
  waits: string[];
  disputed: Disputed[];
}

/** POST api/explain: a hand of 3n + 1 tiles, with `win_tile` as one that may win; flags and seats as in the score contract; `seen`:
 * tiles seen elsewhere. Answers `Explained`. */
export interface Explain {
  rules: string;
  concealed: string;
  options?: Record<string, any>;
  melds?: string[];
  win_tile?: string;
  by?: "discard" | "draw" | "kong";
  replacement?: boolean;
  last_tile?: boolean;
  first_turn?: boolean;
  winner?: number | null;
  dealer?: number | null;
  source?: number | null;
  seen?: string;
}

/** Why it wins or not, what it waits for, what disputed options would change: lines to read. */
export interface Explained {
  zh: string[];
  en: string[];
}

/** A shape that wins. `on`: whether the options in force allow it. */
export interface FormRow {
  id: string;
  zh: string;
  en: string;
  ruling: string;
  on: boolean;
}

/** What every win must meet, but for hands that show one of the `exempt` patterns; `reason` as in the score contract. */
export interface ConditionRow {
  reason: string;
  zh: string;
  en: string;
  ruling: string;
  exempt: string[];
}

/** A row of the price table; `counted`: once for each kong. */
export interface PatternRow {
  id: string;
  zh: string;
  en: string;
  kind: "base" | "fan" | "times";
  value: number;
  ruling: string;
  counted: boolean;
}

/** A worked hand: a request of the score contract and its points under the defaults, None where it does not win. */
export interface ExampleRow {
  zh: string;
  en: string;
  request: Record<string, any>;
  points: number | null;
}

/** GET api/rules/{name}?options={...}: a rule set as a page shows it, under these options. `claims`: what may be claimed, by id and in both
 * languages; `reasons`: words for the other reasons of the score contract. */
export interface RuleBook {
  form: SheetForm;
  summary_zh: string;
  summary_en: string;
  copies: number;
  claims: [string, string, string][];
  forms: FormRow[];
  conditions: ConditionRow[];
  patterns: PatternRow[];
  reasons: Record<string, [string, string]>;
  examples: ExampleRow[];
}

export type AnyEvent = Match | Hand | Deal | Draw | Discard | Chow | Pung | Kong | Win | FalseWin | Pay | End | Result;

export type ServerMessage = Welcome | RoomChanged | Update | Said | HintGiven | SeatGiven | Pong | Superseded | Refused;

export type ClientMessage = Hello | Answer | Auto | Ready | Say | Vote | Hint | Leave | AskSeat | Manage | Rematch | Ping;
