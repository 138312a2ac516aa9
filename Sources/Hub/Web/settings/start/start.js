// The first start: asks the owner for the hub's purpose.

import { computed, effect, element, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { appearance } from '/appearance.js';
import { drawing } from '/drawing.js';
import { explain } from '/explain.js';
import { isSessionKnown, may } from '/session.js';
import '/people/owners-only.js';
import { fetchChoice, saveChoice, withFront } from '/settings/rooms/choosing.js';
import { offered as rooms } from '/settings/rooms/offered.js';
import { words } from '/settings/rooms/words.js';

const chosen = signal(rooms.map(({ id }) => id));
const wanted = signal(null); // the chosen front room
const trouble = signal('');
const busy = signal(false);
let tag;

const proposed = () => rooms.find(({ id, isAside }) => !isAside && chosen().includes(id))?.id ?? chosen()[0];
const front = computed(() => (chosen().includes(wanted()) ? wanted() : proposed()));

async function read() {
  try {
    const found = await fetchChoice();
    tag = found.tag;
    chosen.set(rooms.map(({ id }) => id).filter((id) => found.choice.rooms.includes(id)));
    wanted.set(found.isChosen ? found.choice.front : null);
  } catch { // the button shows the error
  }
}

/** The next page: a hub without a name gets one. */
const next = () => (appearance().name === 'Eightbells' ? '/settings/place' : '/');

async function save(event) {
  event.preventDefault();
  if (busy.peek()) return;
  trouble.set('');
  if (chosen.peek().length === 0) return trouble.set(words.none);
  busy.set(true);
  try {
    const { conflict } = await saveChoice(withFront({ rooms: chosen.peek() }, front.peek()), tag);
    if (!conflict) return location.assign(next());
    await read();
    trouble.set(words.conflict);
  } catch (error) {
    trouble.set(await explain(error, words.failed));
  } finally {
    busy.set(false);
  }
}

function toggle(id, isOn) {
  const ids = rooms.map((room) => room.id);
  chosen.set(ids.filter((one) => (one === id ? isOn : chosen.peek().includes(one))));
}

const offer = ({ id, icon, choice, offer: text }) => html`<li><label class="offer">${drawing(icon)}
  <span><strong>${choice}</strong><small>${text}</small></span>
  <input type="checkbox" name=${`room-${id}`} .checked=${() => chosen().includes(id)}
    @change=${({ target }) => toggle(id, target.checked)}></label></li>`;

const fronts = () => html`<div class="field"><label for="front">${words.whichFront}</label>
  <select id="front" name="front" @change=${({ target }) => wanted.set(target.value)}>${() => rooms
  .filter(({ id }) => chosen().includes(id)).map(({ id, choice }) =>
    html`<option value=${id} selected=${id === front.peek()}>${choice}</option>`)}</select></div>`;

const form = () => html`<div><h1>${words.first}</h1><p class="quiet">${words.firstText}</p></div>
  <form class="start" @submit=${save}>
    <fieldset><legend class="visually-hidden">${words.what}</legend>
      <ul class="offers">${rooms.map(offer)}</ul></fieldset>
    ${() => (chosen().length > 1 ? fronts() : '')}
    <p class="form-error" aria-live="assertive">${trouble}</p>
    <p><button class="button primary" aria-busy=${busy}>${() => words.open(chosen().length)}</button></p>
  </form>`;

element('hub-start', () => {
  beginPage(() => words.first);
  const isOwner = computed(() => may('hub.manage'));
  effect(() => { if (isOwner()) read(); });
  return html`${() => (!isSessionKnown() || isOwner() ? form() : html`<hub-owners-only></hub-owners-only>`)}`;
});
