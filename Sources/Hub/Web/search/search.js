// One search over what the rooms keep. Each room that has something to find names a module as `search` in its room.js:
// find(words, left) resolves to [{title, detail, at, path}], the best first, of what the reader may see; what it does
// not look through it says to `left`, in a sentence. What one looks for stays in the address.

import { computed, effect, element, html, signal } from '/ui.js';
import { ask, hubAhead } from '/keep.js';
import { beginPage } from '/navigation.js';
import { now, place, zone } from '/place.js';
import { shownRooms } from '/room-choice.js';
import { saidOrDated } from '/moments.js';
import { may, session } from '/session.js';
import { finders } from '/rooms-search.js';
import { find as findPeople } from '/search/people.js';
import { wordsOf } from '/search/text.js';
import { words } from '/search/words.js';

const PAUSE = 200; // milliseconds without a key after which is searched
const SHOWN = 8; // hits of a room at first
const LONGEST = 100; // letters

const wanted = signal((new URLSearchParams(location.search).get('q') ?? '').slice(0, LONGEST));
const found = signal(null); // [{name, items}], or null while nothing is looked for
const isSearching = signal(false);
const unread = signal([]);
const left = signal([]); // what was not looked through, in sentences
let round = 0;

async function search() {
  round += 1;
  const mine = round;
  const looked = wordsOf(wanted.peek());
  if (!looked.length) {
    // A round that is under way ends without a word.
    isSearching.set(false);
    found.set(null);
    left.set([]);
    unread.set([]);
    return;
  }
  isSearching.set(true);
  const places = [...shownRooms.peek().filter(({ id }) => finders[id]).map(({ id, name }) => [name, finders[id]]),
    [words.people, findPeople]];
  const limits = places.map(() => []);
  const answers = await Promise.allSettled(places.map(([, find], at) => find(looked, (said) => limits[at].push(said))));
  if (mine !== round) return;
  found.set(places.map(([name], at) => ({ name, items: answers[at].value ?? [] })).filter(({ items }) => items.length));
  left.set(limits.flat());
  unread.set(places.filter((_, at) => answers[at].reason).map(([name]) => name));
  isSearching.set(false);
}

/** Nothing else on a stranger's page knows the zone of the space, or what time the hub has. */
const readPlace = () => ask('place', '/api/v1/place').then((it) => {
  place.set(it);
  now.set(Date.now() + hubAhead());
}, () => {});

const hit = ({ title, detail, at, path }) => {
  // Not all hits are drawn anew with the clock, or what was opened would close.
  const facts = () => [at && saidOrDated(Date.parse(at), now(), zone()), detail].filter(Boolean).join(' · ');
  return html`<li><a href=${path}><strong>${title}</strong>${
    at || detail ? html`<small>${facts}</small>` : ''}</a></li>`;
};

/** Those after the first ones, made only when somebody opens them: there may be thousands. */
function rest(items) {
  const isOpen = signal(false);
  return html`<details class="quiet" @toggle=${({ target }) => isOpen.set(target.open)}>
    <summary>${words.more(items.length)}</summary>
    ${() => (isOpen() ? html`<ul class="search-found">${items.map(hit)}</ul>` : '')}</details>`;
}

const part = ({ name, items }) => html`<section class="card"><h2>${name}</h2>
  <ul class="search-found">${items.slice(0, SHOWN).map(hit)}</ul>
  ${items.length > SHOWN ? rest(items.slice(SHOWN)) : ''}</section>`;

const status = computed(() => {
  if (isSearching()) return words.searching;
  if (found() === null) return '';
  const count = found().reduce((sum, { items }) => sum + items.length, 0);
  if (count) return words.found(count);
  return unread().length ? '' : words.nothing; // what could not be searched may have it
});

element('hub-search', () => {
  beginPage(() => words.title);
  effect(() => { if (session() !== undefined) search(); });
  effect(() => { if (session() === null) readPlace(); });
  let timer;
  const typed = ({ target }) => {
    wanted.set(target.value);
    history.replaceState(null, '', target.value ? `?q=${encodeURIComponent(target.value)}` : location.pathname);
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  };
  const send = (event) => {
    event.preventDefault();
    clearTimeout(timer);
    search();
  };
  return html`<h1>${words.title}</h1>
    <form role="search" @submit=${send}><p class="field"><label for="search-field">${() =>
    words.field(may('hub.manage'))}</label>
      <input id="search-field" type="search" maxlength=${LONGEST} value=${wanted.peek()}
        autocomplete="off" @input=${typed}></p></form>
    <p class="quiet" role="status">${status}</p>
    ${() => (unread().length ? html`<p class="note" role="alert">${words.unread(unread().join(', '))}</p>` : '')}
    ${() => (found() ?? []).map(part)}
    ${() => left().map((said) => html`<p class="quiet small">${said}</p>`)}`;
});
