// The surroundings of the favourites: events that have disappeared from the programme, where the list is stored, and
// the question what to do with it after signing out.

import { computed, effect, element, html, signal } from '/ui.js';
import { explain } from '/explain.js';
import { line } from '/live.js';
import { change, load, session } from '/session.js';
import { rules } from '/moments.js';
import { now, place, today } from '/place.js';
import { view } from '/programme/choice.js';
import { placed, whenInFull } from '/programme/days.js';
import { dropFavourite, isFleeting, leftBehind, settleLeftBehind, unsent } from '/programme/favourites.js';
import { favourites, isAwaited, person } from '/programme/favourites-list.js';
import { goneOf, missing } from '/programme/favourites-merge.js';
import { DAY, DAYS_AHEAD, wholeProgramme } from '/programme/model.js';
import { shown } from '/programme/route.js';
import { titleOf } from '/programme/rows.js';
import { viewWords } from '/programme/view-words.js';

const words = viewWords.favourites;

const lost = computed(() => (wholeProgramme() ? missing([...favourites().values()], wholeProgramme(), now()) : []));
const lostIDs = computed(() => lost().map(({ event }) => event).join(' '));
const said = signal(null); // whether the hub says that events are gone, by their ids; null until it was asked

/** Asks the hub about a person's favourites: it also knows of what this device does not have, such as far events. */
async function askForLost() {
  try {
    const answer = await load('/api/v1/space/favourites');
    said.set(new Map(answer.favourites.map(({ event, gone: isGone }) => [event, isGone])));
  } catch {
    said.set(new Map());
  }
}

/** Marked future events that no calendar has any more. */
const gone = computed(() => {
  if (lost().length === 0 || (person() && !said())) return [];
  return goneOf(lost(), (person() && said()) || new Map(), wholeProgramme(), now() + (DAYS_AHEAD - 1) * DAY);
});

function goneRow(record) {
  const { seen } = record;
  const title = titleOf(seen);
  const when = whenInFull(placed({ ...seen, id: record.event }), today());
  return html`<li class="gone-row"><span class="event-what"><span class="event-title"><s>${title}</s></span>
    <span class="event-facts">${[when, seen.location].filter(Boolean).join(' · ')}</span></span>
    <button type="button" class="plain" aria-label=${words.remove(title)}
      @click=${() => dropFavourite(record)}>${words.removeWord}</button></li>`;
}

const goneOnes = () => (gone().length && rules() ? html`<section class="gone" aria-labelledby="gone">
  <h2 id="gone">${words.gone}</h2><ul>${gone().map(goneRow)}</ul></section>` : '');

/** Says so where no event is listed: what is marked is over, or nothing is. */
function nothing() {
  const said = (text) => html`<p class="nothing-marked">${text}</p>`;
  if (!favourites().size) return isAwaited() ? '' : said(words.empty);
  const isListed = ({ events }) => events.some(({ id }) => favourites().has(id));
  return !wholeProgramme() || lost().length || isListed(wholeProgramme()) ? '' : said(words.over);
}

const REMINDER = '/api/v1/space/favourites/reminder';
const CHOICES = [null, 0, 15, 60, 180, 1440]; // minutes before an event
const reminder = signal(undefined); // minutes; null for none, undefined until known
const trouble = signal('');

async function askForReminder() {
  try {
    reminder.set((await load(REMINDER)).minutes);
  } catch { // without it there is no choice
  }
}

let last = Promise.resolve();
let chosen; // minutes: by the keyboard one goes through several, of which the last one counts

/** Saves what is chosen in `select`, after what was chosen before. */
function remind(select) {
  const minutes = select.value === '' ? null : Number(select.value);
  chosen = minutes;
  last = last.then(async () => {
    if (chosen !== minutes) return;
    trouble.set('');
    try {
      const now = await change('PUT', REMINDER, { minutes });
      if (chosen === minutes) reminder.set(now.minutes);
    } catch (error) {
      const said = words.notSaved(await explain(error));
      if (chosen !== minutes) return;
      trouble.set(said);
      select.value = String(reminder.peek() ?? '');
    }
  });
}

const hasReminder = computed(() => Boolean(session()) && reminder() !== undefined);
/** A choice that only the API offers. */
const other = computed(() => (CHOICES.includes(reminder()) ? undefined : reminder()));

/** When one is reminded of what is marked: on all devices that ring. The list stays while one goes through it. */
function reminderChoice() {
  if (!hasReminder()) return '';
  const choice = (minutes) => html`<option value=${String(minutes ?? '')} .selected=${() => minutes === reminder()}>${
    words.before(minutes)}</option>`;
  return html`<div class="field"><label>${words.remind} <select @change=${({ target }) => remind(target)}>${
    CHOICES.map(choice)}${() => (other() === undefined ? '' : choice(other()))}</select></label>
    ${() => (reminder() === null ? '' : html`<p class="hint">${words.wholeDays}</p>`)}
    <p class="error" aria-live="assertive">${trouble}</p></div>`;
}

function where() {
  if (session() === null) {
    if (isFleeting()) return html`<p class="note" role="status">${words.fleeting}</p>`;
    return html`<p class="quiet">${words.onDevice} <a href="/join">${words.signIn}</a>.</p>`;
  }
  return unsent() ? html`<p class="quiet">${words.unsent(unsent())}</p>` : '';
}

element('space-favourites', () => {
  effect(() => { if (view() === 'favourites' && session()) askForReminder(); });
  effect(() => {
    if (view() !== 'favourites' || !person() || !lostIDs()) return;
    wholeProgramme(); // after news of it, and after a reconnection, the hub is asked again
    line();
    askForLost();
  });
  return html`${() => (view() === 'favourites' ? html`
  ${nothing}
  ${goneOnes}
  ${reminderChoice}
  ${where}` : '')}`;
});

element('space-favourites-question', () => {
  const hidden = () => shown() !== null || place() === null;
  const ask = ({ count, unsent: late }) => html`<section class="note question" aria-labelledby="left-behind">
    <h2 id="left-behind">${words.leftTitle}</h2>
    <p>${words.left(count)} ${late ? words.leftUnsent(late) : ''}</p>
    <p class="actions">
      <button type="button" class="button" @click=${() => settleLeftBehind(true)}>${words.stay}</button>
      <button type="button" class="button" @click=${() => settleLeftBehind(false)}>${words.go}</button></p></section>`;
  return html`<div hidden=${hidden}>${() => (leftBehind() ? ask(leftBehind()) : '')}</div>`;
});
