// The page about oneself: the signed-in person, their devices and passkeys.

import { element, html } from '/ui.js';
import { beginPage } from '/navigation.js';
import { change, refreshSession, session } from '/session.js';
import { passkeyObstacle, signInByPasskey } from '/passkey.js';
import { careful } from '/doing.js';
import { ask } from '/people/ask.js';
import { duty } from '/people/duties.js';
import { button } from '/people/link-panel.js';
import { told } from '/people/told.js';
import { removed } from '/rooms-words.js';
import { language } from '/shell-words.js';
import { listed } from '/words.js';
import { devices } from '/me/devices.js';
import { passkeys } from '/me/passkeys.js';
import { followNews } from '/me/news.js';
import { words } from '/me/words.js';

const nothingChosen = new Error('no passkey');
const { doing, note } = careful((error) => (error === nothingChosen ? words.nothingChosen : null));

const enter = () => doing(async () => {
  if (!await signInByPasskey()) throw nothingChosen;
  await refreshSession();
});

const signedOut = () => html`<section class="card door">
    <h1>${words.outTitle}</h1>
    <p>${words.outText}</p>
    ${note}
    <p class="row"><a class="button primary" href="/join">${words.signIn}</a>
      ${passkeyObstacle() ? '' : html`<button type="button" class="button" @click=${enter}>${words.passkeyIn}</button>`}
    </p></section>`;

async function rename({ id, name }) {
  const wanted = await ask({ title: words.renameMe, label: words.name, value: name, yes: words.save });
  if (!wanted) return;
  await doing(() => change('PATCH', `/api/v1/people/${id}`, { name: wanted }));
  await refreshSession();
}

const signedIn = ({ id, name, role }) => html`<section class="who">
    <span class="face big" aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</span>
    <div class="grow"><h1>${name}</h1>
      <p><span class="tag" data-role=${role}>${told.roles[role]}</span>
        <span class="quiet small">${duty(role)}</span></p></div>
    ${button(words.rename, () => rename({ id, name }), 'plain', name)}
  </section>`;

element('me-card', () => {
  beginPage(() => session()?.person?.name ?? words.title);
  followNews();
  return html`${() => {
    const known = session();
    if (known === undefined) return html`<h1>${words.title}</h1>`;
    return known ? signedIn(known.person) : signedOut();
  }}`;
});

async function leave() {
  const isAlone = devices.peek()?.length === 1 && passkeys.peek()?.length === 0;
  const alone = session.peek().person.role === 'owner' ? words.leaveAloneOwner : words.leaveAlone;
  const sure = await ask({
    title: words.leaveTitle, text: isAlone ? alone : words.leaveText, yes: words.leave, danger: true,
  });
  if (sure) await doing(() => change('DELETE', '/api/v1/session').then(refreshSession));
}

async function leaveHub() {
  const gone = listed([words.passkeysGone, ...removed(language)], language);
  const sure = await ask({
    title: words.leaveHubTitle, text: words.leaveHubText(gone), yes: words.leaveHub, danger: true,
  });
  if (sure) await doing(() => change('DELETE', `/api/v1/people/${session.peek().person.id}`).then(refreshSession));
}

element('me-leave', () => html`${() => (session()
  ? html`<p class="row"><a class="button" href="/history">${words.history}</a>
      <a class="button" href=${words.manualPage}>${words.manual}</a>
      <button type="button" class="button" @click=${leave}>${words.leave}</button>
      <button type="button" class="button danger" @click=${leaveHub}>${words.leaveHub}</button></p>
      ${note}`
  : '')}`);
