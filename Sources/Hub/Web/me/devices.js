// One's own signed-in devices, and adding one.

import { computed, each, effect, element, html, signal } from '/ui.js';
import { change, create, load, reusing, session } from '/session.js';
import { ask } from '/people/ask.js';
import { button, linkPanel } from '/people/link-panel.js';
import { tried } from '/trying.js';
import { ago, deviceName, onDay, told } from '/people/told.js';
import { belongings } from '/rooms-words.js';
import { language } from '/shell-words.js';
import { news } from '/me/news.js';
import { words } from '/me/words.js';

/** undefined until known. */
export const devices = signal(undefined);
/** A sign-in link that was made here, or null. */
export const link = signal(null);
const { afresh, once, note } = tried();
const fetching = tried();

const read = () => fetching.reading(async () => {
  // A visit of this device is not worth an update.
  const now = session.peek()
    && (await load('/api/v1/devices')).map((one) => (one.current ? { ...one, last_seen: null } : one));
  devices.set(now ? reusing(devices.peek(), now) : undefined);
});

/** Does an action, and fetches the list again; shows its error. */
const doing = (act) => afresh(() => act().then(read));

async function rename({ id, name }) {
  const wanted = await ask({ title: words.renameDevice, label: words.name, value: deviceName(name), yes: words.save });
  if (wanted) await doing(() => change('PATCH', `/api/v1/devices/${id}`, { name: wanted }));
}

/** The things made on a device, as a sentence; empty for none. */
function madeOn({ passkeys, tokens, links, addresses }) {
  const all = [
    ...passkeys.map(words.madePasskey), ...tokens.map(words.madeToken),
    ...links.map(({ name, role }) => words.madeLink(name ?? told.roles[role])),
    ...(addresses ?? []).map((kind) => belongings[language][kind] ?? kind),
  ];
  return all.length ? words.madeOn(all.join(', ')) : '';
}

async function revoke({ id, name, made }) {
  const sentence = madeOn(made);
  const letIn = made.devices.map((one) => deviceName(one)).join(', ');
  const sure = await ask({
    title: words.signOutTitle(deviceName(name)), yes: words.signOutDevice, danger: true,
    text: [words.signOutText, sentence, letIn ? words.letIn(letIn) : ''], tick: sentence && words.endMade,
  });
  if (sure) await doing(() => change('DELETE', `/api/v1/devices/${id}${sure.ticked ? '' : '?made=keep'}`));
}

const isPhone = (name) => /phone|android|handy|mobil|pixel|galaxy/i.test(name);

const picture = (name) => (isPhone(name)
  ? html`<svg viewBox="0 0 24 24"><rect x="7" y="2.5" width="10" height="19" rx="2.5"/><path d="M11 18.5h2"/></svg>`
  : html`<svg viewBox="0 0 24 24"><rect x="3" y="4.5" width="18" height="12" rx="2"/><path d="M8 20.5h8"/></svg>`);

const row = (device) => html`<li data-current=${Boolean(device.current)}>
    <span class="face" aria-hidden="true">${picture(device.name)}</span>
    <div class="grow">
      <p class="name"><span>${deviceName(device.name)}</span>
        ${device.current ? html`<span class="tag">${words.thisOne}</span>` : ''}</p>
      <p class="quiet small">${() => (device.current ? '' : `${words.seen(ago(device.last_seen))}, `)}
        ${() => words.since(onDay(device.created_at))}</p>
    </div>
    <p class="row">
      ${button(words.rename, () => rename(device), '', deviceName(device.name))}
      ${device.current ? '' : button(words.signOutDevice, () => revoke(device), 'danger', deviceName(device.name))}
    </p></li>`;

const me = computed(() => session()?.person?.id ?? null);

// Whoever opens the link is who made it: the next person on this device must not see it.
effect(() => {
  me();
  link.set(null);
});

const add = () => once(async () => {
  const maker = me();
  const made = await create('/api/v1/links', { for: 'me' });
  if (me() === maker) link.set(made);
  requestAnimationFrame(() => document.querySelector('me-devices .link-panel')?.focus());
  await read();
});

element('me-devices', () => {
  effect(() => {
    news();
    if (session()) read();
    else devices.set(undefined);
  });
  const list = () => devices() ?? [];
  const adding = () => (link()
    ? linkPanel(link(), { again: add, closed: () => link.set(null), used: read })
    : html`<p class="row"><button type="button" class="button primary" @click=${add}>${words.add}</button></p>
      <p class="quiet small">${words.addText}</p>`);
  return html`${() => (session() ? html`<section class="card" aria-labelledby="devices-title">
      <h2 id="devices-title">${words.devices}</h2>
      <p class="quiet small">${words.devicesText}</p>
      ${fetching.note}${note}
      <ul class="list">${each(list, ({ id }) => id, row)}</ul>
      ${adding}
    </section>` : '')}`;
});
