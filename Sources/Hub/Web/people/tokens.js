// Tokens for programs: made and shown once, listed with their last use, revoked.

import { each, effect, element, html, signal } from '/ui.js';
import { change, create, load, may } from '/session.js';
import { ask } from '/people/ask.js';
import { button, copyButton } from '/people/link-panel.js';
import { tried } from '/trying.js';
import { duty } from '/people/duties.js';
import { ago, onDay, told } from '/people/told.js';
import { happen, happened } from '/people/invite.js';
import { ROLES } from '/people/roles.js';
import { words } from '/people/words.js';

const tokens = signal([]);
const made = signal(null); // {name, token}, while it is shown
const { afresh, once, note } = tried();

const read = () => afresh(async () => tokens.set(await load('/api/v1/tokens')));

const doing = (act, run = afresh) => run(async () => {
  await act();
  happen();
});

function make(event) {
  event.preventDefault();
  const form = event.target;
  const { name, role } = form.elements;
  doing(async () => {
    made.set(await create('/api/v1/tokens', { name: name.value.trim(), role: role.value }));
    form.reset();
    // Not a status: the token would be read aloud.
    requestAnimationFrame(() => document.querySelector('people-tokens .link-panel')?.focus());
  }, once);
}

async function revoke({ id, name }) {
  const sure = await ask({ title: words.revokeTitle(name), text: words.revokeText, yes: words.revoke, danger: true });
  if (sure) await doing(() => change('DELETE', `/api/v1/tokens/${id}`));
}

/** The maker's name, and the topics that the token is limited to. */
const limits = ({ made_by, topics }) => [
  made_by && words.madeBy(made_by), topics && words.topicsAlone(topics.join(', ')),
].filter(Boolean).map((one) => `, ${one}`).join('');

const row = (token) => html`<li>
    <span class="face" aria-hidden="true"><svg viewBox="0 0 24 24"><rect x="4" y="8" width="16" height="11" rx="2"/>
      <path d="M9 8V5.5M15 8V5.5M8.5 13.5h7"/></svg></span>
    <div class="grow">
      <p class="name"><span>${token.name}</span>
        <span class="tag" data-role=${token.role}>${told.roles[token.role]}</span></p>
      <p class="quiet small">${() => (token.last_used ? words.used(ago(token.last_used)) : words.unused)},
        ${() => words.since(onDay(token.created_at))}${limits(token)}</p>
    </div>
    <p class="row">${button(words.revoke, () => revoke(token), 'danger', token.name)}</p></li>`;

const shown = ({ name, token }) => html`<div class="link-panel" role="group" tabindex="-1"
    aria-label=${words.tokenOnce(name)}>
    <p>${words.tokenOnce(name)}</p><output class="code">${token}</output>
    <p class="row">${copyButton(token)}
      ${button(told.close, () => made.set(null))}</p></div>`;

element('people-tokens', () => {
  effect(() => { happened(); if (may('hub.manage')) read(); });
  return html`${() => (may('hub.manage') ? html`<section class="card" aria-labelledby="tokens-title">
      <h2 id="tokens-title">${words.tokens}</h2>
      <p class="quiet small">${words.tokensText}</p>
      ${note}
      <ul class="list">${each(tokens, ({ id }) => id, row)}</ul>
      ${() => (made() ? shown(made()) : '')}
      <form @submit=${make}>
        <div class="field"><label for="token-name">${words.tokenName}</label>
          <input id="token-name" name="name" maxlength="100" aria-required="true" autocomplete="off"></div>
        <div class="field"><label for="token-role">${words.role}</label>
          <select id="token-role" name="role">${ROLES.map((role) => html`<option value=${role}>
            ${told.roles[role]}: ${duty(role)}</option>`)}</select></div>
        <p class="row"><button class="button primary">${words.makeToken}</button></p>
      </form>
    </section>` : '')}`;
});
