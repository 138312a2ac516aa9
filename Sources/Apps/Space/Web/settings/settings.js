// The owner's page for the space. At first it only asks for a name; afterwards everything can be changed here. Other
// rooms may add sections (/settings-parts.js), which are saved together.

import { computed, effect, element, html, signal } from '/ui.js';
import { explainedFields } from '/errors.js';
import { explain } from '/explain.js';
import { forget, HubError } from '/keep.js';
import { keepPages } from '/offline.js';
import { change, exchange, refreshSession, session } from '/session.js';
import { formErrors } from '/fields.js';
import '/navigation.js';
import '/people/owners-only.js';
import '/settings/list.js';
import { sections as ofOthers } from '/settings-parts.js';
import { followedPart } from '/space/settings/followed.js';
import { contactPart, hoursPart } from '/space/settings/people.js';
import { lookPart, picturesPart } from '/space/settings/looks.js';
import { legalPart } from '/space/settings/legal.js';
import { placePart } from '/space/settings/place.js';
import { namePart, urlPart } from '/space/settings/name.js';
import { merge, told } from '/space/settings/versions.js';
import { language, words } from '/space/settings/words.js';

const SETTINGS = '/api/v1/space/settings';

/** Counts how often the form was remade. */
const round = signal(0);
let isTouched = false; // true if there is unsaved input
const state = signal('loading'); // 'loading', 'failed', 'denied', 'first' or 'form'
let settings = {};
let tag = null; // of the version that the form is based on
let pictures = {};
/** Conflicts with another owner's version: {base, mine, theirs, conflicts, chosen}, or null. */
const versions = signal(null);
/** The form's content instead of the hub's, after a choice between two versions. */
let draft = null;

async function fetchSettings() {
  state.set('loading');
  await refreshSession();
  if (session.peek()?.person && session.peek().person.role !== 'owner') return state.set('denied');
  try {
    ({ answer: settings, tag } = await exchange('GET', SETTINGS));
    pictures = await change('GET', '/api/v1/space').catch(() => ({}));
    state.set('form');
    // The address may lead to a part of the form that was just made.
    if (location.hash) requestAnimationFrame(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
  } catch (error) {
    if (!(error instanceof HubError)) return state.set('failed');
    if (error.status === 404) return state.set('first');
    return state.set([401, 403].includes(error.status) ? 'denied' : 'failed');
  }
}

const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** Somebody else has saved meanwhile: changes of one side are merged; for the rest both versions are shown. */
async function othersToo(mine) {
  const base = settings;
  const { answer: theirs, tag: now } = await exchange('GET', SETTINGS);
  const { merged, conflicts } = merge(base, mine, theirs);
  [settings, tag, draft] = [theirs, now, merged];
  versions.set({ mine, theirs, conflicts });
  round.set(round.peek() + 1); // the form is remade with the merged values
  requestAnimationFrame(() => document.querySelector('.versions-note')?.focus());
}

/** Chooses one version of a part of the settings; the form then shows it, still to be saved. */
function choose(name, value) {
  draft = { ...draft, [name]: value };
  const { conflicts, ...rest } = versions.peek();
  versions.set({ ...rest, conflicts: conflicts.filter((one) => one !== name) });
  round.set(round.peek() + 1);
}

const version = (name, whose, text, value) => html`<div class="version"><small>${whose}</small><p>${told(value)}</p>
  <button type="button" class="button" @click=${() => choose(name, value)}>${text}</button></div>`;

const nameOf = (name) => words.versions.names[name] ?? ofOthers.find(({ key }) => key === name)?.title ?? name;

const versionsNote = ({ mine, theirs, conflicts }) => html`<div class="note versions-note" role="alert" tabindex="-1">
  <strong>${words.versions.title}</strong>
  <p>${conflicts.length ? words.versions.both : words.versions.merged}</p>
  ${conflicts.map((name) => html`<h3>${nameOf(name)}</h3><div class="versions">
    ${version(name, words.versions.mine, words.versions.useMine, mine[name])}
    ${version(name, words.versions.theirs, words.versions.useTheirs, theirs[name])}</div>`)}
</div>`;

addEventListener('beforeunload', (event) => {
  if (isTouched) event.preventDefault(); // the browser asks in its own words
});

/** The form, made of parts: each returns its content, writes its values into the request, and checks them. */
function form(isFirst) {
  const errors = formErrors();
  const known = { timezone: zoneHere(), contact: {}, ...settings, ...draft };
  const parts = {
    name: namePart(known, errors), url: urlPart(known, errors), look: lookPart(known, errors),
    place: placePart(known, errors), contact: contactPart(known, errors), hours: hoursPart(known, errors),
    legal: legalPart(known, errors),
    ...Object.fromEntries(ofOthers.map(({ key, part }) => [key, part(known, errors)])),
  };
  const busy = signal(false);
  const trouble = signal('');

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
      await exchange('PUT', SETTINGS, wanted, tag);
      isTouched = false;
      await forget('space');
      location.assign('/');
    } catch (error) {
      if (error instanceof HubError && error.status === 412) await othersToo(wanted);
      else if (error instanceof HubError && error.fields) refuse(placed(explainedFields(error)), target);
      else if (error instanceof HubError) trouble.set(await explain(error));
      else trouble.set(words.unsaved);
      busy.set(false);
    }
  }

  /** Maps the hub's names of fields to those of the form. */
  const placed = (fields) => Object.fromEntries(Object.entries(fields).map(([name, reason]) => [
    Object.values(parts).reduce((known, part) => part.fieldOf?.(known) ?? known, name), reason]));

  function refuse(wrong, target) {
    errors.show(wrong, target);
    trouble.set(words.wrong(Object.keys(wrong).length));
  }

  const card = (title, ...content) => html`<section class="card"><h2>${title}</h2>${content}</section>`;
  const { sections } = words;
  const rest = () => html`
    ${card(sections.look, parts.look.view(), picturesPart(pictures))}
    ${card(sections.place, parts.place.view())}
    ${card(sections.contact, parts.contact.view())}
    ${card(sections.hours, parts.hours.view())}
    ${'legal_notice' in settings ? card(sections.legal, parts.legal.view()) : ''}
    ${ofOthers.map(({ key, title }) => card(title, parts[key].view()))}
    ${followedPart()}`;

  return html`
    ${isFirst ? html`<div><h1>${words.firstName}</h1><p class="quiet">${words.firstNameText}</p></div>`
      : html`<a class="settings-back" href="/settings">${words.title}</a><h1>${words.room}</h1>`}
    ${() => (versions() ? versionsNote(versions()) : '')}
    <form class="settings" novalidate @submit=${save} @input=${() => { isTouched = true; }}>
      ${isFirst ? html`<section class="card">${parts.name.view()}</section>
        <details><summary>${words.more}</summary><div class="settings">
          <section class="card">${parts.url.view()}</section>${rest()}</div></details>`
      : html`${card(sections.space, parts.name.view(), parts.url.view())}${rest()}`}
      <div class="save-bar">
        <p class="form-error" role="alert">${trouble}</p>
        <button class="button primary" aria-busy=${() => (busy() ? 'true' : null)}
          disabled=${() => Boolean(versions()?.conflicts.length)}>${() =>
      (busy() ? words.saving : isFirst ? words.begin : words.save)}</button>
      </div>
    </form>`;
}

const messages = {
  loading: () => html`<p class="quiet">${words.loading}</p>`,
  failed: () => html`<h1>${words.room}</h1><div class="note" data-kind="bad"><p>${words.failed}</p></div>
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
  return html`${() => (round(), messages[shown()]())}`;
});
