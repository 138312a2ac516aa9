// The owner's page for the choice of rooms. Each control acts at once, and shows its result beside itself.

import { computed, effect, element, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { drawing } from '/drawing.js';
import { explain } from '/explain.js';
import { isSessionKnown, may } from '/session.js';
import { words as ofShell } from '/shell-words.js';
import '/people/owners-only.js';
import '/settings/list.js';
import { fetchChoice, moved, saveChoice, toggled, withFront } from '/settings/rooms/choosing.js';
import { offered as rooms } from '/settings/rooms/offered.js';
import { words } from '/settings/rooms/words.js';

const choice = signal(undefined); // undefined until loaded, null if loading failed
const saved = signal({}); // {id, isMoved} of the room changed last, once that is saved
const trouble = signal('');
let tag;
let ofHub; // the choice that the hub has
let last = Promise.resolve(); // what is saved

async function read() {
  choice.set(undefined);
  try {
    const found = await fetchChoice();
    tag = found.tag;
    ofHub = found.choice;
  } catch {
    ofHub = null;
  }
  choice.set(ofHub);
}

/** Saves the choice that is shown, which may have become another one since; one that cannot be saved is taken back. */
async function save(id, isMoved) {
  const next = choice.peek();
  try {
    if (next !== ofHub) {
      const done = await saveChoice(next, tag);
      if (done.conflict) {
        await read();
        trouble.set(words.conflict);
        return;
      }
      [tag, ofHub] = [done.tag, next];
    }
    if (!trouble.peek()) saved.set({ id, isMoved });
  } catch (error) {
    ofHub = { ...ofHub };
    choice.set(ofHub);
    trouble.set(await explain(error, words.failed));
  }
}

/** Shows the new choice, and saves it when those before it are. */
function put(next, id, control, isMoved = false) {
  saved.set({});
  trouble.set('');
  choice.set(next);
  document.getElementById(control)?.focus(); // a moved row has lost the focus
  last = last.then(() => save(id, isMoved));
}

function row(room) {
  const { id, name, offer, icon } = room;
  const isShown = () => Boolean(choice()?.rooms.includes(id));
  const isFront = () => choice()?.front === id;
  const place = () => (choice()?.rooms ?? []).filter((one) => one !== choice().front).indexOf(id);
  const isFirst = () => place() <= 0;
  const isLast = () => place() === (choice()?.rooms.length ?? 0) - 2;
  // Not `disabled`: a button that turns so while it is pressed would lose the focus.
  const move = (by, control) => () => {
    if (!(by < 0 ? isFirst : isLast)()) put(moved(choice.peek(), id, by), id, control, true);
  };
  // Not radio buttons, of which the arrow keys would choose each on their way: a choice acts at once, for everybody.
  const lead = () => { if (!isFront()) put(withFront(choice.peek(), id), id, `front-${id}`); };
  const told = () => {
    if (saved().id !== id) return '';
    return saved().isMoved ? words.savedAt(choice().rooms.indexOf(id) + 1, choice().rooms.length) : words.saved;
  };
  return html`<li class="room-row" data-room=${id}>${drawing(icon)}
    <div class="grow"><strong>${name}</strong><small>${() => (isFront() ? words.locked : offer)}</small></div>
    <span class="room-saved" role="status">${told}</span>
    <label class="switch"><span class="visually-hidden">${words.shown(name)}</span>
      <input type="checkbox" role="switch" id=${`show-${id}`} .checked=${isShown} disabled=${isFront}
        @change=${() => put(toggled(choice.peek(), id), id, `show-${id}`)}></label>
    <div class="room-place" hidden=${() => !isShown()}>
      <button type="button" class="check room-front" id=${`front-${id}`} aria-pressed=${() => String(isFront())}
        aria-label=${words.frontOf(name)} @click=${lead}>${words.front}</button>
      <span class="room-moves" hidden=${isFront}>
        <button type="button" class="round-button" id=${`up-${id}`} aria-label=${words.up(name)}
          aria-disabled=${() => String(isFirst())} @click=${move(-1, `up-${id}`)}>${drawing('M6 14.5l6-6 6 6')}</button>
        <button type="button" class="round-button" id=${`down-${id}`} aria-label=${words.down(name)}
          aria-disabled=${() => String(isLast())} @click=${move(1, `down-${id}`)}>${drawing('M6 9.5l6 6 6-6')}</button>
      </span>
    </div></li>`;
}

/** The rooms shown in their order, then the others. An unchanged order is the same list, so that no row is remade. */
const order = computed(() => {
  const ids = choice()?.rooms ?? [];
  return [...ids, ...rooms.map(({ id }) => id).filter((id) => !ids.includes(id))].join();
});
const ordered = () => order().split(',').map((id) => rooms.find((room) => room.id === id)).filter(Boolean);

const there = computed(() => (choice() === undefined ? 'loading' : choice() === null ? 'failed' : 'there'));

const bodies = {
  loading: () => html`<p class="quiet">${words.loading}</p>`,
  failed: () => html`<p class="note" data-kind="bad" role="alert">${words.failed}</p>
    <p><button type="button" class="button" @click=${read}>${words.again}</button></p>`,
  there: () => html`<fieldset><legend class="visually-hidden">${words.title}</legend>
    <ul class="list rooms-list">${() => ordered().map(row)}</ul></fieldset>`,
};

element('hub-rooms', () => {
  beginPage(() => words.title);
  const isOwner = computed(() => may('hub.manage'));
  effect(() => { if (isOwner()) read(); });
  return html`${() => (!isSessionKnown() || isOwner() ? html`
    <a class="back settings-back" href="/settings">${ofShell.settings}</a><section><h1>${words.title}</h1>
      <p class="quiet">${words.text}</p></section>
    <p class="note" role="alert" data-kind="bad" hidden=${() => !trouble()}>${trouble}</p>
    ${() => bodies[there()]()}` : html`<hub-owners-only></hub-owners-only>`)}`;
});
