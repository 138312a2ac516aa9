// The people of the hub, for owners: their page is for them alone.

import { load, may } from '/session.js';
import { once } from '/search/once.js';
import { contains } from '/search/text.js';

const all = once(() => load('/api/v1/people'));

export async function find(words) {
  if (!may('hub.manage')) return [];
  return (await all()).filter(({ name }) => contains([name], words))
    .map(({ id, name }) => ({ title: name, path: `/people/${id}` }));
}
