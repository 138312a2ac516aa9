// The owner's form. At first it only asks for a name; afterwards everything can be changed here: the hub's place, and
// what rooms have to ask, saved together. What a room adds is its `settings`, composed in /settings-parts.js:
//   at        the address of the settings, where its fields are saved with the place's
//   fields    the names of its fields, for choosing between two versions
//   before    if given, awaited before the form is shown
//   saved     if given, awaited after saving
//   sections  a list of {order, title, part}: `part(known, errors)` returns {view, take, fieldOf}; without a title
//             the view has cards of its own. With `isBesideName` it stands in the card of the name.

import { computed, effect, element, html, signal } from '/ui.js';
import { explainedFields } from '/errors.js';
import { explain } from '/explain.js';
import { forget, HubError } from '/keep.js';
import { keepPages } from '/offline.js';
import { shownRooms } from '/room-choice.js';
import { rooms } from '/rooms.js';
import { exchange, may, refreshSession, session } from '/session.js';
import { language, words as shell } from '/shell-words.js';
import { formErrors } from '/fields.js';
import '/navigation.js';
import '/people/owners-only.js';
import { PLACE } from '/settings/list.js';
import { parts as ofRooms } from '/settings-parts.js';
import { legalPart } from '/settings/place/legal.js';
import { placePart } from '/settings/place/place.js';
import { namePart } from '/settings/place/name.js';
import { merge, told } from '/settings/place/versions.js';
import { words } from '/settings/place/words.js';

/** What rooms add, without those that are switched off: the hub refuses their fields. */
const offered = rooms.map(({ id }) => ofRooms[id]).filter(Boolean);
const SETTINGS = offered[0]?.at; // each room names the address where all fields are saved
const sections = offered.flatMap((one) => one.sections);
const names = Object.assign({}, words.versions.names, ...offered.map(({ fields }) => fields));

/** The page is called as the line that leads to it in the list of settings. */
const heading = () => shownRooms().find(({ settings: address }) => address === PLACE)?.name ?? shell.settingsList.place;

/** Counts how often the form was remade. */
const round = signal(0);
let isTouched = false; // true if there is unsaved input
const state = signal('loading'); // 'loading', 'failed', 'denied', 'first' or 'form'
let settings = {};
let tag = null; // of the version that the form is based on
/** Conflicts with another owner's version: {base, mine, theirs, conflicts, chosen}, or null. */
const versions = signal(null);
/** The form's content instead of the hub's, after a choice between two versions. */
let draft = null;

async function fetchSettings() {
  state.set('loading');
  await refreshSession();
  if (session.peek() && !may('hub.manage')) return state.set('denied');
  if (!SETTINGS) return state.set('failed');
  try {
    ({ answer: settings, tag } = await exchange('GET', SETTINGS));
    await Promise.all(offered.map(({ before }) => before?.()));
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

const versionsNote = ({ mine, theirs, conflicts }) => html`<div class="note versions-note" role="alert" tabindex="-1">
  <strong>${words.versions.title}</strong>
  <p>${conflicts.length ? words.versions.both : words.versions.merged}</p>
  ${conflicts.map((name) => html`<h3>${names[name] ?? name}</h3><div class="versions">
    ${version(name, words.versions.mine, words.versions.useMine, mine[name])}
    ${version(name, words.versions.theirs, words.versions.useTheirs, theirs[name])}</div>`)}
</div>`;

addEventListener('beforeunload', (event) => {
  if (isTouched) event.preventDefault(); // the browser asks in its own words
});

/** The form, made of parts: each returns its content, writes its values into the request, and checks them. */
function form(isFirst) {
  const errors = formErrors();
  const known = { timezone: zoneHere(), ...settings, ...draft };
  const make = (list) => list.map(({ part, ...one }) => ({ ...one, part: part(known, errors) }));
  const name = namePart(known, errors);
  const besideName = make(sections.filter(({ isBesideName }) => isBesideName));
  const others = make([
    { order: 20, title: words.sections.place, part: placePart },
    ...('legal_notice' in settings ? [{ order: 50, title: words.sections.legal, part: legalPart }] : []),
    ...sections.filter(({ isBesideName }) => !isBesideName),
  ].sort((one, other) => one.order - other.order));
  const parts = [name, ...[...besideName, ...others].map(({ part }) => part)];
  const busy = signal(false);
  const trouble = signal('');

  async function save(event) {
    event.preventDefault();
    if (busy.peek()) return;
    const target = event.currentTarget;
    const wanted = { ...known };
    const wrong = {};
    for (const part of parts) part.take?.(wanted, wrong, target);
    trouble.set('');
    errors.set({});
    if (Object.keys(wrong).length) return refuse(wrong, target);
    busy.set(true);
    try {
      await exchange('PUT', SETTINGS, wanted, tag);
      isTouched = false;
      await Promise.all([forget('place'), ...offered.map(({ saved }) => saved?.())]);
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
  const placed = (fields) => Object.fromEntries(Object.entries(fields).map(([field, reason]) => [
    parts.reduce((found, part) => part.fieldOf?.(found) ?? found, field), reason]));

  function refuse(wrong, target) {
    errors.show(wrong, target);
    trouble.set(words.wrong(Object.keys(wrong).length));
  }

  const card = (title, ...content) => html`<section class="card"><h2>${title}</h2>${content}</section>`;
  const rest = () => others.map(({ title, part }) => (title ? card(title, part.view()) : part.view()));
  const beside = () => besideName.map(({ part }) => part.view());

  return html`
    ${isFirst ? html`<div><h1>${words.firstName}</h1><p class="quiet">${words.firstNameText}</p></div>`
      : html`<a class="settings-back" href="/settings">${words.title}</a><h1>${heading}</h1>`}
    ${() => (versions() ? versionsNote(versions()) : '')}
    <form class="settings" novalidate @submit=${save} @input=${() => { isTouched = true; }}>
      ${isFirst ? html`<section class="card">${name.view()}</section>
        <details><summary>${words.more}</summary><div class="settings">
          ${besideName.length ? html`<section class="card">${beside()}</section>` : ''}${rest()}</div></details>`
      : html`${card(words.sections.name, name.view(), beside())}${rest()}`}
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
  failed: () => html`<h1>${heading}</h1><div class="note" data-kind="bad"><p>${words.failed}</p></div>
    <p><button class="button" @click=${fetchSettings}>${words.again}</button></p>`,
  denied: () => html`<hub-owners-only></hub-owners-only>`,
  first: () => form(true),
  form: () => form(false),
};

element('hub-place-settings', () => {
  document.documentElement.lang = language;
  effect(() => { document.title = `${words.title} · Eightbells`; });
  fetchSettings();
  keepPages();
  const shown = computed(() => state());
  return html`${() => (round(), messages[shown()]())}`;
});
