// What happened here, by days, the newest first: what the rooms tell everybody who belongs here. ?room= is in the
// address, so that a room can link to its own.

import { effect, element, html, signal } from '/ui.js';
import '/navigation.js';
import { HubError } from '/keep.js';
import { keepPages } from '/offline.js';
import { now, zone } from '/place.js';
import { shownRooms } from '/room-choice.js';
import { load, session } from '/session.js';
import { civil, clock, dayLong, dayLongWithYear, yearOf } from '/words.js';
import { locale } from '/shell-words.js';
import { explained } from '/errors.js';
import { sentence } from '/people/sentence.js';
import { words } from '/history/words.js';

const FULL = 100; // entries of a page

const entries = signal(undefined);
const mayHaveMore = signal(false);
const problem = signal(null);
const telling = signal([]); // the ids of the rooms that tell something
const isStranger = signal(false);
const room = signal(new URLSearchParams(location.search).get('room') ?? '');
let round = 0;

async function read(before) {
  round += 1;
  const mine = round;
  problem.set(null);
  const asked = new URLSearchParams({ ...(before && { before }), ...(room.peek() && { room: room.peek() }) });
  try {
    const page = await load(`/api/v1/history?${asked}`);
    if (mine !== round) return;
    entries.set([...(before ? entries.peek() : []), ...page.entries]);
    telling.set(page.rooms);
    mayHaveMore.set(page.entries.length === FULL);
  } catch (error) {
    if (mine !== round) return;
    if (error instanceof HubError && error.status === 401) isStranger.set(true);
    else problem.set(explained(error));
  }
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
  const today = civil(now(), zone()).days;
  if (day === today) return words.today;
  if (day === today - 1) return words.yesterday;
  return (yearOf(day) === yearOf(today) ? dayLong : dayLongWithYear)(day, locale);
}

const row = (entry) => html`<li><time datetime=${entry.at}>${clock(civil(Date.parse(entry.at), zone()))}</time>
  ${sentence(entry)}</li>`;

const dayPart = ([day, list]) => html`<section class="card"><h2>${dayName(day)}</h2>
  <ul class="log">${list.map(row)}</ul></section>`;

function choose(id) {
  room.set(id);
  history.replaceState(null, '', id ? `?room=${id}` : location.pathname);
  read();
}

element('hub-history', () => {
  document.title = `${words.title} · Eightbells`;
  keepPages();
  effect(() => { if (session() !== undefined) read(); });
  const choices = () => shownRooms().filter(({ id }) => telling().includes(id));
  const picker = () => html`<p class="field"><label for="history-room">${words.rooms}</label>
    <select id="history-room" @change=${({ target }) => choose(target.value)}>
      <option value="">${words.everything}</option>${() => choices().map(({ id, name }) => html`<option value=${id}
        selected=${id === room.peek()}>${name}</option>`)}</select></p>`;
  const shown = () => {
    if (isStranger()) {
      return html`<p>${words.stranger}</p>
        <p class="row"><a class="button primary" href="/join">${words.signIn}</a></p>`;
    }
    return html`${picker}${() => (problem() ? html`<p class="note" data-kind="bad" role="alert"><strong>${
      problem().title}</strong> ${problem().help}</p>` : '')}
      ${() => (entries()?.length === 0 ? html`<p class="empty">${words.empty}</p>` : '')}
      ${() => byDay(entries() ?? [], zone()).map(dayPart)}
      ${() => (mayHaveMore() ? html`<p class="row"><button type="button" class="button"
        @click=${() => read(entries.peek().at(-1).id)}>${words.older}</button></p>` : '')}`;
  };
  return html`<h1>${words.title}</h1>${shown}`;
});
