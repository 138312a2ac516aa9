// The page on which one records a voice: first whose, then part for part.

import { effect, element, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { formErrors, textField } from '/fields.js';
import { isAway } from '/keep.js';
import { startLive, tellUsable } from '/live.js';
import { create, isInside, isSessionKnown, load, session } from '/session.js';
import { careful } from '/doing.js';
import { explain } from '/explain.js';
import { studio } from '/clock/record/studio.js';
import { language, words } from '/clock/record/words.js';

const VOICES = '/api/v1/clock/voices';
const NAME_LIMIT = 60;

/** The voice that is recorded: undefined until it is known, with a problem if it cannot be; null for a new one. */
const voice = signal(undefined);
const problem = signal('');

let round = 0;

async function open() {
  round += 1;
  const mine = round;
  const id = location.hash.slice(1);
  problem.set('');
  if (!id) return voice.set(null);
  try {
    const found = await load(`${VOICES}/${encodeURIComponent(id)}`);
    if (mine === round) voice.set(found);
  } catch (error) {
    const isGone = error.status === 404 && !isAway(error);
    const said = isGone ? words.gone : await explain(error);
    if (mine !== round) return;
    problem.set(said);
    voice.set(isGone ? null : undefined);
  }
}

function start() {
  const { doing, note, isBusy } = careful();
  const errors = formErrors();
  const earlier = signal([]);
  load('/api/v1/clock').then(({ voices }) => earlier.set(voices.filter(({ kind }) => kind === 'recorded')), () => {});
  const begin = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { name, language: spoken } = Object.fromEntries(new FormData(form));
    doing(async () => {
      const made = await create(VOICES, { name: name.trim(), language: spoken });
      history.replaceState(null, '', `#${made.id}`);
      await open();
      // Where the keys record and hear; the button that began is gone.
      requestAnimationFrame(() => document.querySelector('.prompt')?.focus());
    });
  };
  return html`<section class="card record-start"><h1>${words.title}</h1><p>${words.lead}</p>
    ${() => (problem() ? html`<p class="note">${problem()}</p>` : '')}
    <form @submit=${begin}>
      ${textField('name', {
    label: words.name, hint: words.nameHint, value: session.peek()?.person.name, errors, longest: NAME_LIMIT,
    required: true,
  })}
      <label class="field"><span class="label">${words.language}</span><select name="language">${
  Object.entries(words.languages).map(([value, text]) => html`<option value=${value} selected=${value === language}>${
    text}</option>`)}</select></label>
      ${note}<p class="row"><button class="button primary" aria-busy=${isBusy}>${words.begin}</button>
      </p>
    </form>
    ${() => (earlier().length ? html`<h2>${words.goOn}</h2><ul class="list">${earlier().map(({ id, name }) =>
    html`<li><a class="earlier" href=${`#${id}`}>${name}</a></li>`)}</ul>` : '')}</section>`;
}

const unread = () => html`<section class="card record-start"><h1>${words.title}</h1>
  <p class="note" data-kind="bad" role="alert">${problem()}</p>
  <p class="row"><button class="button primary" type="button" @click=${open}>${words.retry}</button></p></section>`;

const outside = () => html`<section class="card record-start"><h1>${words.title}</h1><p>${words.outside}</p>
  <p class="row"><a class="button primary" href="/join">${words.signIn}</a></p></section>`;

element('clock-record', () => {
  beginPage(() => words.title);
  startLive();
  tellUsable();
  addEventListener('hashchange', open);
  let isKnown = false;
  effect(() => {
    if (!session() || isKnown) return;
    isKnown = true;
    open();
  });
  return html`<a class="back record-back" href="/clock">${words.clock}</a>${() => {
    // Once it is there, it stays with what was recorded: a session that ends is told when that is sent.
    if (voice()) return studio(voice());
    if (!isSessionKnown() && !isInside()) return html`<h1>${words.title}</h1>`;
    if (!isInside()) return outside();
    if (voice() === undefined) return problem() ? unread() : '';
    return start();
  }}`;
});
