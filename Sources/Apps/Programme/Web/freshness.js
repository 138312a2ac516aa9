// The age of the programme, and problems of its calendars, for the facts at the foot of the page.

import { computed } from '/ui.js';
import { why } from '/explain.js';
import { addFact } from '/facts.js';
import { said } from '/moments.js';
import { now, zone } from '/place.js';
import { may } from '/session.js';
import { isProgrammeCurrent, programme, programmeConfirmed } from '/programme/model.js';
import { viewWords } from '/programme/view-words.js';

const { facts: words } = viewWords;

const told = (text) => (text ? said(Date.parse(text), now(), zone()) : '');

/** Without a calendar there is no programme with an age. */
const isThere = computed(() => programme()?.sources?.length !== 0);

/** The age of the programme: of its calendars as told by the hub, and of this device's copy until the hub answers. */
const freshness = computed(() => {
  if (programme() === undefined) return '–';
  // A calendar that was never read has no age; it is among the problems.
  const oldest = (programme().sources ?? []).map((source) => source.as_of).filter(Boolean)
    .sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  const asOf = oldest ? words.asOf(told(oldest)) : '';
  const isCopy = programmeConfirmed() > 0 && !isProgrammeCurrent(); // no copy: only the next days were asked for
  const copy = isCopy ? words.copyAsOf(said(programmeConfirmed(), now(), zone())) : '';
  return [asOf, copy].filter(Boolean).join('; ') || '–';
});

/** Problems of the calendars; details are for owners. */
const problems = computed(() => (programme()?.sources ?? [])
  .map((source, index) => ({ ...source, name: source.name ?? words.calendarNumber(index + 1) }))
  .filter(({ problem }) => problem)
  .map((source) => words.problem({
    ...source, problem: may('hub.manage') ? why(source.reason, source.problem) : '', since: told(source.since),
    copy: told(source.as_of),
  })));

addFact({ name: words.title, isThere, text: freshness, problems });
