// The programme: today first, then the coming weeks by day; or the results of a search.

import { computed, effect, element, ending, html } from '/ui.js';
import { may } from '/session.js';
import { unreachable } from '/live.js';
import { rules, rulesMissing } from '/moments.js';
import { now, place, today, zone } from '/place.js';
import { civil, clock } from '/words.js';
import { calendars, isEmpty } from '/programme/calendars.js';
import { chosenCalendars, goal, question, view, wholeYear } from '/programme/choice.js';
import { arranger, byWeek, dayName, dayShort, isEvening, weekName, weeksEnd } from '/programme/days.js';
import { lazyList } from '/programme/list.js';
import { isAway, programme } from '/programme/model.js';
import { restorePlace, whileGrowing } from '/programme/scroll.js';
import { addressOf, linkOf, shown } from '/programme/route.js';
import { eventList, eventRow, make, titleOf } from '/programme/rows.js';
import { wanted } from '/programme/wanted.js';
import { programmeWords } from '/programme/programme-words.js';
import { words } from '/programme/words.js';
import '/programme/tools.js';

const hasOwnPage = document.body.dataset.room === 'programme'; // otherwise it is a part of a front room

// The first weeks of up to a year: enough to plan, or, on a front room, for an overview; so the page's end stays near.
const WEEKS_AT_FIRST = hasOwnPage ? 8 : 2;

const whole = () => (hasOwnPage ? '' : html`<a class="more-link" href="/programme">${words.wholeProgramme}
  <svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5l7 7-7 7" /></svg></a>`);

const time = computed(() => clock(civil(now(), zone())));

/** "Next: tomorrow 19:00, Soldering", shown if there is nothing today, or nothing in the first weeks. */
function next({ later, today }) {
  const it = later.find(({ event }) => event.status !== 'cancelled');
  if (!it) return html`<p class="quiet">${words.nothingMore}</p>`;
  const when = [dayShort(it.first, today), it.from].filter(Boolean).join(' ');
  return html`<p class="quiet">${words.next} <a href=${addressOf(it.event.id)}>${when}, ${titleOf(it.event)}</a></p>`;
}

function tonight(arranged, isBusy) {
  const evening = isEvening(arranged.tonight, time.peek());
  const on = arranged.tonight.some(({ event }) => event.status !== 'cancelled');
  const nothing = evening ? words.nothingTonight : words.nothingToday;
  return html`<section class="tonight" aria-labelledby="tonight">
    <div class="head-row"><h2 id="tonight">${evening ? words.tonight : words.today}</h2>${whole()}</div>
    ${arranged.tonight.length ? eventList(arranged.tonight, arranged.today) : html`<p>${nothing}</p>`}
    ${on && isBusy ? '' : next(arranged)}
  </section>`;
}

/** Without a calendar, owners are told how to add one. */
const empty = () => html`<section class="tonight" aria-labelledby="programme-empty">
  <h2 id="programme-empty">${programmeWords.programme}</h2>
  ${() => (may('hub.manage') ? html`<p>${programmeWords.empty.owner}</p>
    <p><a class="button" href="/settings/programme#add-calendar">${words.addCalendar}</a></p>`
    : html`<p>${programmeWords.empty.others}</p>`)}
</section>`;

function weekHeading(monday, today) {
  const { name, span } = weekName(monday, today);
  return make('h2', '', name, ' ', make('small', '', span));
}

const dayHeading = (day, today) => make('h3', '', dayName(day, today));

const pending = () => {
  if (rulesMissing()) return words.rulesMissing;
  return programme() === undefined && (isAway() || unreachable()) ? words.programmeMissing : words.programmePending;
};

const warning = (text) => html`<p class="note" data-kind="old">${text}
  <a href="#about">${words.programmeOldLink}</a></p>`;

