// Signs this device in: by the secret in the page's address, by a typed code, or by a passkey. Opening the page does
// not use the link up; the button does.

import { insist } from '/done.js';
import { element, ending, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { appearance } from '/appearance.js';
import { drawing } from '/drawing.js';
import { isAway } from '/keep.js';
import { change, create, refreshSession, session } from '/session.js';
import { isInApp } from '/platform.js';
import { makePasskey, offerPasskeys, passkeyObstacle, passkeysHere, signInByPasskey } from '/passkey.js';
import { explained } from '/errors.js';
import { dutiesOf } from '/people/duties.js';
import { deviceName, told } from '/people/told.js';
import { words } from '/join/words.js';

const NAME_LENGTH = 100;
const CODE = /^[A-Z0-9]{8}$/;

/** The current view: {step: 'looking' | 'code' | 'link' | 'done', …}. */
const view = signal({ step: 'looking' });
const problem = signal(null);
const busy = signal(false);

/** {link} of an address or a text with one, {code} of any other text that may be one, or null. */
function keyOf(text) {
  const secret = /#([\w-]{16,})\s*$/.exec(text)?.[1];
  if (secret) return { link: secret };
  const code = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return CODE.test(code) ? { code: `${code.slice(0, 4)}-${code.slice(4)}` } : null;
}

function show(found) {
  problem.set(found);
  requestAnimationFrame(() => document.querySelector('.note[role=alert]')?.focus());
}

/** Shows the next step from its heading on, which the form before has taken the focus from. */
function turnTo(step) {
  view.set(step);
  requestAnimationFrame(() => document.querySelector('main h1')?.focus());
}

const fail = (error) => show(explained(error));
const refuse = (title) => show({ title, help: '' });

let next = null; // an address opened while another request was under way

/** False in a browser that drops cookies: a link would be used up by it, and nobody be signed in. */
function keepsCookies() {
  try {
    document.cookie = 'eightbells-try=1; SameSite=Lax';
    const isKept = document.cookie.includes('eightbells-try=1');
    document.cookie = 'eightbells-try=; Max-Age=0';
    return isKept;
  } catch {
    return false;
  }
}

/** Does one action at a time, and shows its error. */
async function doing(act) {
  if (busy.peek()) return;
  busy.set(true);
  problem.set(null);
  try {
    await act();
  } catch (error) {
    fail(error);
  } finally {
    busy.set(false);
    const key = next;
    next = null;
    if (key) look(key);
  }
}

const seen = (key) => change('POST', '/api/v1/links/look', key);

/** Whoever came by a link has no code to type: it is looked at once the hub can be reached. */
async function lookLater(key) {
  const found = await insist(() => seen(key).catch((error) => {
    if (!isAway(error)) return { error };
    throw error;
  }));
  if (view.peek().step !== 'code') return; // there was another way
  if (found.error) return void fail(found.error);
  problem.set(null);
  turnTo({ step: 'link', key, ...found });
}

const look = (key) => (busy.peek() ? (next = key) : doing(async () => {
  try {
    turnTo({ step: 'link', key, ...await seen(key) });
  } catch (error) {
    if (view.peek().step !== 'code') view.set({ step: 'code' }); // typed text stays, to be corrected
    if (key.link && isAway(error)) lookLater(key);
    throw error;
  }
}));

async function welcome(answer, isFirst = false) {
  history.replaceState(null, '', '/join'); // the secret is used up, and removed from the history
  turnTo({ step: 'done', name: answer.person.name, isFirst });
  await refreshSession();
  // Whoever has one for this address is not asked; and whoever knows none here cannot be.
  if (!passkeyObstacle()) offer.set((await passkeysHere().catch(() => [1])).length ? '' : 'open');
}

/** A passkey for who came by a link and has none: '' for no offer, 'open', or 'made'. */
const offer = signal('');

const keepKey = () => doing(async () => {
  const device = deviceName(session.peek()?.device?.name ?? 'Browser');
  if (await makePasskey(words.passkeyName(device))) offer.set('made');
});

const passkeyCard = () => html`${() => (offer() === 'open' ? html`<section class="offer" aria-labelledby="offer">
    <h2 id="offer">${words.passkeyTitle}</h2><p>${words.passkeyOffer}</p>
    <p><button type="button" class="button" disabled=${busy} @click=${keepKey}>${words.makePasskey}</button></p>
  </section>` : '')}<p role="status">${() => (offer() === 'made' ? words.passkeyMade : '')}</p>`;

function come(event) {
  event.preventDefault();
  const { key, kind, name } = view.peek();
  const typed = event.target.elements.name?.value.trim();
  if (!name && !typed) return refuse(words.nameMissing);
  const wanted = name ? key : { ...key, name: typed };
  return doing(async () => welcome(await create('/api/v1/session', wanted), kind === 'setup'));
}

function type(event) {
  event.preventDefault();
  const key = keyOf(event.target.elements.code.value);
  if (key) look(key);
  else refuse(words.codeShape);
}

const passkey = () => doing(async () => {
  const answer = await signInByPasskey();
  if (answer) await welcome(answer);
  else refuse(words.passkeyNone);
});

/** Adds capitals and the dash while typing; leaves a pasted link alone. */
function shape({ target }) {
  if (target.value.includes('/')) return;
  const letters = target.value.toUpperCase().replace(/[^A-Z0-9]/g, '').slice(0, 8);
  const wanted = letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
  if (target.value !== wanted && target.selectionStart === target.value.length) target.value = wanted;
}

const wheel = () => html`<svg viewBox="0 0 64 64" class="wheel" aria-hidden="true">
    <circle cx="32" cy="32" r="18"/><circle cx="32" cy="32" r="5"/>
    <path d="M32 4v23M32 37v23M4 32h23M37 32h23M12.2 12.2l16.3 16.3M35.5 35.5l16.3 16.3M51.8 12.2L35.5 28.5M28.5
    35.5L12.2 51.8"/></svg>`;

const info = (text) => html`<p class="note" data-kind="info">${text}</p>`;

const problemBox = () => html`${() => (problem() ? html`<div class="note" data-kind="bad" role="alert" tabindex="-1">
    <strong>${problem().title}</strong> <span>${problem().help}</span></div>` : '')}`;

/** Offers passkeys in the field itself, where the browser supports that. */
const offering = () => ending(offerPasskeys((answer) => {
  problem.set(null);
  return welcome(answer);
}, fail));

// The forms are `novalidate`: what is missing is told in words of their own.
const codeForm = () => html`<section class="card door">
    ${wheel()}
    <h1>${words.codeTitle}</h1>
    ${() => (session() ? info(words.signedIn(session().person.name)) : '')}
    ${problemBox()}
    <form novalidate @submit=${type}>
      <div class="field"><label for="code">${words.code}</label>
        <input id="code" name="code" class="typed-code" placeholder="ABCD-EFGH" autocomplete="one-time-code webauthn"
          autocapitalize="characters" spellcheck="false" autocorrect="off" enterkeyhint="go"
          aria-required="true" aria-describedby="code-hint" @input=${shape}>
        <p id="code-hint" class="hint">${words.codeHelp}</p></div>
      <button class="button primary wide" disabled=${busy}>${words.codeButton}</button>
    </form>
    ${passkeyObstacle() ? '' : html`<p class="or">${words.or}</p>
      <button type="button" class="button" disabled=${busy} @click=${passkey}>${words.passkey}</button>`}
    <p class="quiet small">${words.codeText}</p>
  </section>`;

function texts({ kind, name, role, space }) {
  if (kind === 'setup') return [words.setup.title, words.setup.text, words.setup.button];
  if (kind === 'device') return [words.device.title(name), words.device.text(space), words.device.button];
  const text = words.invitation.text(told.roles[role]);
  const whose = name ? words.invitation.named(name) : '';
  return [words.invitation.title(space), `${whose} ${text}`, words.invitation.button];
}

/** The list of rights after signing in. */
const mayList = (role) => html`<ul class="may">${dutiesOf(role).map((one) => html`<li>${
  drawing('M5 12.5l4.5 4.5L19 7.5')}<span>${one}</span></li>`)}</ul>`;

function linkForm(found) {
  // Only these texts change when the space's name is known: replacing the form would lose the input.
  const part = (index) => () => texts({ ...found, space: appearance().name })[index];
  const mine = () => found.kind === 'device' && session()?.person?.name === found.name;
  const others = () => session()?.person && !mine();
  return html`<section class="card door">
    ${wheel()}
    <h1 tabindex="-1">${part(0)}</h1>
    <p>${part(1)}</p>
    ${found.kind === 'invitation' ? mayList(found.role) : ''}
    ${isInApp({ userAgent: navigator.userAgent, isStandalone: navigator.standalone }) ? info(words.inApp) : ''}
    ${() => (others() ? info(words.otherPerson(session().person.name)) : '')}
    ${() => (mine() ? info(words.samePerson) : '')}
    ${problemBox()}
    <form novalidate @submit=${come}>
      ${found.name ? '' : html`<div class="field"><label for="name">${words.yourName}</label>
        <input id="name" name="name" maxlength=${NAME_LENGTH} autocomplete="name" enterkeyhint="go"
          aria-required="true" aria-describedby="name-hint"><p id="name-hint" class="hint">${words.nameHelp}</p></div>`}
      <button class="button primary wide" disabled=${busy}>${part(2)}</button>
    </form>
    <p class="quiet small">${words.once} ${words.app}</p>
    <p class="quiet small">${words.notMeant} <a class="tall" href="/">${words.look}</a></p>
  </section>`;
}

const titleOf = (now) => (now.step === 'done' ? words.done(now.name) : words.title);

// The first owner's hub has no name yet, except in the demonstration.
const isNamed = () => appearance().name !== 'Eightbells';

const noCookies = () => html`<section class="card door">
    ${wheel()}
    <h1>${words.title}</h1>
    <p class="note" data-kind="bad" role="alert">${words.noCookies}</p>
    <p class="quiet small"><a class="tall" href="/">${words.look}</a></p>
  </section>`;

const welcomed = ({ name, isFirst }) => html`<section class="card door">
    ${wheel()}
    <h1 tabindex="-1">${words.done(name)}</h1>
    <p>${words.doneText}</p>
    <p class="row">${isFirst && !isNamed()
    ? html`<a class="button primary" href="/settings/start">${words.toSettings}</a>`
    : html`<a class="button primary" href="/">${words.toFront}</a>`}
      <a class="button" href="/me">${words.toMe}</a></p>
    ${problemBox()}
    ${passkeyCard()}
  </section>`;

element('join-door', () => {
  beginPage(() => titleOf(view()));
  if (!keepsCookies()) return noCookies();
  const read = () => {
    const key = keyOf(location.hash);
    if (key) look(key);
    else if (view.peek().step === 'looking') view.set({ step: 'code' });
  };
  addEventListener('hashchange', read);
  read();
  return html`${() => {
    const now = view();
    if (now.step === 'code') {
      offering();
      return codeForm();
    }
    if (now.step === 'link') return linkForm(now);
    if (now.step === 'done') return welcomed(now);
    return html`<p class="quiet">${words.looking}</p>`;
  }}`;
});
