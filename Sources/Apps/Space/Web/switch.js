// The keykeeper's switch: one large button, some seconds to undo, and, folded away, the further fields.

import { computed, effect, element, ending, html, signal } from '/ui.js';
import { isDetail } from '/detail.js';
import { explain } from '/explain.js';
import { HubError, keepAnswer, recall } from '/keep.js';
import { zone } from '/place.js';
import { change, may, session } from '/session.js';
import { LONGEST } from '/space/limits.js';
import { sign, space, tellSign } from '/space/model.js';
import { signWords } from '/space/sign-words.js';
import { changedWords, typedInto } from '/space/switch-fields.js';
import { civil, clock } from '/words.js';

const words = signWords.switch;
const UNDO_SECONDS = 60; // as long as the hub permits undoing
const STATE = '/api/v1/space/state';

const REACTION = 500; // milliseconds within which nobody has read yet what a button says now

/** The result of the last action: {text, turn, left} while it can be undone, {text} afterwards, or null. */
const note = signal(null);
const busy = signal(false);
const name = signal('');
let countdown;
let turnedAt = -Infinity; // when this page has turned the sign

/** What the sign says, so that a turn of somebody else is known: what was noted before is not so any more then. */
const said = () => JSON.stringify([sign.peek()?.open, sign.peek()?.since, sign.peek()?.message, sign.peek()?.until]);

function say(text, turn, kept) {
  clearInterval(countdown);
  note.set({ text, turn, kept, said: said(), left: UNDO_SECONDS });
  if (turn === undefined) return;
  const end = Date.now() + UNDO_SECONDS * 1000;
  countdown = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000); // a device that slept has counted none
    if (left > 0 && note.peek()) return note.set({ ...note.peek(), left });
    clearInterval(countdown);
    return note.set(null);
  }, 1000);
}

async function reason(error) {
  if (!(error instanceof HubError)) return words.offline;
  return error.code === 40945 ? words.since : words.failed(await explain(error));
}

async function send(url, body, done) {
  if (busy.peek()) return;
  busy.set(true);
  try {
    const answer = await change('POST', url, body);
    turnedAt = performance.now();
    tellSign(answer);
    done(answer);
  } catch (error) {
    say(await reason(error));
  } finally {
    busy.set(false);
  }
}

/** Who says what the sign says already, since somebody else has turned it meanwhile, leaves that one's words. */
const turn = (open, fields) => send(STATE, {
  open,
  ...(sign.peek()?.open === open ? changedWords(fields, sign.peek()) : typedInto(fields)),
  by: name.peek().trim() || null,
}, (answer) => {
  say(words.turned[open], answer.turn, keeping(fields));
  fields.touched.clear();
  navigator.vibrate?.(30);
});

/** Restores typed text in the fields. */
function keeping(fields) {
  const typed = [...fields.touched].map((field) => [field, fields[field].peek()]);
  return () => typed.forEach(([field, text]) => {
    fields.touched.add(field);
    fields[field].set(text);
  });
}

/** Undoes a turn. Its text is restored in the fields, so that nobody has to type it again. */
const undo = (turned, kept) => send(`${STATE}/undo`, { turn: turned }, () => {
  kept?.();
  say(words.undone);
});

const untilText = (text) => (text ? clock(civil(Date.parse(text), zone())) : '');

