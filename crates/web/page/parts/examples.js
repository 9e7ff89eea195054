// Positions that are worth walking through. The traps are those of docs/traps.md, with and without the solver.

/** @typedef {{title: string, params: import("../address.js").Params}} Example */

/** @type {[string, string, string][]} title, game, position */
const TRAPS = [
  ["Hex: plain UCT plays c3, which loses", "hex size=5", "..x.o/...../....o/ooxx./..x.. x"],
  ["Hex: only b3 wins", "hex size=5", "x.x../xox.o/...../..oxo/x..o. o"],
  ["Nim: only 1:1 wins", "nim heaps=3,5,7", "2,5,4 1"],
  ["Connect Four: c loses, f wins", "connect-four", ".o.o.../.oox.../xoxx.o./xxxo.x./ooox.o./xxxoxox o"],
  ["Breakthrough: g6g7 loses", "breakthrough", "o...oo.o/o...o.../o...oox./..oo.o../..x.xx.o/.oo..x.x/xxx.x..x/....x... x"],
  ["Four in a row: b5 loses, c3 wins", "mnk m=5 n=5 k=4", "...../..o../.x.../.x.../.o... x"],
];

/** @type {Example[]} */
export const EXAMPLES = [
  { title: "The lecture's tree of 98 playouts", params: { lecture: "tree" } },
  { title: "The lecture's nine plays of a bandit with three arms", params: { lecture: "bandit" } },
  { title: "Tic-Tac-Toe from the first simulation", params: { game: "tic-tac-toe" } },
  { title: "Tic-Tac-Toe after 98 simulations", params: { game: "tic-tac-toe", n: "99" } },
  { title: "Connect Four, guided by a network", params: { game: "connect-four", agent: "alphazero", n: "50" } },
  { title: "Pig, with chance", params: { game: "pig", n: "40" } },
  ...TRAPS.flatMap(([title, game, start]) => [
    { title: `Trap. ${title}`, params: { game, start, agent: "uct", n: "1000" } },
    { title: `Trap with the solver. ${title}`, params: { game, start, agent: "uct solver=on", n: "1000" } },
  ]),
];
