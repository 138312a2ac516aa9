// Invitations: links for new people, and for a new device of somebody without one, and the open ones.

import { each, effect, element, html, signal } from '/ui.js';
import { change, create, load, may } from '/session.js';
import { button, linkPanel } from '/people/link-panel.js';
import { ROLES_OF_PEOPLE } from '/people/roles.js';
import { tried } from '/trying.js';
import { duty } from '/people/duties.js';
import { said } from '/moments.js';
import { now, zone } from '/place.js';
import { told } from '/people/told.js';
import { words } from '/people/words.js';

const TIMES = [[600, words.minutes10], [86_400, words.days(1)], [7 * 86_400, words.days(7)]];

/** Counts changes of people, links and tokens, which the lists on this page follow. */
export const happened = signal(0);
export const happen = () => happened.set(happened.peek() + 1);

/** The link that is shown, {…link, title, wanted}, or null. */
const link = signal(null);
const open = signal([]);
const { afresh, once, note } = tried();
const fetching = tried();

const readOpen = () => fetching.reading(async () => {
  open.set(may('hub.manage') ? await load('/api/v1/links') : []);
});

/** Makes a link and shows it. `wanted` is the request to the hub. */
export const invitationLink = (wanted, title) => once(async () => {
  link.set({ ...await create('/api/v1/links', wanted), title, wanted });
  happen();
  requestAnimationFrame(() => {
    document.querySelector('people-invite')?.scrollIntoView({ block: 'nearest' });
    document.querySelector('people-invite .link-panel')?.focus({ preventScroll: true });
  });
});

function invite(event) {
  event.preventDefault();
  const { role, name, valid } = event.target.elements;
  const wanted = { role: role.value, valid_s: Number(valid.value) };
  if (name.value.trim()) wanted.name = name.value.trim();
  invitationLink(wanted, words.invite);
}

async function withdraw(id) {
  await afresh(() => change('DELETE', `/api/v1/links/${id}`));
  happen();
}

const form = () => html`<form @submit=${invite}>
    <fieldset><legend>${words.inviteRole}</legend>
      ${ROLES_OF_PEOPLE.map((role) => html`<label class="choice">
        <input type="radio" name="role" value=${role} checked=${role === ROLES_OF_PEOPLE[0]}>
        <strong>${told.roles[role]}</strong><small>${duty(role)}</small></label>`)}
    </fieldset>
    <div class="field"><label for="invite-name">${words.inviteName}</label>
      <input id="invite-name" name="name" maxlength="100" autocomplete="off" aria-describedby="invite-name-hint">
      <p id="invite-name-hint" class="hint">${words.inviteNameHelp}</p></div>
    <div class="field"><label for="invite-long">${words.inviteLong}</label>
      <select id="invite-long" name="valid" aria-describedby="invite-long-hint">
        ${TIMES.map(([seconds, text]) => html`<option value=${seconds}>${text}</option>`)}</select>
      <p id="invite-long-hint" class="hint">${words.codeLong}</p></div>
    <p class="row"><button class="button primary">${words.makeLink}</button></p>
  </form>`;

const openWords = ({ kind, name, role }) => (kind === 'device' ? words.openDevice(name)
  : words.openFor(name ?? words.someone, told.roles[role]));

const openRow = ({ id, expires_at, ...rest }) => html`<li>
    <span class="face" aria-hidden="true">…</span>
    <div class="grow"><p class="name">${openWords(rest)}</p>
      <p class="quiet small">${() =>
    words.goodUntil(said(Date.parse(expires_at), now(), zone()))}</p></div>
    <p class="row">${button(words.withdraw, () => withdraw(id), '', openWords(rest))}</p></li>`;

const panel = () => linkPanel(link(), {
  again: () => invitationLink(link.peek().wanted, link.peek().title),
  closed: () => { link.set(null); happen(); },
  used: happen,
});

element('people-invite', () => {
  effect(() => { happened(); if (may('hub.manage')) readOpen(); });
  const others = () => open().filter(({ id }) => id !== link()?.id);
  return html`${() => (may('hub.manage') ? html`<section class="card" aria-labelledby="invite-title">
      <h2 id="invite-title">${() => link()?.title ?? words.invite}</h2>
      ${fetching.note}${note}
      ${() => (link() ? panel() : form())}
      ${() => (others().length ? html`<h3>${words.open}</h3>` : '')}
      <ul class="list">${each(others, ({ id }) => id, openRow)}</ul>
    </section>` : '')}`;
});