element('space-programme', () => {
  const arrange = arranger();
  const ready = computed(() => Boolean(rules() && programme()));
  const arranged = computed(() => arrange(wanted(), now(), today()));
  const filtered = computed(() => question().trim() !== '' || chosenCalendars().size > 0);
  const mine = computed(() => view() === 'favourites');
  const searching = computed(() => filtered() || mine());
  // Also redrawn at four o'clock, when "today" becomes "tonight".
  const evening = computed(() => isEvening(arranged().tonight, time()));
  const everything = computed(() => (searching()
    ? byWeek([...arranged().tonight, ...arranged().later], today()) : arranged().weeks));
  const isWhole = computed(() => wholeYear() || searching());
  const end = computed(() => (isWhole() ? Infinity : weeksEnd(today(), WEEKS_AT_FIRST)));
  const weeks = computed(() => everything().filter(({ monday }) => monday < end()));
  const later = computed(() => arranged().later.filter(({ first }) => first >= end()).length);
  const isBusy = computed(() => weeks().length > 0);
  const wrong = computed(() => programme().sources?.some(({ problem }) => problem));

  // No calendar was read yet, so "nothing is on" would be a guess.
  const unread = computed(() => programme().sources?.length > 0 && programme().sources.every(({ as_of }) => !as_of));

  /** Shows all weeks; the focus moves to the first new one. */
  const showAll = () => {
    const { monday } = arranged().weeks.find((week) => week.monday >= end());
    wholeYear.set(true);
    setTimeout(() => document.querySelector(`[data-week="${monday}"] a`)?.focus());
  };

  /** Scrolls to a day, or to the next one with events. */
  const goToDay = (rows, host) => {
    const day = goal.peek();
    if (day === null) return;
    goal.set(null);
    question.set('');
    view.set('list');
    wholeYear.set(true);
    setTimeout(() => { // after the list is updated
      const heading = rows.dayAt(day)?.querySelector('h3');
      if (!heading) return;
      heading.setAttribute('tabindex', '-1');
      whileGrowing(() => heading.scrollIntoView(), host);
      heading.focus({ preventScroll: true });
    });
  };

  const list = () => {
    const host = make('div', 'weeks');
    const rows = lazyList(host, {
      row: (entry, today) => eventRow(entry, today), weekHeading, dayHeading,
      key: ({ event, on }) => (on === undefined ? linkOf(event.id) : `${linkOf(event.id)}~${on}`),
    });
    ending(rows.end);
    effect(() => rows.show(unread() ? [] : weeks(), today(), JSON.stringify([...calendars().values()])));
    restorePlace((link) => {
      const found = rows.reveal(link);
      if (found || wholeYear.peek()) return found;
      wholeYear.set(true);
      rows.show(weeks.peek(), today.peek(), JSON.stringify([...calendars.peek().values()]));
      return rows.reveal(link);
    });
    effect(() => { if (goal() !== null) queueMicrotask(() => goToDay(rows, host)); });
    return host;
  };

  const found = () => {
    if (!filtered()) return '';
    const count = arranged().tonight.length + arranged().later.length;
    return count ? programmeWords.found(count) : programmeWords.foundNothing;
  };
  const showEverything = () => {
    question.set('');
    chosenCalendars.set(new Set());
  };
  const count = html`<div class="found" hidden=${() => !filtered()}>
    <p class="quiet" aria-live="polite">${found}</p>
    <button type="button" class="plain" @click=${showEverything}>${programmeWords.showEverything}</button></div>`;

  const body = () => html`
    ${() => (unread() ? warning(words.programmeUnread) : wrong() ? warning(words.programmeOld) : '')}
    ${count}
    <space-favourites></space-favourites>
    ${() => (evening(), unread() || searching() ? '' : tonight(arranged(), isBusy()))}
    ${list()}
    ${() => (later() > 0
      ? html`<button class="button" @click=${showAll}>${words.showLater(later())}</button>` : '')}`;

  const waiting = () => html`<p class="quiet">${pending}</p>`;
  const isNew = computed(() => place() === null || isEmpty());
  // A front room says by itself how to go on.
  const hidden = () => shown() !== null || (place() === null && !hasOwnPage) || (view() === 'month' && !isEmpty());
  return html`<div hidden=${hidden}>${() => (isNew() ? empty() : ready() ? body() : waiting())}</div>`;
});
