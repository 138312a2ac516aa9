// The space itself: where it is, how to reach it, and how old what this page shows is.

import { computed, element, html } from '/ui.js';
import { why } from '/explain.js';
import { isInside, may, session } from '/session.js';
import { line, now, programme, programmeConfirmed, space, zone } from '/space/model.js';
import { contactLink, isWeb, shortAddress } from '/space/contact.js';
import { eventMap } from '/space/map.js';
import { shown } from '/space/route.js';
import { hours } from '/space/opening-hours.js';
import { said, words } from '/space/words.js';

const fact = (name, value) => html`<div class="fact"><dt>${name}</dt><dd>${value}</dd></div>`;

const outward = (address, text) => (isWeb(address)
  ? html`<a href=${address} target="_blank" rel="noopener">${text}
    <span class="visually-hidden">${words.opensNewTab}</span></a>`
  : html`<a href=${address}>${text}</a>`);

const contact = (key, value) => {
  const address = contactLink(key, value);
  return fact(words.contact[key] ?? key, address ? outward(address, value.replace(/^https?:\/\//, '')) : value);
};

const lines = (text) => html`<span class="lines">${text ?? ''}</span>`;

const map = ({ lat, lon }) => `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=18/${lat}/${lon}`;

function facts(known) {
  const place = typeof known.lat === 'number' && typeof known.lon === 'number'
    ? html` ${outward(map(known), words.about.map)}` : '';
  // Keys we cannot show as one line, such as the list of keymasters with their private numbers, are left out.
  const contacts = Object.entries(known.contact ?? {}).filter(([, value]) => typeof value === 'string' && value);
  const away = known.timezone && known.timezone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
  // Who passes by is told the way in a card of its own (/space/way.js).
  const isHere = isInside() || eventMap({}, known) === null;
  return html`<dl>
    ${isHere && (known.address || place) ? fact(words.about.address, [lines(known.address), place]) : ''}
    ${isHere && known.opening_hours ? fact(words.about.hours, lines(hours(known.opening_hours))) : ''}
    ${isWeb(known.url) ? fact(words.about.web, outward(known.url, shortAddress(known.url))) : ''}
    ${contacts.map(([key, value]) => contact(key, value))}
    ${() => (hasNoCalendar() ? '' : fact(words.about.programme, freshness))}
  </dl>
  ${away ? html`<p class="quiet">${words.about.zone(known.timezone)}</p>` : ''}`;
}

const told = (text) => (text ? said(Date.parse(text), now(), zone()) : '');

/** Without a calendar there is no programme that could be old. */
const hasNoCalendar = computed(() => programme()?.sources?.length === 0);

/** How old the programme is: what the hub says of its calendars, and, without the hub, how old this device's copy. */
const freshness = computed(() => {
  if (programme() === undefined) return '–';
  // A calendar that was never read has no age; it stands among the problems.
  const oldest = (programme().sources ?? []).map((source) => source.as_of).filter(Boolean)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  const asOf = oldest ? words.about.programmeAsOf(told(oldest)) : '';
  const copy = line() === 'live' ? '' : words.about.copyAsOf(said(programmeConfirmed(), now(), zone()));
  return [asOf, copy].filter(Boolean).join('; ') || '–';
});

/** What is wrong with the calendars; why, is for those who can mend it. */
const problems = computed(() => (programme()?.sources ?? [])
  .map((source, index) => ({ ...source, name: source.name ?? words.about.calendarNumber(index + 1) }))
  .filter(({ problem }) => problem)
  .map((source) => words.about.problem({
    ...source, problem: may('owner') ? why(source.reason, source.problem) : '', since: told(source.since),
    copy: told(source.as_of),
  }))
  .join('\n'));

const item = (text) => html`<li>${text}</li>`;

const hidden = () => shown() !== null || !space();

element('space-about', () => html`<section class="about" aria-labelledby="about" hidden=${hidden}>
  <h2 id="about">${() => space()?.name ?? words.about.title}</h2>
  ${() => (problems() ? html`<ul class="problems">${problems().split('\n').map(item)}</ul>` : '')}
  ${() => (space() ? facts(space()) : '')}
  <p class="quiet made">${words.about.made}</p>
</section>`);

/** Before the hub knows its space there is nothing to show but how to go on. */
element('space-first-steps', () => html`${() => (space() === null ? html`<section class="first-steps">
  <h2>${words.firstSteps.title}</h2>
  <p>${words.firstSteps.text}</p>
  ${() => (may('owner')
    ? html`<p><a class="button primary" href="/space/settings">${words.firstSteps.begin}</a></p>`
    : session() === undefined ? '' : html`<p class="quiet">${words.firstSteps.help}</p>`)}
</section>` : '')}`);
