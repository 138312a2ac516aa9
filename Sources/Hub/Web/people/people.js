// The owners' page of people and their roles.

import { computed, each, effect, element, ending, html, listening, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { change, isSessionKnown, load, may, refreshSession, reusing, session } from '/session.js';
import { ask } from '/people/ask.js';
import { tried } from '/trying.js';
import { duty } from '/people/duties.js';
import { button } from '/people/link-panel.js';
import { ago, language, told } from '/people/told.js';
import { happen, happened, invitationLink } from '/people/invite.js';
import { removed } from '/rooms-words.js';
import { contains, wordsOf } from '/search/text.js';
import { listed } from '/words.js';
import '/people/owners-only.js';
import '/settings/list.js';
import '/people/tokens.js';
import '/people/audit.js';
import { ROLES_OF_PEOPLE } from '/people/roles.js';
import { words } from '/people/words.js';

const AGAIN = 30_000; // milliseconds between two looks at who has come or gone
const MANY = 12; // people from which on one is looked for rather than seen

// At /people/3 the page is about one person.
const wanted = /^\/people\/([^/]+)$/.exec(location.pathname)?.[1];

/** undefined until known. */
const people = signal(undefined);
const { problem, afresh, note } = tried();
const fetching = tried();

const looked = signal(''); // a part of a name or a role
const collator = new Intl.Collator(language, { numeric: true });

const shownPeople = computed(() => (people() ?? []).filter(({ id }) => !wanted || String(id) === wanted)
  .sort((one, other) => collator.compare(one.name, other.name)));
const sought = computed(() => wordsOf(looked()));
const isFound = ({ name, role }) => contains([name, told.roles[role]], sought());
const areMany = computed(() => !wanted && (people()?.length >= MANY || looked() !== ''));
const one = () => (wanted ? shownPeople()[0] : undefined);

/** Does an action, and updates the lists; shows its error. */
async function doing(act) {
  await afresh(act);
  happen();
}

const fetchPeople = async () => reusing(people.peek(), await load('/api/v1/people'));

const read = () => fetching.reading(async () => people.set(await fetchPeople()));

/** False while a row is being changed, which would be drawn anew. The page of one person has it open always. */
const isAtRest = () => !document.hidden && may('hub.manage')
  && !document.querySelector(`people-list li:not([hidden]) details${wanted ? ' :focus' : '[open]'}, dialog[open]`);

const standing = (all) => String(all?.map(({ id, role, devices }) => [id, role, devices]));

/** Shows who has come or gone meanwhile. */
async function follow() {
  if (!isAtRest()) return;
  const found = await fetchPeople().catch(() => null);
  if (!found || !isAtRest()) return;
  const isNews = standing(found) !== standing(people.peek());
  people.set(found);
  if (isNews || fetching.problem.peek()) happen(); // the other lists: of links that were used, or did not come either
}

element('people-title', () => {
  beginPage(() => (may('hub.manage') && one()?.name) || words.title);
  document.body.toggleAttribute('data-one', Boolean(wanted));
  const title = () => (wanted ? html`<a class="back settings-back" href="/people">${words.title}</a>
    <h1>${() => one()?.name ?? (people() ? words.noSuchPerson : words.title)}</h1>` : html`<h1>${words.title}</h1>`);
  return html`${() => (!isSessionKnown() || may('hub.manage') ? title() : '')}`;
});

const isMe = ({ id }) => session()?.person?.id === id;

const owners = computed(() => (people() ?? []).filter(({ role }) => role === 'owner').length);

async function rename({ id, name }) {
  const answer = await ask({ title: words.renamePerson(name), label: words.name, value: name, yes: words.save });
  if (!answer) return;
  await doing(() => change('PATCH', `/api/v1/people/${id}`, { name: answer }));
  await refreshSession();
}

/** What ends with a person's role as an owner. */
const ends = ({ role }) => (role === 'owner' ? words.ownersEnd : '');

/** Gives a person the role that a control shows. Asked first: a key is enough to choose another there. */
async function give(person, control) {
  const role = control.value;
  const sure = await ask({
    title: words.giveTitle(person.name, told.roles[role]), yes: words.give, danger: person.role === 'owner',
    text: [`${told.roles[role]}: ${duty(role)}.`, ends(person), isMe(person) ? words.giveUp : ''],
  });
  if (sure) await doing(() => change('PATCH', `/api/v1/people/${person.id}`, { role }));
  if (!sure || problem.peek()) control.value = person.role;
  else if (isMe(person)) await refreshSession();
}

async function remove(person) {
  const sure = await ask({
    title: words.removeTitle(person.name), yes: words.remove,
    text: [words.removeText(listed([words.passkeys, ...removed(language)], language)), ends(person)], danger: true,
  });
  if (!sure) return;
  await doing(() => change('DELETE', `/api/v1/people/${person.id}`));
  if (isMe(person)) await refreshSession();
  if (wanted && !problem.peek()) location.assign('/people'); // their own page is over
}

const called = ({ id, name }) => (wanted ? html`<span>${name}</span>`
  : html`<a class="tall" href=${`/people/${id}`}>${name}</a>`);

function row(person) {
  const { id, name, role, devices, last_seen } = person;
  const isLast = () => role === 'owner' && owners() === 1;
  const isOpened = signal(Boolean(wanted)); // a closed one is not filled: there may be hundreds
  const facts = () => [words.devices(devices), last_seen ? words.seen(ago(last_seen)) : words.neverSeen].join(', ');
  // Found or not, a row stays: to make hundreds anew at a letter takes a slow phone a second.
  return html`<li hidden=${() => !isFound(person)}>
    <span class="face" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span>
    <div class="grow">
      <p class="name">${called(person)} <span class="tag" data-role=${role}>${told.roles[role]}</span>
        ${() => (isMe(person) ? html`<span class="quiet small">(${told.you})</span>` : '')}</p>
      <p class="quiet small">${facts}</p>
    </div>
    <details class="more" open=${Boolean(wanted)} @toggle=${() => isOpened.set(true)}>
      <summary>${words.change}<span class="visually-hidden"> ${name}</span></summary>
      ${() => (isOpened() ? html`<div class="row">
        <label for=${`role-${id}`}>${words.role}<span class="visually-hidden"> ${name}</span></label>
        <select id=${`role-${id}`} disabled=${isLast} @change=${({ target }) => give(person, target)}>
          ${ROLES_OF_PEOPLE.map((one) => html`<option value=${one} selected=${one === role}>${
    told.roles[one]}</option>`)}
        </select>
        ${button(words.rename, () => rename(person), '', name)}
        ${button(words.newDevice, () => invitationLink({ person: id }, words.forPerson(name)), '', name)}
        ${() => (isLast() ? '' : button(words.remove, () => remove(person), 'danger', name))}
      </div>` : '')}
      ${() => (isLast() ? html`<p class="quiet small">${words.lastOwner}</p>` : '')}
    </details></li>`;
}

const finder = () => html`<p><a class="button" href="#invite">${words.invite}</a></p>
  <p class="field"><label for="people-find">${words.find}</label>
    <input id="people-find" type="search" autocomplete="off" @input=${({ target }) => looked.set(target.value)}></p>
  <p class="quiet small" role="status">${() =>
    (looked() ? words.found(shownPeople().filter(isFound).length, people().length) : '')}</p>`;

element('people-list', () => {
  effect(() => { happened(); if (may('hub.manage')) read(); });
  const timer = setInterval(follow, AGAIN);
  ending(() => clearInterval(timer));
  listening(document, ['visibilitychange'], follow);
  const isBusy = computed(() => people() === undefined && !fetching.problem());
  return html`${() => (may('hub.manage') ? html`<section class="card" aria-labelledby="people-title"
      aria-busy=${isBusy}>
      <h2 id="people-title">${words.people}</h2>
      ${fetching.note}${note}
      ${() => (areMany() ? finder() : '')}
      <ul class="list">${each(shownPeople, ({ id }) => id, row)}</ul>
    </section>` : '')}`;
});
