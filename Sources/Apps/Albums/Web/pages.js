// The addresses of albums' pages.

import { secretOf } from '/albums/opening.js';

/** For an album of the reader's list: the hosts' page for its host. */
export const pageOf = (one) => {
  const secret = encodeURIComponent(secretOf(one.join_url));
  return one.role === 'host' && secret ? `/album/host#${secret}` : `/album#${secret || `id=${one.id}`}`;
};
