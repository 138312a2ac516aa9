// The space's contacts, its keymasters, and its usual opening hours.

import { each, html, signal } from '/ui.js';
import { idOf, noteInput, textField } from '/fields.js';
import { LONGEST } from '/space/limits.js';
import { DAYS, hours } from '/space/opening-hours.js';
import { daysText } from '/space/settings/weekdays.js';
import { words } from '/space/settings/words.js';
import { locale } from '/shell-words.js';
import { MONDAY, weekdayShort } from '/words.js';

const FIRST = ['email', 'phone', 'matrix', 'mastodon', 'irc'];
const MORE = ['ml', 'issue_mail', 'xmpp', 'sip', 'mumble', 'twitter', 'facebook', 'identica', 'foursquare', 'gopher'];
const TYPES = { email: 'email', issue_mail: 'email', phone: 'tel' };
const EXAMPLES = {
  matrix: '#space:example.org', mastodon: '@space@social.example', irc: 'ircs://irc.libera.chat/#space',
};

/** The contacts of a keymaster, in the order of the form. */
const REACH = ['email', 'phone', 'matrix', 'mastodon', 'irc_nick', 'xmpp', 'twitter'];

export function contactPart({ contact = {} }, errors) {
  let counter = 0;
  const people = signal((contact.keymasters ?? []).map((person) => ({ id: counter += 1, person })));
  let sent = []; // the ids of those whom the hub was told of
  const one = (key) => textField(`contact.${key}`, {
    label: words.contact[key], value: contact[key], errors, longest: LONGEST.text, type: TYPES[key] ?? 'text',
    placeholder: EXAMPLES[key], autocapitalize: 'none', spellcheck: 'false',
  });
  const nameOf = (id, key) => `keymaster.${id}.${key}`;
  const label = (key) => (key === 'irc_nick' ? words.contact.irc : words.contact[key] ?? words.keymasters.name);
  const person = ({ id, person: known }) => html`<li class="person">
    <div class="fields">${['name', ...REACH].map((key) => textField(nameOf(id, key), {
    label: label(key), value: known[key], errors, longest: LONGEST.text, type: TYPES[key] ?? 'text',
    autocapitalize: 'none',
  }))}</div>
    <p class="row end"><button type="button" class="button plain danger"
      @click=${remove(id)}>${
  words.keymasters.remove}<span class="visually-hidden"> ${known.name ?? ''}</span></button></p>
  </li>`;
  const remove = (id) => ({ currentTarget }) => {
    noteInput(currentTarget);
    people.set(people.peek().filter((other) => other.id !== id));
  };
  const add = () => {
    counter += 1;
    const id = counter;
    people.set([...people.peek(), { id, person: {} }]);
    setTimeout(() => document.getElementById(idOf(nameOf(id, 'name')))?.focus());
  };
  return {
    view: () => html`
      <p class="quiet small">${words.contact.hint}</p>
      <div class="fields">${FIRST.map(one)}</div>
      <details><summary>${words.contact.more}</summary><div class="fields">${MORE.map(one)}</div></details>
      <details><summary>${words.keymasters.title}</summary>
        <p class="quiet small">${words.keymasters.hint} ${words.keymasters.ways}</p>
        <ul class="settings">${each(people, ({ id }) => id, person)}</ul>
        <p><button type="button" class="button" @click=${add}>${words.keymasters.add}</button></p></details>`,
    take(wanted, wrong, form) {
      const value = (name) => form.elements[name]?.value.trim() ?? '';
      const told = {};
      for (const key of [...FIRST, ...MORE]) if (value(`contact.${key}`)) told[key] = value(`contact.${key}`);
      const all = people.peek().map(({ id }) => Object.fromEntries(
        ['name', ...REACH].map((key) => [key, value(nameOf(id, key))]).filter(([, text]) => text)));
      people.peek().forEach(({ id }, index) => {
        const reached = ['irc_nick', 'phone', 'email', 'twitter'].some((key) => all[index][key]);
        if (!reached && Object.keys(all[index]).length) wrong[nameOf(id, 'email')] = words.keymasters.ways;
      });
      const kept = all.filter((known) => Object.keys(known).length);
      sent = people.peek().map(({ id }) => id).filter((_, index) => kept.includes(all[index]));
      if (kept.length) told.keymasters = kept;
      wanted.contact = told;
    },

    /** The form's field for the hub's "contact.keymasters[0].email"; of a whole person, the first by which one asks. */
    fieldOf(name) {
      const [, index, key = 'email'] = /^contact\.keymasters\[(\d+)\](?:\.(\w+))?$/.exec(name) ?? [];
      return sent[index] ? nameOf(sent[index], key) : name;
    },
  };
}

export function hoursPart({ opening_hours: text }, errors) {
  const now = signal(text ?? '');
  const add = (event) => {
    const box = event.currentTarget.closest('.builder');
    const days = [...box.querySelectorAll('.days input:checked')].map(({ value }) => value);
    const times = [...box.querySelectorAll('[type="time"]')];
    const [from, to] = times.map(({ value }) => value);
    const lacking = days.length ? times.find(({ value }) => !value) : box.querySelector('.days input');
    if (lacking) {
      lacking.focus();
      return;
    }
    const input = document.getElementById(idOf('opening_hours'));
    input.value = [input.value.trim().replace(/;$/, ''), `${daysText(days)} ${from}-${to}`].filter(Boolean).join('; ');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    for (const day of box.querySelectorAll('.days input')) day.checked = false;
  };
  const day = (name, index) => html`<label><input type="checkbox" value=${name} @input=${(event) =>
    event.stopPropagation()}><span>${weekdayShort(MONDAY + index, locale)}</span></label>`;
  const time = (label, value) => html`<div class="field"><label>${label}
    <input type="time" value=${value} @input=${(event) => event.stopPropagation()}></label></div>`;
  return {
    view: () => html`
      <div @input=${(event) => now.set(event.target.value)}>${textField('opening_hours', {
    label: words.hours.label, hint: words.hours.hint, optional: words.optional, value: text, errors,
    longest: LONGEST.text,
  })}</div>
      <details><summary>${words.hours.days}</summary>
        <div class="settings builder">
          <div class="days">${DAYS.map(day)}</div>
          <div class="times">${time(words.hours.from, '18:00')}${time(words.hours.to, '23:00')}
            <button type="button" class="button" @click=${add}>${words.hours.add}</button></div>
        </div></details>
      ${() => (now().trim() ? html`<p class="quiet small">${words.hours.shown}
        <span class="lines">${hours(now())}</span></p>` : '')}`,
    take(wanted, wrong, form) { wanted.opening_hours = form.elements.opening_hours.value.trim() || null; },
  };
}
