// The controls above the programme: views, search and calendars. On a phone search and calendars are shown on request.

import { computed, effect, element, html, signal } from '/ui.js';
import { place, today } from '/place.js';
import { calendars, dot, isEmpty, severalCalendars } from '/programme/calendars.js';
import { chosenCalendars, goal, question, toggleCalendar, view, VIEWS } from '/programme/choice.js';
import { DAYS_AHEAD, dateOf, daysOf, programme } from '/programme/model.js';
import { shown } from '/programme/route.js';
import { programmeWords as words } from '/programme/programme-words.js';

const magnifier = () => html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.5" cy="10.5" r="6.5"/>
  <path d="M15.5 15.5L21 21"/></svg>`;

function field() {
  const type = (event) => question.set(event.target.value);
  const keys = (event) => {
    if (event.key === 'Escape') question.set('');
    if (event.key === 'Enter') event.target.blur(); // hides a phone's keyboard, so that the results are visible
  };
  // A property, not an attribute: it follows other changes of the search, such as by the address.
  return html`<div class="search-field">${magnifier()}<input type="search" id="programme-search" enterkeyhint="search"
    autocomplete="off" spellcheck="false" maxlength="200" placeholder=${words.search} aria-label=${words.search}
    .value=${question} @input=${type} @keydown=${keys}></div>`;
}

const viewButton = (name) => html`<button type="button" data-view=${name}
  aria-pressed=${() => String(view() === name)} @click=${() => view.set(name)}>${words.view[name]}</button>`;

function dateField() {
  const go = ({ target }) => { if (target.value) goal.set(daysOf(target.value)); };
  return html`<label class="go-to"><span aria-hidden="true">${words.goTo}</span>
    <input type="date" aria-label=${words.goToDate} min=${() => dateOf(today())}
      max=${() => dateOf(today() + DAYS_AHEAD)} @change=${go}></label>`;
}

const calendarButton = ({ id, name, color }) => html`<button type="button" class="calendar-choice"
  aria-pressed=${() => String(chosenCalendars().has(id))} @click=${() => toggleCalendar(id)}>${dot(color)}
  <span>${name}</span></button>`;

element('space-programme-tools', (host) => {
  const hidden = () => shown() !== null || place() === null || programme() === undefined || isEmpty();
  const asked = signal(false);
  const inUse = computed(() => question() !== '' || chosenCalendars().size > 0);
  const open = computed(() => asked() || inUse());
  const toggle = () => {
    if (open.peek()) {
      question.set('');
      chosenCalendars.set(new Set());
      asked.set(false);
      return;
    }
    asked.set(true);
    setTimeout(() => host.querySelector('input').focus());
  };
  effect(() => { if (inUse()) asked.set(true); }); // an emptied field stays open
  return html`<div class="tools" role="search" aria-label=${words.programme} hidden=${hidden}>
    <div class="views" role="group" aria-label=${words.views}>${VIEWS.map(viewButton)}</div>
    <button type="button" class="search-toggle" aria-expanded=${() => String(open())} aria-controls="programme-finder"
      aria-label=${words.search} @click=${toggle}>${magnifier()}</button>
    <div class="finder" id="programme-finder" data-open=${open}>
      ${field()}
      ${() => (severalCalendars() ? html`<div class="calendar-choices" role="group" aria-label=${words.calendars}>
        ${[...calendars().values()].map(calendarButton)}</div>` : '')}
      ${() => (view() === 'list' ? dateField() : '')}
    </div>
  </div>`;
});
