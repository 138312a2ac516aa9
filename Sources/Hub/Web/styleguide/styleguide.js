// Shows the tokens as computed by this browser, and the elements in their states.

import { html } from '/ui.js';
import { applyAccent } from '/accent.js';
import { areaField, choiceField, formErrors, textField } from '/fields.js';
import { navigationOf } from '/navigation.js';
import { rings } from '/ring.js';
import { rooms } from '/rooms.js';
import { tellState } from '/room-states.js';
import '/hints.js';
import { guides } from '/styleguide/rooms.js';

document.documentElement.lang = 'en'; // this page is for those who write pages

const colors = {
  paper: 'the page', surface: 'what lies on it', sunken: 'a trough', ink: 'text',
  muted: 'text beside it', rule: 'a line between',
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
  'round-small': 'corners of fields', target: 'what can be hit', rail: 'the navigation at the side',
  bar: 'the navigation along the bottom',
};
const elements = Object.assign({
  'hub-navigation': 'The rooms that are shown, oneself, for owners people and settings; outside the way in.',
  'hub-checklist': 'What is left to do until the hub is set up, for owners.',
  'hub-settings-list': 'All pages of the settings.',
  'hub-place-settings': 'The owner’s form: name, place and zone, with the sections of rooms.',
  'hub-rooms': 'Which rooms are shown, in which order, and which people see first.',
  'hub-start': 'The first start: what the hub is for.',
  'hub-ringing': 'Where it rings: at the top of every page.',
  'hub-foot': 'Whose this is, for those outside.',
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
errors.set({ 'sample-wrong': 'The name is missing.' });
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

// Sample alarms: one, two, an answered one, a call. Real ones come from rooms.
const away = () => rings.set([]);
const answered = {
  id: 'sample-answered', level: 'answered', at: 1, word: 'You are on it', about: '“Seeschwalbe”',
  facts: ['“Seeschwalbe” drags on at 0.3 kn, 47 m of 40. Rings again in 2:58 if she has not stopped.'],
  said: 'You are on it. All devices are silent.',
  answers: [{ text: 'Show the watch', to: '#ringing' }, { text: 'Let it ring on', act: () => rings.set([drags]) }],
};
const drags = {
  id: 'sample-drags', level: 'alarm', at: 1, word: 'Drags', about: '“Seeschwalbe”', since: 'since 03:12',
  far: { label: 'Distance to the anchor', value: '47', unit: 'm' }, facts: ['limit 40 m, 7 m outside'],
  next: 'Ben’s phone rings in 0:42',
  said: 'Alarm: “Seeschwalbe” drags, 47 metres, limit 40, since 3:12.',
  answers: [
    { text: 'I’m on it', primary: true, act: () => rings.set([answered]) }, { text: 'Show the watch', to: '#ringing' },
  ],
};
const lost = {
  id: 'sample-lost', level: 'alarm', kind: 'lost', at: 2, word: 'nothing heard', about: '“Heron”',
  facts: ['since 02:51, held then at 12 m'], said: 'Second alarm: nothing heard from “Heron” since 2:51.',
  answers: [{ text: 'I’m on it', primary: true, act: () => rings.set([drags]) }],
};
const call = {
  id: 'sample-call', level: 'call', at: 3, word: 'Nobody opens Thursday',
  facts: ['“Open evening: board games”, 19:30. Four people have marked it. Asked: you, Ben, Jonna.'],
  said: 'A call: nobody opens Thursday. Two answers at the top of the page.',
  answers: [{ text: 'I open', primary: true, act: away }, { text: 'I cannot', act: away }],
  away: { text: 'Later: it waits under Bells', act: away },
};
const samples = {
  'One alarm': [drags], 'Two alarms': [drags, lost, call], Answered: [answered], 'A call': [call], None: [],
};
put('ring-samples', ...Object.entries(samples).map(([name, all]) =>
  html`<button type="button" class="button" @click=${() => rings.set(all)}>${name}</button>`));

const feet = [['me', 'Me'], ['people', 'People'], ['settings', 'Settings']]
  .map(([id, name]) => ({
    id, name, short: name, page: `/${id}`,
    icon: 'M12 3.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 20.5c.8-4 4-6 8-6s7.2 2 8 6',
  }));
document.getElementById('many-rooms').addEventListener('click', () => {
  document.documentElement.toggleAttribute('data-inside', true);
  tellState(rooms.at(-1).id, { lamp: 'bad', text: 'Fails on main', rings: true });
  for (const old of document.querySelectorAll('.nav, .sheet, .outside-head')) old.remove();
  document.querySelector('hub-navigation').append(navigationOf(rooms, feet));
});
