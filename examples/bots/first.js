#!/usr/bin/env node
// A bot in 30 lines: it wins when it may, never claims, throws its loneliest tile (docs/contracts.md, outside bots).
const PASS = 34, WINS = [35, 36];
let seat, hand;

// "12m7z" as numbers: 0-8 are 1m-9m, then s, p and seven honours
const kinds = (tiles) => [...tiles.matchAll(/(\d+)([mspz])/g)].flatMap(([, ranks, suit]) =>
  [...ranks].map((rank) => "mspz".indexOf(suit) * 9 + Number(rank) - 1));

// how much of the hand lies near it
const company = (kind) => hand.filter((other) => other === kind ||
  (kind < 27 && Math.abs(other - kind) < 3 && Math.floor(other / 9) === Math.floor(kind / 9)))
  .reduce((sum, other) => sum + 3 - Math.abs(other - kind), 0);

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    seat = message.seat;
    say({ type: "ready" });
  } else if (message.type === "prompt") {
    const win = message.actions.find((action) => WINS.includes(action));
    const discards = message.actions.filter((action) => action < PASS).sort((a, b) => company(a) - company(b));
    say({ type: "answer", id: message.id, action: win ?? discards[0] ?? PASS });
  } else if (message.seat !== seat) return;
  else if (message.type === "deal") hand = kinds(message.tiles);
  else if (message.type === "draw") hand.push(...kinds(message.tile));
  else if (message.type === "discard") hand.splice(hand.indexOf(kinds(message.tile)[0]), 1);
});
