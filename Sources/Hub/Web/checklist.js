// The steps left to set up a hub, for its owners: the hub's own, and those of rooms. The list disappears when all are
// done, and stays hidden on a device where it was dismissed.

import { computed, effect, element, html, signal } from '/ui.js';
import { keep, recall } from '/keep.js';
import { stepsOf } from '/checklist-plan.js';
import { isDetail } from '/detail.js';
import { words } from '/hints-words.js';
import { place } from '/place.js';
import { isTrusted } from '/platform.js';
import { isFrontRoom, shownRooms } from '/room-choice.js';
import { load, may } from '/session.js';

const KEY = 'checklist-put-away';

/** The number of people in the hub; undefined until known. */
const people = signal(undefined);

const own = [
  {
    id: 'name', order: 10, to: '/settings/place',
    isDone: () => (place() === undefined ? undefined : place() !== null),
  },
  { id: 'source', order: 20 },
  { id: 'https', isDone: () => isTrusted(location) && location.protocol === 'https:' },
  { id: 'people', to: '/people', isDone: () => (people() === undefined ? undefined : people() > 1) },
];
const added = signal([]);

/** A room's step, as /checklist-plan.js says. Its module is what its room.js names as its parts' `checklist`. */
export const addStep = (step) => added.set([...added.peek(), step]);

const said = ({ id, text, hint }) => ({ text: text ?? words.checklist[id][0], hint: hint ?? words.checklist[id][1] });

const row = (isNow) => (step) => {
  const { text, hint } = said(step);
  const ways = step.isDone() ? [] : step.ways;
  const title = step.to && !step.isDone() && !ways.length ? html`<a href=${step.to}>${text}</a>` : text;
  const hints = ways.length ? ways.map((way, at) => html`${at ? words.checklist.or : ''}<a href=${
    way.to}>${way.hint}</a>`) : hint;
  return html`<li><span class="step-mark" data-done=${Boolean(step.isDone())} data-now=${isNow(step)}>${step.isDone()
    ? html`<svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5" /></svg>` : ''}
    </span><div class="grow"><strong>${title}</strong><small>${hints}</small></div>${step.isDone()
  ? html`<span class="visually-hidden">${words.checklist.done}</span>` : ''}</li>`;
};

element('hub-checklist', () => {
  const isAway = signal(undefined);
  recall(KEY).then((kept) => isAway.set(Boolean(kept?.body)));
  effect(() => {
    if (may('hub.manage')) load('/api/v1/people').then((all) => people.set(all.length), () => {});
  });
  const steps = computed(() => stepsOf(own, added(), shownRooms().map(({ id }) => id), words.checklist.or));
  const done = computed(() => steps().filter(({ isDone }) => isDone()).length);
  const isKnown = computed(() => steps().every(({ isDone }) => isDone() !== undefined));
  const isHere = computed(() => may('hub.manage') && isFrontRoom() && !isDetail());
  const isShown = computed(() => isHere() && isAway() === false && isKnown() && done() < steps().length);
  const isNow = (step) => steps().find(({ isDone }) => !isDone()) === step;
  const putAway = () => {
    isAway.set(true);
    keep(KEY, true);
  };
  return html`${() => (isShown() ? html`<section class="checklist" aria-labelledby="checklist">
    <div class="row"><h2 id="checklist" class="grow">${words.checklist.title}</h2>
      <p class="quiet small">${words.checklist.count(done(), steps().length)}</p></div>
    <progress value=${String(done())} max=${String(steps().length)} aria-label=${words.checklist.title}></progress>
    <ol class="list steps">${steps().map(row(isNow))}</ol>
    <p class="row end"><button type="button" class="button plain" @click=${putAway}>${words.hints.putAway}</button></p>
  </section>` : '')}`;
});
