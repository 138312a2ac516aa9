// The owner's form, a page for the hub's place and one for each room that has something to ask: /settings/place, and
// /settings/ID. All settings are one object, fetched and saved as a whole: a page sends what it does not show as it
// came. A hub without a name is only asked for that at first, with the rest folded away. What a room adds is its
// `settings`, composed in /settings-parts.js:
//   at        the address of the settings, where its fields are saved with the place's
//   lead      a sentence below the page's title
//   fields    the names of its fields, for choosing between two versions
//   anchors   if given, the ids of its elements that links lead to
//   before    if given, awaited before the form is shown
//   saved     if given, awaited after saving
//   sections  a list of {order, title, part}: `part(known, errors)` returns {view, take, fieldOf}; without a title
//             the view has cards of its own

import { soon } from '/done.js';
import { computed, element, html, signal } from '/ui.js';
import { explainedFields } from '/errors.js';
import { explain } from '/explain.js';
import { forget, HubError, isAway } from '/keep.js';
import { rooms } from '/rooms.js';
import { exchange, may, NOTHING, refreshSession, session } from '/session.js';
import { formErrors, idOf } from '/fields.js';
import { beginPage } from '/navigation.js';
import '/people/owners-only.js';
import { listWords as list } from '/settings/list-words.js';
import '/settings/list.js';
import { parts as ofRooms } from '/settings-parts.js';
import { legalPart } from '/settings/place/legal.js';
import { placePart } from '/settings/place/place.js';
import { namePart } from '/settings/place/name.js';
import { blanks, merge, told } from '/settings/place/versions.js';
import { words } from '/settings/place/words.js';

/** What rooms add, without those that are switched off: the hub refuses their fields. */
const offered = rooms.filter(({ id }) => ofRooms[id])
  .map(({ id, name, settings: address }) => ({ ...ofRooms[id], id, name, address }));
const SETTINGS = offered[0]?.at; // each room names the address where all fields are saved

/** The hub's own part, in the form of a room's. */
const PLACE = {
  address: '/settings/place', name: list.place, lead: words.lead, fields: words.versions.names,
  sections: [
    { order: 20, title: words.sections.place, part: placePart },
    { order: 50, title: words.sections.legal, part: legalPart, isOfNamed: true },
  ],
};
const all = [PLACE, ...offered];
const names = Object.assign({}, ...all.map(({ fields }) => fields));

/** The part of the settings that this page shows: a room's, or the place. */
const here = offered.find(({ address }) => address === location.pathname) ?? PLACE;

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
/** What stands in the form now, for remaking it. */
let written = () => draft;

async function fetchSettings() {
  state.set('loading');
  await refreshSession();
  if (session.peek() && !may('hub.manage')) return state.set('denied');
  if (!SETTINGS) return state.set('failed');
  try {
    ({ answer: settings, tag } = await exchange('GET', SETTINGS));
    await here.before?.();
    state.set('form');
  } catch (error) {
    if (isAway(error)) return state.set('failed');
    if (error.status !== 404) return state.set([401, 403].includes(error.status) ? 'denied' : 'failed');
    tag = NOTHING;
    state.set('first');
  }
  requestAnimationFrame(goToPart);
}

/** The address may lead to a part of the form that was just made. */
function goToPart() {
  const part = location.hash && document.getElementById(location.hash.slice(1));
  if (!part) return;
  part.closest('details')?.setAttribute('open', '');
  part.scrollIntoView();
  if (part.matches('input, select, textarea')) part.focus();
}

/** The page of a part that is on another one: links from before the form had pages lead to the wrong one. */
const pageOfPart = (id) => all.find((one) => one !== here && one.anchors?.includes(id))?.address;

const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC';

/** Somebody else has saved meanwhile: changes of one side are merged; for the rest both versions are shown. */
async function othersToo(mine) {
  const base = state.peek() === 'first' ? blanks(mine) : settings;
  const { answer: theirs, tag: now } = await exchange('GET', SETTINGS);
  if (state.peek() === 'first') await here.before?.();
  const { merged, conflicts } = merge(base, mine, theirs);
  [settings, tag, draft] = [theirs, now, merged];
  versions.set({ mine, theirs, conflicts });
  state.set('form');
  round.set(round.peek() + 1); // the form is remade with the merged values
  requestAnimationFrame(() => document.querySelector('.versions-note')?.focus());
}

