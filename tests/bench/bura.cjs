"use strict";
// Bura by `rules.md` 1 for boardgame.io: one move an event. Two, three, four or six seats, so that all hold equally many.
const ORDER = "6789JQKTA";
const WORTH = { A: 11, T: 10, K: 4, Q: 3, J: 2 };
const PACK = [..."shdc"].flatMap((suit) => [...ORDER].map((rank) => rank + suit));

const beats = (card, other, trump) =>
  card[1] === other[1] ? ORDER.indexOf(card[0]) > ORDER.indexOf(other[0]) : card[1] === trump;
const setBeats = (cards, others, trump) =>
  others.length === 0 ||
  cards.some((card, at) => beats(card, others[0], trump) && setBeats(cards.filter((_, i) => i !== at), others.slice(1), trump));
const isIn = (cards, others) => cards.every((card, at) => others.includes(card) && cards.indexOf(card) === at);
const oneSuit = (cards) => cards.every((card) => card[1] === cards[0][1]);
const next = (G, seat) => (seat % G.count) + 1;
const order = (G, first) => Array.from({ length: G.count }, (_, i) => ((first - 1 + i) % G.count) + 1);

function setup(count) {
  return { count, stake: 0, pot: 0, number: 0, dealer: 0, phase: "between", due: [] };
}

function fromPack(G, cards) {
  if (!isIn(cards, G.pack)) return false;
  G.pack = G.pack.filter((card) => !cards.includes(card));
  return true;
}

function combination(G, seat, kind) {
  const cards = G.hands[seat];
  if (cards.length !== 3) return false;
  const trumps = cards.every((card) => card[1] === G.trump);
  if (kind === "bura") return trumps;
  return kind === "three_aces" ? cards.every((card) => card[0] === "A") : oneSuit(cards) && !trumps;
}

// Who lays next, and whether those must be the three cards that were declared.
function leader(G) {
  for (const kind of ["three_aces", "molodka"]) {
    const seat = order(G, G.winner).find((each) => G.said[each] === kind);
    if (seat) return { seat, kind };
  }
  return { seat: G.winner, kind: "" };
}

function wins(G, seat, reason) {
  Object.assign(G, { phase: "payout", taker: seat, reason, dealer: seat });
}

function contest(G) {
  const claims = order(G, G.winner).filter((seat) => ["bura", "three_aces"].includes(G.said[seat]));
  return claims.reduce((holder, seat) => (setBeats(G.hands[seat], G.hands[holder], G.trump) ? seat : holder));
}

function lays(G, seat, cards, face) {
  if (!isIn(cards, G.hands[seat])) return false;
  G.hands[seat] = G.hands[seat].filter((card) => !cards.includes(card));
  if (face === "up") Object.assign(G, { best: cards, winner: seat });
  G.laid += cards.reduce((sum, card) => sum + (WORTH[card[0]] || 0), 0);
  G.turn = next(G, seat);
  return true;
}

function trickEnds(G) {
  G.points[G.winner] += G.laid;
  const each = Math.min(3 - G.hands[G.winner].length, G.stock / G.count);
  Object.assign(G, { phase: "taken", turn: G.winner, draws: each, said: {} });
  return true;
}

const moves = {
  stake_set(G, { amount }) {
    G.stake = amount;
    return G.phase === "between" && G.pot === 0 && amount > 0;
  },
  hand_began(G, { dealer, hand }) {
    if (G.phase !== "between" || hand !== G.number + 1 || (G.dealer && dealer !== G.dealer)) return false;
    const first = next(G, dealer);
    Object.assign(G, { number: hand, dealer, winner: first, turn: first, pack: PACK, hands: {}, points: {}, said: {} });
    Object.assign(G, { stock: 36, phase: "deal", due: G.pot ? [] : order(G, first), share: G.stake, why: "ante" });
    return true;
  },
  staked(G, { seat, amount, why }) {
    if (!G.due.includes(seat) || amount !== G.share || why !== G.why) return false;
    G.due = G.due.filter((each) => each !== seat);
    G.pot += amount;
    return true;
  },
  dealt(G, { seat, cards }) {
    if (G.phase !== "deal" || G.due.length || seat !== G.turn || G.hands[seat] || cards.length !== 3) return false;
    Object.assign(G.hands, { [seat]: cards });
    Object.assign(G.points, { [seat]: 0 });
    G.turn = next(G, seat);
    G.stock -= 3;
    return fromPack(G, cards);
  },
  trump_turned(G, { card }) {
    if (G.phase !== "deal" || Object.keys(G.hands).length !== G.count) return false;
    Object.assign(G, { trump: card[1], turnup: card, phase: "lead" });
    return fromPack(G, [card]);
  },
  declared(G, { seat, combination: kind, cards }) {
    if (G.phase !== "lead" || G.said[seat] || !combination(G, seat, kind)) return false;
    G.said[seat] = kind;
    return !cards || (cards.length === 3 && isIn(cards, G.hands[seat]));
  },
  played(G, { seat, cards, face }) {
    if (G.phase === "answer") {
      const up = setBeats(cards, G.best, G.trump);
      if (seat !== G.turn || cards.length !== G.best.length || (face === "up" && !up)) return false;
      return lays(G, seat, cards, face) && (++G.answered < G.count || trickEnds(G));
    }
    if (G.phase === "taken" && G.draws === 0) G.phase = "lead";
    const { seat: first, kind } = leader(G);
    if (G.phase !== "lead" || seat !== first || face !== "up" || Object.values(G.said).includes("bura")) return false;
    if (kind ? cards.length !== 3 : cards.length === 0) return false;
    if (kind !== "three_aces" && !oneSuit(cards)) return false;
    Object.assign(G, { phase: "answer", laid: 0, answered: 1 });
    return lays(G, seat, cards, face);
  },
  drew(G, { seat, cards }) {
    if (!["taken", "draw"].includes(G.phase) || seat !== G.turn || cards.length !== G.draws || G.draws === 0) return false;
    G.stock -= cards.length;
    G.hands[seat].push(...cards);
    G.turn = next(G, seat);
    G.phase = G.turn === G.winner ? "lead" : "draw";
    if (G.stock > 0) return fromPack(G, cards);
    return cards.includes(G.turnup) && fromPack(G, cards.filter((card) => card !== G.turnup));
  },
  opened(G, { seat }) {
    if (G.phase !== "taken" || seat !== G.winner) return false;
    if (G.points[seat] >= 31) wins(G, seat, "opened");
    else Object.assign(G, { phase: "end", reason: "failed_open", due: [seat], share: G.pot, why: "match_pot", dealer: seat });
    return true;
  },
  pot_taken(G, { seat, amount }) {
    if (G.phase === "lead" && Object.values(G.said).includes("bura")) wins(G, contest(G), "bura");
    if (G.phase !== "payout" || seat !== G.taker || amount !== G.pot) return false;
    Object.assign(G, { pot: 0, phase: "end" });
    return true;
  },
  hand_ended(G, { reason }) {
    if (G.phase !== "end" || G.due.length || reason !== G.reason) return false;
    G.phase = "between";
    return true;
  },
};

// Cards are out and nobody opened: the payments that double the pot are due.
function razburka(G) {
  if (G.phase !== "taken" || G.stock || G.hands[G.winner].length) return;
  Object.assign(G, { phase: "end", reason: "razburka", due: order(G, 1), share: G.pot / G.count, why: "razburka" });
}

function move(G, event) {
  if (event.type === "staked") razburka(G);
  return Object.hasOwn(moves, event.type) && moves[event.type](G, event);
}

module.exports = { setup, move, kinds: Object.keys(moves) };
