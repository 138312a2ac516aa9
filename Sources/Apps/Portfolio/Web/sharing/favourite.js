// Favourites of one's own: the gallery that the hub keeps of each portfolio's. A heart that is given without a network
// waits on this device.

import { change } from '/session.js';
import { verdict } from '/uploads/retrying.js';
import { PORTFOLIOS } from '/portfolio/library.js';

export const FAVOURITES = 'favourites'; // the id of that gallery

/** True if a picture is among those of its portfolio, as the page knows them. */
export const isFavourite = (library, portfolio, picture) => library.hearts()[`${portfolio}/${picture}`]
  ?? (library.pictures(portfolio, FAVOURITES) ?? []).some(({ id }) => id === picture);

/** Makes it one, or none, on this device; `sendHearts` tells the hub. */
export function favour(library, portfolio, picture) {
  const isOne = !isFavourite(library, portfolio, picture);
  library.keepHearts((hearts) => ({ ...hearts, [`${portfolio}/${picture}`]: isOne }));
}

/**
 * Tells the hub the hearts that wait; they wait on without a network, and while the hub is busy, starts or knows this
 * device no more, which is thrown. So is a refusal of the hub, whose heart is lost.
 */
export async function sendHearts(library, send = change) {
  await library.recallHearts();
  const told = [];
  let problem;
  for (const [name, isOne] of Object.entries(library.hearts.peek())) {
    const [portfolio, picture] = name.split('/').map(encodeURIComponent);
    try {
      await send(isOne ? 'PUT' : 'DELETE', `${PORTFOLIOS}/${portfolio}/favourites/${picture}`);
    } catch (error) {
      const isLater = verdict(error, 0).kind !== 'refused';
      // Without a network nothing is wrong, and a picture that is gone needs no heart.
      if (isLater ? error.status : error.status !== 404) problem = error;
      if (isLater) break;
    }
    told.push([name, isOne]);
  }
  if (told.length > 0) {
    await library.refresh().catch(() => {}); // so that no heart goes out for a moment
    // One that was pressed again meanwhile waits on.
    const done = new Map(told);
    library.keepHearts((hearts) =>
      Object.fromEntries(Object.entries(hearts).filter(([name, isOne]) => done.get(name) !== isOne)));
  }
  if (problem) throw problem;
}