/** Chooses one version of a part of the settings; the form then shows it, still to be saved. */
function choose(name, value) {
  draft = { ...written(), [name]: value };
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

const back = () => html`<a class="back settings-back" href="/settings">${words.title}</a>`;

/** The form, made of parts: each returns its content, writes its values into the request, and checks them. */
function form(isFirst) {
  const errors = formErrors();
  const known = { timezone: zoneHere(), ...settings, ...draft };
  const name = isFirst || here === PLACE ? [namePart(known, errors)] : [];
  // At first, the page of the place has everything.
  const shown = isFirst && here === PLACE ? all : [here];
  const sections = shown.flatMap((one) => one.sections).filter(({ isOfNamed }) => !(isFirst && isOfNamed))
    .sort((one, other) => one.order - other.order).map(({ title, part }) => ({ title, part: part(known, errors) }));
  const parts = [...name, ...sections.map(({ part }) => part)];
  const busy = signal(false);
  const trouble = signal('');
  const elsewhere = signal([]); // {to, page, text}: errors in what this page does not show

  written = () => {
    const wanted = { ...known };
    const target = document.querySelector('form.settings');
    for (const part of parts) part.take?.(wanted, {}, target);
    // An unfinished number is not put into the settings.
    for (const [one, value] of Object.entries(wanted)) if (Number.isNaN(value)) wanted[one] = known[one];
    return wanted;
  };

  async function save(event) {
    event.preventDefault();
    if (busy.peek()) return;
    const target = event.currentTarget;
    const wanted = { ...known };
    const wrong = {};
    for (const part of parts) part.take?.(wanted, wrong, target);
    trouble.set('');
    elsewhere.set([]);
    errors.set({});
    if (Object.keys(wrong).length) return refuse(wrong, target);
    busy.set(true);
    try {
      await exchange('PUT', SETTINGS, wanted, tag);
      isTouched = false;
      await soon(Promise.all([forget('place'), ...offered.map(({ saved }) => saved?.())]));
      location.assign('/');
    } catch (error) {
      await refused(error, wanted, target).catch(async (other) => trouble.set(await explain(other, words.unsaved)));
      busy.set(false);
    }
  }

  /** Throws what else has gone wrong, also in asking for another owner's version. */
  async function refused(error, wanted, target) {
    if (error instanceof HubError && error.status === 412) await othersToo(wanted);
    else if (error instanceof HubError && error.fields) refuse(placed(apart(explainedFields(error))), target);
    else throw error;
  }

  /** The errors of fields on this page; those of others are shown with a link to their page. */
  function apart(fields) {
    const pageOf = (field) => all.find((one) => field.split(/[.[]/)[0] in one.fields);
    const isStrange = ([field]) => pageOf(field) && !shown.includes(pageOf(field)) && !(isFirst && field === 'name');
    const found = Object.entries(fields);
    elsewhere.set(found.filter(isStrange).map(([field, reason]) => ({
      to: `${pageOf(field).address}#${idOf(field)}`, page: pageOf(field).name,
      text: `${names[field.split(/[.[]/)[0]]}: ${reason}`,
    })));
    return Object.fromEntries(found.filter((one) => !isStrange(one)));
  }

  /** Maps the hub's names of fields to those of the form. */
  const placed = (fields) => Object.fromEntries(Object.entries(fields).map(([field, reason]) => [
    parts.reduce((found, part) => part.fieldOf?.(found) ?? found, field), reason]));

  function refuse(wrong, target) {
    errors.show(wrong, target);
    trouble.set(words.wrong(Object.keys(wrong).length + elsewhere.peek().length));
  }

  const card = (title, ...content) => html`<section class="card"><h2>${title}</h2>${content}</section>`;
  const rest = () => sections.map(({ title, part }) => (title ? card(title, part.view()) : part.view()));
  const isBare = isFirst && here === PLACE;
  const named = () => name.map((part) => (isBare ? html`<section class="card">${part.view()}</section>`
    : card(isFirst ? words.nameFirst : words.sections.name, part.view())));

  return html`
    ${isBare ? html`<div><h1>${words.firstName}</h1><p class="quiet">${words.firstNameText}</p></div>`
      : html`${back()}<div><h1>${here.name}</h1><p class="quiet">${here.lead}</p></div>`}
    ${() => (versions() ? versionsNote(versions()) : '')}
    <form class="settings" novalidate @submit=${save} @input=${() => { isTouched = true; }}>
      ${named()}
      ${isBare ? html`<details><summary>${words.more}</summary>
        <div class="settings">${rest()}</div></details>` : rest()}
      <div class="save-bar">
        <p class="form-error" aria-live="assertive">${trouble}</p>
        ${() => elsewhere().map(({ to, page, text }) => html`<p class="form-error"><a href=${to}>${page}</a>,
          ${text}</p>`)}
        <button class="button primary" aria-busy=${busy}
          disabled=${() => Boolean(versions()?.conflicts.length)}>${() =>
      (busy() ? words.saving : isBare ? words.begin : words.save)}</button>
      </div>
    </form>`;
}

const messages = {
  loading: () => html`<h1>${here.name}</h1><p class="quiet">${words.loading}</p>`,
  failed: () => html`${back()}<h1>${here.name}</h1><p class="note" data-kind="bad" role="alert">${words.failed}</p>
    <p><button class="button" @click=${fetchSettings}>${words.again}</button></p>`,
  denied: () => html`<hub-owners-only></hub-owners-only>`,
  first: () => form(true),
  form: () => form(false),
};

element('hub-place-settings', () => {
  beginPage(() => `${here.name} · ${words.title}`);
  const part = pageOfPart(location.hash.slice(1));
  if (part) location.replace(part + location.hash);
  fetchSettings();
  const shown = computed(() => state());
  return html`${() => (round(), messages[shown()]())}`;
});
