// What happened here, by days, the newest first: what the rooms tell everybody who belongs here. ?room= is in the
// address, so that a room can link to its own.

import { effect, element, ending, html, listening, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { HubError } from '/keep.js';
import { today, zone } from '/place.js';
import { shownRooms } from '/room-choice.js';
import { load, session } from '/session.js';
import { civil, clock, dayInFull } from '/words.js';
import { locale } from '/shell-words.js';
import { explained } from '/errors.js';
import { sentence } from '/people/sentence.js';
import { words } from '/history/words.js';

const FULL = 100; // entries of a page
const AGAIN = 30_000; // milliseconds between two looks at what has happened since

const entries = signal(undefined);
const mayHaveMore = signal(false);
const problem = signal(null);
const telling = signal([]); // the ids of the rooms that tell something
const told = signal(''); // of the choice of a room: its list is not read aloud
const isStranger = signal(false);
const room = signal(new URLSearchParams(location.search).get('room') ?? '');
let round = 0;

const pageOf = (before) => load(`/api/v1/history?${new URLSearchParams(
  { ...(before && { before }), ...(room.peek() && { room: room.peek() }) })}`);

async function read(before) {
  round += 1;
  const mine = round;
  problem.set(null);
  try {
    const page = await pageOf(before);
    if (mine !== round) return;
    isStranger.set(false); // somebody may have signed in, in another tab
    entries.set([...(before ? entries.peek() : []), ...page.entries]);
    if (String(page.rooms) !== String(telling.peek())) telling.set(page.rooms); // or its options would be drawn anew
    mayHaveMore.set(page.entries.length === FULL);
  } catch (error) {
    if (mine !== round) return;
    if (!before) { // what is shown may be another room's
      entries.set(undefined);
      mayHaveMore.set(false);
    }
    if (error instanceof HubError && error.status === 401) isStranger.set(true);
    else problem.set(explained(error));
  }
}

/** Puts what has happened since on top; the older pages stay that somebody has asked for. */
async function follow() {
  if (document.hidden || isStranger.peek() || session.peek() === undefined) return;
  const mine = round;
  const page = await pageOf().catch(() => null);
  if (!page || mine !== round) return;
  if (!entries.peek()) return void read(); // it could not be read before
  const before = entries.peek();
  if (page.entries[0]?.id === before[0]?.id) return;
  const known = before.findIndex(({ id }) => id === page.entries.at(-1)?.id);
  entries.set([...page.entries, ...(known < 0 ? [] : before.slice(known + 1))]);
  if (known < 0) mayHaveMore.set(page.entries.length === FULL);
}

/** The entries of each day: [[day, entries], …]. */
function byDay(list, timeZone) {
  const days = new Map();
  for (const entry of list) {
    const { days: day } = civil(Date.parse(entry.at), timeZone);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}

function dayName(day) {
  if (day === today()) return words.today;
  if (day === today() - 1) return words.yesterday;
  return dayInFull(day, today(), locale);
}

const row = (entry) => html`<li><time datetime=${entry.at}>${clock(civil(Date.parse(entry.at), zone()))}</time>
  ${sentence(entry)}</li>`;

const dayPart = ([day, list]) => html`<section class="card"><h2>${dayName(day)}</h2>
  <ul class="log">${list.map(row)}</ul></section>`;

async function choose(id, name) {
  room.set(id);
  history.replaceState(null, '', id ? `?room=${id}` : location.pathname);
  await tell(id, name, read());
}

/** Says how many there are once `reading` has ended. */
async function tell(id, name, reading) {
  told.set('');
  await reading;
  if (room.peek() === id && !problem.peek() && entries.peek()) told.set(words.found(name, entries.peek().length));
}

element('hub-history', () => {
  beginPage(() => words.title);
  effect(() => { if (session() !== undefined) read(); });
  const timer = setInterval(follow, AGAIN);
  ending(() => clearInterval(timer));
  listening(document, ['visibilitychange'], follow);
  const nameHere = () => shownRooms().find(({ id }) => id === room.peek())?.name ?? words.everything;
  const choices = () => shownRooms().filter(({ id }) => telling().includes(id));
  const picker = () => html`<p class="field"><label for="history-room">${words.rooms}</label>
    <select id="history-room" @change=${({ target: { value, selectedOptions } }) =>
  choose(value, selectedOptions[0].text)}>
      <option value="">${words.everything}</option>${() => choices().map(({ id, name }) => html`<option value=${id}
        selected=${id === room.peek()}>${name}</option>`)}</select></p>
    <p class="visually-hidden" role="status">${told}</p>`;
  const shown = () => {
    if (isStranger()) {
      return html`<section class="card for-owners"><p>${words.stranger}</p>
        <p class="row"><a class="button primary" href="/join">${words.signIn}</a></p></section>`;
    }
    return html`${picker}${() => (problem() ? html`<p class="note" data-kind="bad" role="alert"><strong>${
      problem().title}</strong> ${problem().help}</p>` : '')}
      ${() => (entries()?.length === 0 ? html`<p class="empty">${
        room() ? words.emptyRoom : words.empty}</p>` : '')}
      ${() => byDay(entries() ?? [], zone()).map(dayPart)}
      ${() => (mayHaveMore() ? html`<p class="row"><button type="button" class="button"
        @click=${() => tell(room.peek(), nameHere(), read(entries.peek().at(-1).id))}>${
  words.older}</button></p>` : '')}`;
  };
  return html`<h1>${words.title}</h1>${shown}`;
});
