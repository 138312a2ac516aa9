// Shows the tokens as this browser computes them, and the elements in their states.

import { html } from '/ui.js';
import { applyAccent } from '/accent.js';
import { areaField, choiceField, formErrors, textField } from '/fields.js';
import '/navigation.js';
import '/hints.js';
import { guides } from '/styleguide/rooms.js';

const colors = {
  paper: 'the page', surface: 'what lies on it', ink: 'text', muted: 'text beside it', rule: 'a line between',
  edge: 'around a field', accent: 'the space’s own', 'on-accent': 'text on it', 'accent-surface': 'a ground in it',
  brass: 'days, the bell', warn: 'a warning', 'warn-surface': 'its ground', good: 'good news',
  'good-surface': 'its ground', bad: 'an error', 'bad-surface': 'its ground',
};
const types = {
  title: 'The title of a page', heading: 'A heading', large: 'What is read at arm’s length',
  small: 'What stands beside',
};
const lengths = {
  'gap-small': 'within a row', gap: 'between fields', 'gap-large': 'between sections', round: 'corners of cards',
  'round-small': 'corners of fields', target: 'what can be hit',
};
const elements = Object.assign({
  'hub-navigation': 'The navigation: the rooms of /rooms.js, oneself or “Sign in”, for owners people and settings.',
  'hub-hints': 'What the device could do: HTTPS, the home screen. “always” shows also what was put away.',
  'join-door': 'Who comes by a link, a code or a passkey.',
  'me-card': 'Who is signed in: name and role.',
  'me-devices': 'One’s devices, and the link, QR code and code for another one.',
  'me-passkeys': 'One’s passkeys.',
  'me-leave': 'Signs this device out.',
  'hub-owners-only': 'On an owners’ page, for everybody else: that it is for owners, and the way in.',
  'people-title': 'The title of “People”.',
  'people-list': 'Who belongs to the hub, with role and devices.',
  'people-invite': 'Makes an invitation; open links, which can be withdrawn.',
  'people-tokens': 'What programs come in with.',
  'people-audit': 'Who did what, newest first.',
}, ...guides);

const put = (id, ...content) => document.getElementById(id).append(...content);

for (const [name, text] of Object.entries(colors)) {
  const swatch = html`<li class="swatch"><span></span><p><code>--${name}</code><br>${text}</p></li>`;
  swatch.querySelector('span').style.setProperty('background', `var(--${name})`);
  put('colors', swatch);
}
for (const [name, text] of Object.entries(types)) {
  const row = html`<li><div class="grow"><span>${text}</span><small><code>--${name}</code></small></div></li>`;
  row.querySelector('span').style.setProperty('font-size', `var(--${name})`);
  put('type', row);
}
for (const [name, text] of Object.entries(lengths)) {
  const row = html`<li><div class="grow"><span>${text}</span><small><code>--${name}</code></small></div>
    <span class="bar"></span></li>`;
  row.querySelector('.bar').style.setProperty('width', `var(--${name})`);
  put('lengths', row);
}
for (const [name, text] of Object.entries(elements)) {
  put('elements', html`<li><div class="grow"><code>&lt;${name}&gt;</code><small>${text}</small></div></li>`);
}
for (const [word, color] of [['Open', '#0a6f4f'], ['Closed', '#a3302a'], ['Unknown', '#46596a']]) {
  const sample = html`<p class="sign-sample">${word}</p>`;
  sample.querySelector('p').style.setProperty('background', color);
  put('signs', sample);
}

const errors = formErrors();
errors.set({ 'sample-wrong': 'A space needs a name.' });
put('fields', html`
  ${textField('sample', {
    label: 'Name', hint: 'As it stands on the door.', placeholder: 'Hackerspace Nordlicht', errors,
  })}
  ${textField('sample-wrong', { label: 'Name', errors })}
  ${choiceField('sample-choice', {
    label: 'Time zone', value: 'UTC', options: [['UTC', 'UTC'], ['B', 'Europe/Berlin']], errors,
  })}
  ${areaField('sample-area', { label: 'Message', optional: '(optional)', errors })}
  <div class="field"><label for="sample-code">The code from the other device</label>
    <input class="typed-code" id="sample-code" value="ABCD-EFGH"></div>
  <div class="field"><label for="sample-off">Not now</label>
    <input id="sample-off" disabled value="cannot be changed"></div>`);

document.getElementById('try-color').addEventListener('input', ({ target }) => applyAccent(target.value));
document.getElementById('open-dialog').addEventListener('click', () => document.getElementById('dialog').showModal());
