// One's passkeys: made, renamed, removed; or the reason why this browser cannot make one.

import { each, effect, element, html, signal } from '/ui.js';
import { change, load, reusing, session } from '/session.js';
import { makePasskey, passkeyObstacle, PasskeyThere } from '/passkey.js';
import { ask } from '/people/ask.js';
import { button } from '/people/link-panel.js';
import { tried } from '/trying.js';
import { ago, deviceName, onDay } from '/people/told.js';
import { news } from '/me/news.js';
import { words } from '/me/words.js';

/** undefined until known. */
export const passkeys = signal(undefined);
const { afresh, note } = tried(
  (error) => (error instanceof PasskeyThere ? { title: words.there, help: '' } : null));
const fetching = tried();
const outcome = signal('');

const read = () => fetching.reading(async () => {
  passkeys.set(session.peek() ? reusing(passkeys.peek(), await load('/api/v1/passkeys')) : undefined);
});

function doing(act) {
  outcome.set('');
  return afresh(() => act().then(read));
}

const make = () => doing(async () => {
  const made = await makePasskey(words.browsers.passkey(deviceName(session.peek()?.device?.name ?? 'Browser')));
  outcome.set(made ? words.made : words.notMade);
});

async function rename({ id, name }) {
  const wanted = await ask({ title: words.renamePasskey, label: words.name, value: deviceName(name), yes: words.save });
  if (wanted) await doing(() => change('PATCH', `/api/v1/passkeys/${id}`, { name: wanted }));
}

async function remove({ id, name }) {
  const sure = await ask({
    title: words.removeTitle(deviceName(name)), text: words.removeText, yes: words.remove, danger: true,
  });
  if (sure) await doing(() => change('DELETE', `/api/v1/passkeys/${id}`));
}

const facts = ({ created_at, last_used, synced, address }) => [
  last_used ? words.used(ago(last_used)) : words.unused,
  words.since(onDay(created_at)),
  synced ? words.synced : '',
  address === location.hostname ? '' : words.forAddress(address),
].filter(Boolean).join(', ');

const row = (passkey) => html`<li>
    <span class="face" aria-hidden="true"><svg viewBox="0 0 24 24"><circle cx="8" cy="12" r="4.5"/>
      <path d="M12.5 12H21v3.5M17 12v3"/></svg></span>
    <div class="grow"><p class="name">${deviceName(passkey.name)}</p><p class="quiet small">${() =>
    facts(passkey)}</p></div>
    <p class="row">
      ${button(words.rename, () => rename(passkey), '', deviceName(passkey.name))}
      ${button(words.remove, () => remove(passkey), 'danger', deviceName(passkey.name))}
    </p></li>`;

element('me-passkeys', () => {
  effect(() => {
    news();
    if (session()) read();
    else passkeys.set(undefined);
  });
  const list = () => passkeys() ?? [];
  const obstacle = passkeyObstacle();
  return html`${() => (session() ? html`<section class="card" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">${words.passkeys}</h2>
      <p class="quiet small">${words.passkeysText}</p>
      ${fetching.note}${note}
      <p role="status">${outcome}</p>
      <ul class="list">${each(list, ({ id }) => id, row)}</ul>
      ${() => (passkeys()?.length === 0 && !obstacle ? html`<p class="quiet">${words.noPasskeys}</p>` : '')}
      ${obstacle ? html`<p class="note">${words.obstacle[obstacle]}</p>`
    : html`<p class="row"><button type="button" class="button primary" @click=${make}>${words.make}</button></p>`}
    </section>` : '')}`;
});
