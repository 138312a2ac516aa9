// The programme on the screen in the room: what is on and what comes next. While an event with an album takes place,
// the album's wall has the whole screen, and gives it back afterwards.

import { computed, effect, element as define, html, listening, signal } from '/ui.js';
import { onNews } from '/live.js';
import { rules } from '/moments.js';
import { now, today } from '/place.js';
import { load, session } from '/session.js';
import { dayShort, isOver, isRunning, placed } from '/programme/days.js';
import { programme, start } from '/programme/model.js';
import { capital } from '/programme/next.js';
import { titleOf } from '/programme/rows.js';
import { screenWords as words } from '/programme/on-screen-words.js';
import { wallsDue } from '/programme/walls.js';

export const element = 'programme-screen';

const LINES = 4;
const AGAIN = 30_000; // milliseconds until the hub is asked again that has not answered

start();

const events = computed(() => (rules() ? (programme()?.events ?? []).map(placed) : [])
  .filter(({ event }) => event.status !== 'cancelled'));
const coming = computed(() => events().filter((it) => !isOver(it, now(), today()))
  .sort((one, other) => one.startsAt - other.startsAt).slice(0, LINES));

function line(it) {
  const day = it.first < today() ? today() : it.first;
  const when = [capital(dayShort(day, today())), it.from].filter(Boolean).join(' ');
  return html`<li><p class="screen-when">${isRunning(it, now(), today()) ? words.now : when}</p>
    <p class="screen-what">${titleOf(it.event)}</p><p>${it.event.location ?? ''}</p></li>`;
}

/** The address of the wall to be shown now; null without one. */
function followWall(show) {
  const due = computed(() => wallsDue(events(), now()).map(({ event }) => event.id).join(' '));
  let round = 0;
  const look = async () => {
    round += 1;
    const mine = round;
    for (const id of due.peek().split(' ').filter(Boolean)) {
      const { album } = await load(`/api/v1/space/events/${encodeURIComponent(id)}/album`);
      if (mine !== round) return;
      if (album?.state === 'open') return void show(album.wall_url);
    }
    show(null);
  };
  let timer;
  const again = () => {
    clearTimeout(timer);
    look().catch(({ status }) => { // what is shown stays
      if (!(status < 500) || status === 429) timer = setTimeout(again, AGAIN); // as in a room full of guests
    });
  };
  effect(() => {
    due();
    if (session() !== undefined) again();
  });
  for (const name of ['event-album', 'live']) onNews(name, again);
}

define(element, () => {
  const wall = signal(null);
  const isIn = signal(false); // the wall is in its album: one that waits, or asks for a passphrase, shows nothing
  followWall((address) => {
    if (wall.peek() === address) return;
    isIn.set(false);
    wall.set(address);
  });
  listening(window, ['message'], ({ origin, source, data }) => {
    const frame = document.querySelector('.screen-wall');
    if (origin === location.origin && source === frame?.contentWindow) isIn.set(data?.wall === 'in');
  });
  return html`<h2>${words.next}</h2>
    <ul class="screen-events">${() => coming().map(line)}</ul>
    ${() => (rules() && programme() && !coming().length ? html`<p>${words.nothing}</p>` : '')}
    ${() => (wall() ? html`<iframe class="screen-wall" src=${wall()} title=${words.wall} allow="autoplay"
      tabindex="-1" hidden=${() => !isIn()}></iframe>` : '')}`;
});
