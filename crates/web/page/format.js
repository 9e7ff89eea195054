// Numbers and names as people read them.

const WHOLE = new Intl.NumberFormat("en-US");

/** 1234567 as 1,234,567. @param {number} count */
export const count = (count) => WHOLE.format(count);

/** 1234567 as 1.23M. @param {number} count */
export function short(count) {
  for (const [least, unit] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]])) {
    if (count >= least) return (count / least).toPrecision(3) + unit;
  }
  return String(count);
}

/** Bytes in kB or MB. @param {number} bytes */
export const bytes = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** A value with the digits that matter: points or a reward. @param {{points?: number | null, value?: number | null, mean?: number}} of */
export function worth(of) {
  if (of.points !== undefined && of.points !== null) {
    return Math.abs(of.points) >= 1000 ? of.points.toFixed(0) : of.points.toFixed(2);
  }
  const reward = of.value ?? of.mean;
  return reward === undefined || reward === null ? "" : reward.toFixed(3);
}

/** How a game ended. @param {any} shown */
export function outcome(shown) {
  const { payoff, players, resigned } = shown;
  if (!payoff) return "";
  if (players.length === 1) return `${players[0]} gets ${Math.round(payoff[0] * 100) / 100}`;
  const best = Math.max(...payoff);
  const by = best === 1 ? "" : ` by ${best}`;
  const told = best > 0 ? `${players[payoff.indexOf(best)]} wins${by}` : "a draw";
  return resigned === null ? told : `${told}: ${players[resigned]} resigned`;
}

/** Who is to act, or how the game ended. @param {any} shown */
export function state(shown) {
  if (shown.turn === "over") return outcome(shown);
  return shown.turn === "chance" ? "chance to move" : `${shown.players[shown.player]} to move`;
}
