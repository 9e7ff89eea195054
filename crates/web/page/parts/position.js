// The position that the address names, as the server gives it.

import { useEffect, useState } from "../vendor/htm-preact.js";
import { Gone, onConnection, position } from "../api.js";

/**
 * The position of a place, and what is wrong with it if the server refuses it. While another is on its way, the last one
 * stays, so that nothing jumps.
 * @param {import("../address.js").Place} place
 * @param {number | null} luck the seed of chance
 */
export function usePosition(place, luck) {
  const [found, setFound] = useState(/** @type {{key: string, shown: any, error: string | null}} */ ({ key: "", shown: null, error: null }));
  const [tries, setTries] = useState(0);
  const key = JSON.stringify([place, luck]);
  useEffect(() => {
    let isLeft = false;
    position(place, luck).then(
      (shown) => isLeft || setFound({ key, shown, error: null }),
      (error) => {
        if (isLeft || error instanceof Gone) return;
        setFound((last) => ({ key, shown: last.shown?.game === place.game ? last.shown : null, error: error.message }));
      },
    );
    return () => {
      isLeft = true;
    };
  }, [key, tries]);
  // When the server is back, it is asked again.
  useEffect(() => onConnection((/** @type {boolean} */ here) => here && setTries((tries) => tries + 1)), []);
  return { shown: found.shown, error: found.error, isCurrent: found.key === key && found.error === null };
}