/** The fields. Typed text is sent with the large switch too; untouched fields show the current sign. */
function form(fields) {
  const save = (event) => {
    event.preventDefault();
    const said = changedWords(fields, sign.peek());
    send(STATE, { open: sign.peek().open, ...said, by: name.peek().trim() || null }, (answer) => {
      say(words.turned.words, answer.turn, keeping(fields));
      fields.touched.clear();
    });
  };
  const typed = (field, store) => (event) => {
    fields.touched.add(field);
    store.set(event.target.value);
  };
  const named = (event) => {
    name.set(event.target.value);
    keepAnswer('switch-name', { name: event.target.value, person: session.peek()?.person.id }, true);
  };
  return html`<form class="turner-words" @submit=${save}>
    <div class="field"><label for="switch-message">${words.message}</label>
      <input id="switch-message" maxlength=${LONGEST.message} autocomplete="off" aria-describedby="switch-message-hint"
        .value=${fields.message} @input=${typed('message', fields.message)}>
      <p class="hint" id="switch-message-hint">${words.messageHint}</p></div>
    <div class="field"><label for="switch-until">${words.until}</label>
      <input id="switch-until" type="time" aria-describedby="switch-until-hint"
        .value=${fields.until} @input=${typed('until', fields.until)}>
      <p class="hint" id="switch-until-hint">${words.untilHint}</p></div>
    <div class="field"><label for="switch-by">${words.by}</label>
      <input id="switch-by" maxlength=${LONGEST.name} autocomplete="nickname" aria-describedby="switch-by-hint"
        .value=${name} @input=${named}>
      <p class="hint" id="switch-by-hint">${words.byHint}</p></div>
    <button class="button" hidden=${() => sign()?.open === null} disabled=${busy}>${words.save}</button>
  </form>`;
}

function board() {
  const fields = { message: signal(''), until: signal(''), touched: new Set() };
  // Until somebody types, the fields show the current sign.
  effect(() => {
    const now = sign();
    if (fields.touched.size > 0) return;
    fields.message.set(now?.message ?? '');
    fields.until.set(untilText(now?.until));
  });
  const isOpen = computed(() => sign()?.open === true);
  // Two people open at the same moment: what the button said when it was pressed, or could be read, is what is meant.
  let changedAt = -Infinity; // when somebody else has turned the sign
  let meant = null;
  let before = isOpen.peek();
  effect(() => {
    const isOwn = busy.peek() || performance.now() - turnedAt < REACTION;
    if (isOpen() !== before && !isOwn) changedAt = performance.now();
    before = isOpen();
  });
  const meaning = () => (performance.now() - changedAt < REACTION) === isOpen.peek();
  const press = ({ key }) => { if (key === undefined || key === 'Enter' || key === ' ') meant = meaning(); };
  const forget = () => { meant = null; };
  const click = () => {
    const open = meant ?? meaning();
    meant = null;
    turn(open, fields);
  };
  const large = html`<button class="turner-large" data-to=${() => (isOpen() ? 'closed' : 'open')} aria-busy=${busy}
    data-unknown=${() => sign()?.open === null} @pointerdown=${press} @keydown=${press} @click=${click}
    @pointercancel=${forget} @blur=${forget}>
    <span class="turner-track" aria-hidden="true"><span></span></span>
    <span>${() => (isOpen() ? words.close : words.open)}</span></button>`;
  const closed = () => (sign()?.open === null
    ? html`<button class="button wide" @click=${() => turn(false, fields)}>${words.isClosed}</button>` : '');
  return html`<section class="turner" aria-label=${words.title}>
    ${large}${closed}
    <details class="turner-more"><summary>${words.more}</summary>${form(fields)}</details>
  </section>`;
}

const noteText = computed(() => note()?.text ?? '');
const undoable = computed(() => note()?.turn);

const undoNote = () => html`<div class="turner-note" hidden=${() => !noteText()}>
    <p role="status">${noteText}</p>
    ${() => (undoable() === undefined ? '' : html`<button class="button"
      @click=${() => undo(undoable.peek(), note.peek()?.kept)}>
      ${words.undo} <span class="turner-left" aria-hidden="true">${() => words.left(note()?.left ?? 0)}</span>
    </button>`)}
  </div>`;

element('space-switch', () => {
  ending(() => clearInterval(countdown));
  effect(() => {
    const person = session()?.person;
    name.set(person?.name ?? '');
    recall('switch-name').then((kept) => {
      if (kept && kept.body.person === session.peek()?.person.id) name.set(kept.body.name);
    });
  });
  effect(() => { if (sign() && note.peek() && note.peek().said !== said()) note.set(null); });
  const isThere = computed(() => may('space.turn') && sign() !== undefined && space() !== undefined);
  // Why a turn was refused is still said when there is no switch any more.
  const isSaid = computed(() => isThere() || noteText() !== '');
  return html`<div hidden=${() => !isSaid() || isDetail()}>
    ${() => (isThere() ? board() : '')}${() => (isSaid() ? undoNote() : '')}
  </div>`;
});
