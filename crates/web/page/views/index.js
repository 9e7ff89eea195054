// All views, in the order of the header. A new one is a file here and a line.

import { analyse } from "./analyse.js";
import { bandit } from "./bandit.js";
import { lab } from "./lab.js";
import { phases } from "./phases.js";
import { play } from "./play.js";
import { sums } from "./sums.js";
import { tree } from "./tree.js";

/** @typedef {{word: string, title: string, View: (props: {params: import("../address.js").Params}) => any}} View */

/** @type {View[]} */
export const VIEWS = [play, analyse, tree, phases, bandit, sums, lab];
