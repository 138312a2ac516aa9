// The owner's page for the space. At first it asks for a name and no more; afterwards everything can be changed here.

import { computed, effect, element, html, signal } from '/ui.js';
import { explainedFields } from '/errors.js';
import { explain } from '/explain.js';
import { forget, HubError } from '/keep.js';
import { keepPages } from '/offline.js';
import { change, refreshSession, session } from '/session.js';
import { formErrors } from '/fields.js';
import '/navigation.js';
import '/people/owners-only.js';
import { calendarsPart } from '/space/settings/calendars.js';
import { followedPart } from '/space/settings/followed.js';
import { contactPart, hoursPart } from '/space/settings/people.js';
import { lookPart, picturesPart } from '/space/settings/looks.js';
import { placePart } from '/space/settings/place.js';
import { namePart, urlPart } from '/space/settings/name.js';
import { language, words } from '/space/settings/words.js';

const SETTINGS = '/api/v1/space/settings';

const state = signal('loading'); // 'loading', 'failed', 'denied', 'first' or 'form'
let settings = {};
let pictures = {};

async function fetchSettings() {
  state.set('loading');
  await refreshSession();
  if (session.peek()?.person && session.peek().person.role !== 'owner') return state.set('denied');
  try {
    settings = await change('GET', SETTINGS);
    pictures = await change('GET', '/api/v1/space').catch(() => ({}));
    state.set('form');
    // The address may lead to a part of what has only just been made.
    if (location.hash) requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
  } catch (error) {
    if (!(error instanceof HubError)) return state.set('failed');
    if (error.status === 404) return state.set('first');
    return state.set([401, 403].includes(error.status) ? 'denied' : 'failed');
  }
}

const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** The form, made of parts: each gives its content, takes its values into what is sent, and finds what is wrong. */
function form(isFirst) {
  const errors = formErrors();
  const known = { timezone: zoneHere(), contact: {}, calendars: [], ...settings };
  const parts = {
    name: namePart(known, errors), url: urlPart(known, errors), look: lookPart(known, errors),
    place: placePart(known, errors), contact: contactPart(known, errors), hours: hoursPart(known, errors),
    calendars: calendarsPart(known, errors),
  };
  const busy = signal(false);
  const trouble = signal('');
  let isTouched = false;

  async function save(event) {
    event.preventDefault();
    if (busy.peek()) return;
    const target = event.currentTarget;
    const wanted = { ...known };
    const wrong = {};
    for (const part of Object.values(parts)) part.take(wanted, wrong, target);
    delete wanted.pictures;
    trouble.set('');
    errors.set({});
    if (Object.keys(wrong).length) return refuse(wrong, target);
    busy.set(true);
    try {
      await change('PUT', SETTINGS, wanted);
      isTouched = false;
      await forget('space');
      location.assign('/');
    } catch (error) {
      if (error instanceof HubError && error.fields) refuse(placed(explainedFields(error)), target);
      else if (error instanceof HubError) trouble.set(await explain(error));
      else trouble.set(words.unsaved);
      busy.set(false);
    }
  }

  /** The hub names fields as they are sent; some are called otherwise here. */
  const placed = (fields) => Object.fromEntries(Object.entries(fields).map(([name, reason]) => [
    parts.calendars.fieldOf(name), reason]));

  function refuse(wrong, target) {
    errors.show(wrong, target);
    trouble.set(words.wrong(Object.keys(wrong).length));
  }

  addEventListener('beforeunload', (event) => {
    if (isTouched) event.preventDefault(); // the browser asks in its own words
  });

  const card = (title, ...content) => html`<section class="card"><h2>${title}</h2>${content}</section>`;
  const { sections } = words;
  const rest = () => html`
    ${card(sections.look, parts.look.view(), picturesPart(pictures))}
    ${card(sections.place, parts.place.view())}
    ${card(sections.contact, parts.contact.view())}
    ${card(sections.hours, parts.hours.view())}
    ${card(sections.calendars, parts.calendars.view())}
    ${followedPart()}`;

  return html`
    ${isFirst ? html`<div><h1>${words.first}</h1><p class="quiet">${words.firstText}</p></div>`
      : html`<h1>${words.title}</h1>`}
    <form class="settings" novalidate @submit=${save} @input=${() => { isTouched = true; }}>
      ${isFirst ? html`<section class="card">${parts.name.view()}</section>
        <details><summary>${words.more}</summary><div class="settings">
          <section class="card">${parts.url.view()}</section>${rest()}</div></details>`
      : html`${card(sections.space, parts.name.view(), parts.url.view())}${rest()}`}
      <div class="save-bar">
        <p class="form-error" role="alert">${trouble}</p>
        <button class="button primary" aria-busy=${() => (busy() ? 'true' : null)}>${() =>
      (busy() ? words.saving : isFirst ? words.begin : words.save)}</button>
      </div>
    </form>`;
}

const messages = {
  loading: () => html`<p class="quiet">${words.loading}</p>`,
  failed: () => html`<h1>${words.title}</h1><div class="note" data-kind="bad"><p>${words.failed}</p></div>
    <p><button class="button" @click=${fetchSettings}>${words.again}</button></p>`,
  denied: () => html`<hub-owners-only></hub-owners-only>`,
  first: () => form(true),
  form: () => form(false),
};

element('space-settings', () => {
  document.documentElement.lang = language;
  effect(() => { document.title = `${words.title} · Eightbells`; });
  fetchSettings();
  keepPages();
  const shown = computed(() => state());
  return html`${() => messages[shown()]()}`;
});
