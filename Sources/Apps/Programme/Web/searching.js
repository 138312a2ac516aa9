// Events for the search of all rooms: what is to come first, then what was within the last year.

import { hubAhead } from '/keep.js';
import { load } from '/session.js';
import { once } from '/search/text.js';
import { matches } from '/programme/search.js';
import { words } from '/programme/words.js';

const DAY = 86_400_000;
const AROUND = 365; // days back, and ahead

const date = (at) => new Date(at).toISOString().slice(0, 10);
const now = () => Date.now() + hubAhead();
const year = once(() => load(
  `/api/v1/space/events?from=${date(now() - AROUND * DAY)}&to=${date(now() + AROUND * DAY)}`));

const start = ({ start: at }) => Date.parse(at);

export async function find(wanted) {
  const hits = (await year()).events.filter((event) => matches(event, wanted));
  const isOver = (event) => Date.parse(event.end ?? event.start) < now();
  const coming = hits.filter((event) => !isOver(event)).sort((one, other) => start(one) - start(other));
  const past = hits.filter(isOver).sort((one, other) => start(other) - start(one));
  return [...coming, ...past].map(({ id, title, location, start: at }) => ({
    title: title || words.untitled, at, detail: location, path: `/programme/${encodeURIComponent(id)}`,
  }));
}
