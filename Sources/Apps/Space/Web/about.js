// The space itself: its place, its contacts, and other rooms' additions.

import { computed, element, html } from '/ui.js';
import { isWeb, shortAddress } from '/addresses.js';
import { isDetail } from '/detail.js';
import { addedFacts } from '/facts.js';
import { eventMap } from '/map.js';
import { isInside, isSessionKnown, may } from '/session.js';
import { haveSameTime } from '/zones.js';
import { words } from '/space/about-words.js';
import { contactLink } from '/space/contact.js';
import { space } from '/space/model.js';
import { hours } from '/space/opening-hours.js';

const fact = (name, value) => html`<div class="fact"><dt>${name}</dt><dd>${value}</dd></div>`;

const outward = (address, text) => (isWeb(address)
  ? html`<a href=${address} target="_blank" rel="noopener">${text}
    <span class="visually-hidden">${words.opensNewTab}</span></a>`
  : html`<a href=${address}>${text}</a>`);

const added = ({ name, isThere, text }) => html`${() => (isThere() ? fact(name, text) : '')}`;

const contact = (key, value) => {
  const address = contactLink(key, value);
  return fact(words.contact[key] ?? key, address ? outward(address, value.replace(/^https?:\/\//, '')) : value);
};

const lines = (text) => html`<span class="lines">${text ?? ''}</span>`;

const map = ({ lat, lon }) => `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=18/${lat}/${lon}`;

function facts(known) {
  const place = typeof known.lat === 'number' && typeof known.lon === 'number'
    ? html` ${outward(map(known), words.about.map)}` : '';
  // Values that do not fit a line, such as the list of keymasters with their private numbers, are left out.
  const contacts = Object.entries(known.contact ?? {}).filter(([, value]) => typeof value === 'string' && value);
  // By their clocks, since browsers call many zones by former names.
  const away = known.timezone && !haveSameTime(known.timezone, Intl.DateTimeFormat().resolvedOptions().timeZone);
  // Strangers see the way in a card of its own (/space/way.js).
  const isHere = isInside() || eventMap({}, known) === null;
  return html`<dl>
    ${isHere && (known.address || place) ? fact(words.about.address, [lines(known.address), place]) : ''}
    ${isHere && known.opening_hours ? fact(words.about.hours, lines(hours(known.opening_hours))) : ''}
    ${isWeb(known.url) ? fact(words.about.web, outward(known.url, shortAddress(known.url))) : ''}
    ${contacts.map(([key, value]) => contact(key, value))}
    ${() => addedFacts().map(added)}
  </dl>
  ${away ? html`<p class="quiet">${words.about.zone(known.timezone)}</p>` : ''}`;
}

/** Problems of other rooms' data about this place. */
const problems = computed(() => addedFacts().flatMap((one) => one.problems()).join('\n'));

const item = (text) => html`<li>${text}</li>`;

const hidden = () => isDetail() || !space();

element('space-about', () => html`<section class="about" aria-labelledby="about" hidden=${hidden}>
  <h2 id="about">${() => space()?.name ?? words.about.title}</h2>
  ${() => (problems() ? html`<ul class="problems">${problems().split('\n').map(item)}</ul>` : '')}
  ${() => (space() ? facts(space()) : '')}
  <p class="quiet made">${words.about.made}</p>
</section>`);

/** Without a space there is only the next step to show. */
element('space-first-steps', () => html`${() => (space() === null ? html`<section class="first-steps">
  <h2>${words.firstSteps.title}</h2>
  <p>${words.firstSteps.text}</p>
  ${() => (may('hub.manage')
    ? html`<p><a class="button primary" href="/settings/place">${words.firstSteps.begin}</a></p>`
    : !isSessionKnown() ? '' : html`<p class="quiet">${words.firstSteps.help}</p>`)}
</section>` : '')}`);
