// Favourites of one's own: the gallery that the hub keeps of each portfolio's. A heart that is given without a network
// waits on this device.

import { change } from '/session.js';
import { PORTFOLIOS } from '/portfolio/library.js';

export const FAVOURITES = 'favourites'; // the id of that gallery

/** True if a picture is among those of its portfolio, as the page knows them. */
export const isFavourite = (library, portfolio, picture) => library.hearts()[`${portfolio}/${picture}`]
  ?? (library.pictures(portfolio, FAVOURITES) ?? []).some(({ id }) => id === picture);

/** Makes it one, or none, on this device; `sendHearts` tells the hub. */
export function favour(library, portfolio, picture) {
  const isOne = !isFavourite(library, portfolio, picture);
  library.keepHearts({ ...library.hearts.peek(), [`${portfolio}/${picture}`]: isOne });
}

/** Tells the hub the hearts that wait; without a network they wait on. Throws if the hub refuses one, which is lost. */
export async function sendHearts(library, send = change) {
  const told = [];
  let refusal;
  for (const [name, isOne] of Object.entries(library.hearts.peek())) {
    const [portfolio, picture] = name.split('/').map(encodeURIComponent);
    try {
      await send(isOne ? 'PUT' : 'DELETE', `${PORTFOLIOS}/${portfolio}/favourites/${picture}`);
    } catch (error) {
      if (!error.status) break;
      if (error.status !== 404) refusal = error; // a picture that is gone needs no heart
    }
    told.push([name, isOne]);
  }
  if (told.length === 0) return;
  await library.refresh().catch(() => {}); // so that no heart goes out for a moment
  const now = library.hearts.peek();
  // One that was pressed again meanwhile waits on.
  const done = new Set(told.filter(([name, isOne]) => now[name] === isOne).map(([name]) => name));
  library.keepHearts(Object.fromEntries(Object.entries(now).filter(([name]) => !done.has(name))));
  if (refusal) throw refusal;
}
