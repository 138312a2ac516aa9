// What is on: tonight first, then the coming weeks by day.

import { computed, each, element, html, signal } from '/ui.js';
import { clock, civil } from '/words.js';
import { line, now, programme, space, today, unreachable, zone } from '/space/model.js';
import { arranger, dayName, dayShort, isEvening, isRunning, rules, rulesMissing, weekName } from '/space/days.js';
import { addressOf, linkOf, shown } from '/space/route.js';
import { words } from '/space/words.js';

const WEEKS_AT_FIRST = 8; // of what may be a year: enough to plan, and the end of the page stays near

const time = computed(() => clock(civil(now(), zone())));

const chip = (it) => {
  const { status } = it.event;
  if (status === 'cancelled') return html`<span class="chip" data-kind="cancelled">${words.cancelled}</span>`;
  if (status === 'tentative') return html`<span class="chip" data-kind="tentative">${words.tentative}</span>`;
  if (!isRunning(it, now.peek(), today.peek())) return '';
  return html`<span class="chip" data-kind="running">${words.running}</span>`;
};

/** The first column: when it begins, and when it ends if that is the same evening. */
const times = (it) => {
  if (it.event.all_day) return html`<span class="event-time"><small>${words.allDay}</small></span>`;
  const end = it.to !== null && it.last === it.first ? html`<small>${words.endsAt(it.to)}</small>` : '';
  return html`<span class="event-time"><strong>${it.from}</strong>${end}</span>`;
};

const row = (it, today) => {
  const { id, title, location, status } = it.event;
  const lasts = it.last > it.first ? words.lastsUntil(dayShort(it.last, today)) : '';
  const name = status === 'cancelled' ? html`<s>${title || words.untitled}</s>` : title || words.untitled;
  const facts = [location, lasts].filter(Boolean).join(' · ');
  return html`<li><a class="event-row" id=${linkOf(id)} href=${addressOf(id)} data-status=${status}>
    ${times(it)}
    <span class="event-what"><span class="event-title">${name} ${chip(it)}</span>
      ${facts ? html`<span class="event-facts">${facts}</span>` : ''}</span>
  </a></li>`;
};

const rows = (items, today) => html`<ul class="events">${items.map((it) => row(it, today))}</ul>`;

/** "Next: tomorrow 19:00, Soldering": never an empty evening without a hint of the next good one. */
function next({ later, today }) {
  const it = later.find(({ event }) => event.status !== 'cancelled');
  if (!it) return html`<p class="quiet">${words.nothingMore}</p>`;
  const when = [dayShort(it.first, today), it.from].filter(Boolean).join(' ');
  const title = it.event.title || words.untitled;
  return html`<p class="quiet">${words.next} <a href=${addressOf(it.event.id)}>${when}, ${title}</a></p>`;
}

function tonight(arranged) {
  const evening = isEvening(arranged.tonight, time.peek());
  const on = arranged.tonight.some(({ event }) => event.status !== 'cancelled');
  const nothing = evening ? words.nothingTonight : words.nothingToday;
  return html`<section class="tonight" aria-labelledby="tonight">
    <h2 id="tonight">${evening ? words.tonight : words.today}</h2>
    ${arranged.tonight.length ? rows(arranged.tonight, arranged.today) : html`<p>${nothing}</p>`}
    ${on ? '' : next(arranged)}
  </section>`;
}

const dayOf = ({ day, events }, today) => html`<section class="day">
  <h3>${dayName(day, today)}</h3>
  ${rows(events, today)}
</section>`;

const week = ({ monday, days }, today) => {
  const { name, span } = weekName(monday, today);
  return html`<section class="week" data-week=${monday}>
    <h2>${name} <small>${span}</small></h2>
    ${days.map((day) => dayOf(day, today))}
  </section>`;
};

const pending = () => {
  if (rulesMissing()) return words.rulesMissing;
  const down = line() === 'lost' || unreachable();
  return programme() === undefined && down ? words.programmeMissing : words.programmePending;
};

element('space-programme', () => {
  const arrange = arranger();
  const all = signal(false);
  const ready = computed(() => Boolean(rules() && programme()));
  const arranged = computed(() => arrange(programme().events, now(), today()));
  // One more reason to draw "tonight" again: at four o'clock "today" becomes "tonight".
  const evening = computed(() => isEvening(arranged().tonight, time()));
  const weeks = computed(() => (all() ? arranged().weeks : arranged().weeks.slice(0, WEEKS_AT_FIRST)));
  const later = computed(() => arranged().weeks.slice(WEEKS_AT_FIRST).flatMap(({ days }) => days)
    .reduce((sum, { events }) => sum + events.length, 0));
  const wrong = computed(() => programme().sources?.some(({ problem }) => problem));

  // No calendar has ever been read: that nothing is on would be a guess.
  const unread = computed(() => programme().sources?.length > 0 && programme().sources.every(({ as_of }) => !as_of));

  const warning = (text) => html`<p class="note" data-kind="old">${text}
    <a href="#about">${words.programmeOldLink}</a></p>`;

  /** All weeks; the focus goes on with the first of those that were not there before. */
  const showAll = () => {
    const { monday } = arranged().weeks[WEEKS_AT_FIRST];
    all.set(true);
    setTimeout(() => document.querySelector(`[data-week="${monday}"] a`)?.focus());
  };
  const list = () => html`
    ${() => (unread() ? warning(words.programmeUnread) : wrong() ? warning(words.programmeOld) : '')}
    ${() => (evening(), unread() ? '' : tonight(arranged()))}
    ${each(weeks, ({ monday }) => monday, (one) => week(one, today.peek()))}
    ${() => (later() > 0 && !all()
      ? html`<button class="button" @click=${showAll}>${words.showLater(later())}</button>` : '')}`;

  const waiting = () => html`<p class="quiet">${pending}</p>`;
  return html`<div hidden=${() => shown() !== null || space() === null}>${() => (ready() ? list() : waiting())}</div>`;
});
