// The page about oneself: the signed-in person, their devices and passkeys.

import { effect, element, html, signal } from '/ui.js';
import '/navigation.js';
import { keepPages } from '/offline.js';
import { change, refreshSession, session } from '/session.js';
import { passkeyObstacle, signInByPasskey } from '/passkey.js';
import { ask } from '/people/ask.js';
import { explained } from '/errors.js';
import { duty } from '/people/duties.js';
import { told } from '/people/told.js';
import { devices } from '/me/devices.js';
import { passkeys } from '/me/passkeys.js';
import { followNews } from '/me/news.js';
import { words } from '/me/words.js';

const problem = signal('');

function fail(error) {
  const { title, help } = explained(error);
  problem.set(`${title} ${help}`);
}

async function enter() {
  problem.set('');
  try {
    const answer = await signInByPasskey();
    if (answer) await refreshSession();
    else problem.set(words.nothingChosen);
  } catch (error) {
    fail(error);
  }
}

const signedOut = () => html`<section class="card door">
    <h1>${words.outTitle}</h1>
    <p>${words.outText}</p>
    ${() => (problem() ? html`<p class="note" data-kind="bad" role="alert">${problem()}</p>` : '')}
    <p class="row"><a class="button primary" href="/join">${words.signIn}</a>
      ${passkeyObstacle() ? '' : html`<button type="button" class="button" @click=${enter}>${words.passkeyIn}</button>`}
    </p></section>`;

async function rename({ id, name }) {
  const wanted = await ask({ title: words.renameMe, label: words.name, value: name, yes: words.save, no: told.cancel });
  if (!wanted) return;
  try {
    await change('PATCH', `/api/v1/people/${id}`, { name: wanted });
  } catch (error) {
    fail(error);
  }
  await refreshSession();
}

const signedIn = ({ id, name, role }) => html`<section class="who">
    <span class="face big" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span>
    <div class="grow"><h1>${name}</h1>
      <p><span class="tag" data-role=${role}>${told.roles[role]}</span>
        <span class="quiet small">${duty(role)}</span></p></div>
    <button type="button" class="button plain" @click=${() => rename({ id, name })}>${words.rename}
      <span class="visually-hidden">${name}</span></button>
  </section>`;

element('me-card', () => {
  keepPages();
  followNews();
  effect(() => { document.title = `${session()?.person?.name ?? words.title} · Eightbells`; });
  return html`${() => {
    const known = session();
    if (known === undefined) return html`<h1>${words.title}</h1>`;
    return known ? signedIn(known.person) : signedOut();
  }}`;
});

async function leave() {
  const isAlone = devices.peek()?.length === 1 && passkeys.peek()?.length === 0;
  const sure = await ask({
    title: words.leaveTitle, text: isAlone ? words.leaveAlone : words.leaveText, yes: words.leave, no: told.cancel,
    danger: true,
  });
  if (!sure) return;
  try {
    await change('DELETE', '/api/v1/session');
  } catch (error) {
    fail(error);
    return;
  }
  await refreshSession();
}

element('me-leave', () => html`${() => (session()
  ? html`<p class="row"><button type="button" class="button danger" @click=${leave}>${words.leave}</button>
      <a class="button" href="/history">${words.history}</a>
      <a class="button" href=${words.manualPage}>${words.manual}</a></p>
      ${() => (problem() ? html`<p class="note" data-kind="bad" role="alert">${problem()}</p>` : '')}`
  : '')}`);
