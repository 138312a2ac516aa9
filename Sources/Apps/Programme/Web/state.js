// The programme's state for the navigation and front rooms: the current or next event, and events without an opener.

import { computed, effect } from '/ui.js';
import { line } from '/live.js';
import { rules } from '/moments.js';
import { now, today, zone } from '/place.js';
import { tellState } from '/room-states.js';
import { locale } from '/shell-words.js';
import { civil, clock, dateShort, weekdayShort } from '/words.js';
import { isEvening, isOver, isRunning, placed } from '/programme/days.js';
import { programme } from '/programme/model.js';
import { capital, nextOf, shortened, untilOf } from '/programme/next.js';
import { needy, openersOf } from '/programme/openers.js';
import { ownAddressOf } from '/programme/route.js';
import { titleOf } from '/programme/rows.js';
import { stateWords as words } from '/programme/state-words.js';

const LINES = 3; // events in a card

/** "tonight 19:00", "Tue 18:00", "3 Dec". */
function when(it) {
  const day = it.first - today();
  const time = clock(civil(now(), zone()));
  const near = isEvening([it], time) ? words.tonight : words.today;
  const name = day <= 0 ? near : day < 7 ? weekdayShort(it.first, locale) : dateShort(it.first, locale);
  return [name, it.from].filter(Boolean).join(' ');
}

const events = computed(() => (rules() ? (programme()?.events ?? []).map(placed) : []));
const next = computed(() => nextOf(events(), { now: now(), today: today(), isRunning, isOver }));
const unopened = computed(() => events()
  .filter((it) => needy().has(it.event.id) && it.event.status !== 'cancelled' && !isOver(it, now(), today()))
  .sort((one, other) => one.startsAt - other.startsAt));

/** The data of the small board below the sign, which another room puts into words. */
function plate({ it, isNow }) {
  const { wanted, people } = openersOf(it.event);
  return {
    when: when(it), what: titleOf(it.event), isNow, until: untilOf(it, today()),
    by: people.map(({ name, me }) => (me ? null : name)),
    isWanted: wanted && people.length === 0, to: ownAddressOf(it.event.id),
    opensAt: people.length && !isNow && it.from ? it.startsAt : undefined,
  };
}

function card({ it, isNow }) {
  const names = unopened();
  const lines = names.slice(0, LINES).map((one) => ({
    when: capital(when(one)), what: titleOf(one.event), to: ownAddressOf(one.event.id),
  }));
  if (lines.length) return { says: words.nobodyOpens(names.length), lines };
  if (isNow) return { says: words.now(titleOf(it.event)), more: it.event.location, lines };
  const facts = [titleOf(it.event), it.event.location].filter(Boolean).join(' · ');
  return { says: capital(when(it)), more: facts, lines };
}

effect(() => {
  const found = next();
  if (!found) return tellState('programme', undefined);
  const { it, isNow } = found;
  const text = isNow ? words.now(titleOf(it.event)) : capital(`${when(it)} ${titleOf(it.event)}`);
  const lamp = unopened().length ? 'warn' : isNow ? 'good' : undefined;
  tellState('programme', {
    lamp: line() === 'lost' ? 'unknown' : lamp, text: shortened(text), card: card(found), plate: plate(found),
  });
});
