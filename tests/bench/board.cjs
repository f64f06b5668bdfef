"use strict";
// A recording of Bura played by boardgame.io: `node board.cjs FILE [--bare]`; how many moves it took. Exit 1 at the first refused.
const { readFileSync } = require("node:fs");
const rules = require("./bura.cjs");

const [file, bare] = process.argv.slice(2);
const [began, ...events] = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
let last = rules.setup(began.seats.length);

// A match a hand: its log would slow the next one down.
function table() {
  const { Client } = require("boardgame.io/client");
  const { INVALID_MOVE } = require("boardgame.io/core");
  const play = (kind) => ({ G }, event) => (rules.move(G, { ...event, type: kind }) ? undefined : INVALID_MOVE);
  const moves = Object.fromEntries(rules.kinds.map((kind) => [kind, play(kind)]));
  const begin = ({ G }, given) => Object.assign(G, given);
  const game = { setup: () => rules.setup(began.seats.length), moves: { ...moves, begin }, disableUndo: true };
  const client = Client({ game, numPlayers: began.seats.length, debug: false });
  const state = () => client.store.getState();
  return (event) => {
    if (event.type === "hand_began") {
      last = state().G;
      client.reset();
      client.moves.begin(last);
    }
    const before = state()._stateID;
    client.moves[event.type](event);
    return state()._stateID === before + 1;
  };
}

const plays = bare ? (event) => rules.move(last, event) : table();
for (const event of events) {
  if (event.type === "recording_ended") break;
  if (!rules.kinds.includes(event.type) || !plays(event)) {
    console.error(`event ${event.seq} refused`);
    process.exit(1);
  }
}
console.log(events.length + 1);
