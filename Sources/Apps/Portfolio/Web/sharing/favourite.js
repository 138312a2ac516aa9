// Favourites of one's own: the gallery that the hub keeps of each portfolio's.

import { change } from '/session.js';
import { PORTFOLIOS } from '/portfolio/library.js';

export const FAVOURITES = 'favourites'; // the id of that gallery

/** True if a picture is among those of its portfolio, as the page knows them. */
export const isFavourite = (library, portfolio, picture) =>
  (library.pictures(portfolio, FAVOURITES) ?? []).some(({ id }) => id === picture);

/** Makes it one, or none. */
export async function favour(library, portfolio, picture) {
  const address = `${PORTFOLIOS}/${encodeURIComponent(portfolio)}/favourites/${encodeURIComponent(picture)}`;
  await change(isFavourite(library, portfolio, picture) ? 'DELETE' : 'PUT', address);
  await library.refresh();
}
