// The openers on an event's page, and a note about the sign shortly before it begins.

import { computed, html } from '/ui.js';
import { careful } from '/doing.js';
import { may } from '/session.js';
import { locale } from '/shell-words.js';
import { listed } from '/words.js';
import { isWeb } from '/addresses.js';
import { door, now } from '/place.js';
import { addNotes } from '/programme/marks.js';
import { isComing, placed } from '/programme/days.js';
import { needy, openersOf, isUnopened, setWanted, volunteer, withdraw } from '/programme/openers.js';
import { chip } from '/programme/rows.js';
import { openersWords as words } from '/programme/openers-words.js';

const NEAR = 60 * 60_000; // milliseconds before the beginning from which on a closed door is mentioned
const LATE = 60 * 60_000; // after it, in which a closed door says that it has not begun

/** "Ada and you open." */
function who({ people }) {
  const names = people.map(({ name, me }) => (me ? words.you : name));
  if (people.length === 1) return people[0].me ? words.youOpen : words.opens(names[0]);
  return words.open(listed(names, locale));
}

/** A note shortly before and during an event if the door is not known to be open. */
export function doorNote(event) {
  const it = placed(event);
  if (!isComing(event, now()) || event.all_day || isWeb(event.location) || it.startsAt - now() > NEAR) return '';
  const { state, isCurrent } = door() ?? { state: 'open' };
  if (state === 'open') return '';
  const minutes = Math.ceil((it.startsAt - now()) / 60_000);
  const opening = openersOf(event);
  const told = isCurrent ? words.door[state] : words.doorLastKnown[state];
  const isLate = now() - it.startsAt < LATE; // later it may be over, or go on tomorrow
  const when = minutes > 0 ? words.beginsIn(minutes) : isLate ? words.shouldHaveBegun(it.from) : '';
  const hope = opening.people.length ? who(opening) : opening.wanted ? words.nobody : '';
  return html`<p class="note door">${[told, when, hope].filter(Boolean).join(' ')}</p>`;
}

/** The openers of this event, and the reader's actions. */
export function openersSection(event) {
  const isNear = computed(() => isComing(event, now())); // not all of it anew with the clock, under the keyboard
  const { doing, note, isBusy } = careful();
  const button = (text, run, isFirst = false) => html`<button type="button"
    class=${isFirst ? 'button primary' : 'button'} aria-disabled=${() => String(isBusy())}
    @click=${() => doing(() => run(event))}>${text}</button>`;

  const buttons = () => {
    const opening = openersOf(event);
    const mine = opening.people.some(({ me }) => me);
    const all = [];
    if (mine) all.push(button(words.cannot, withdraw));
    else if (may('programme.open-for')) all.push(button(words.iOpen, volunteer, isUnopened(opening)));
    if (may('programme.want-opener') && opening.people.length === 0) {
      all.push(opening.wanted ? button(words.notWanted, (it) => setWanted(it, false))
        : button(words.want, (it) => setWanted(it, true)));
    }
    return all.length ? html`<p class="actions">${all}</p>` : '';
  };

  const body = () => {
    const opening = openersOf(event);
    const isEmpty = opening.people.length === 0 && !opening.wanted;
    if (!isNear() || (isEmpty && !(door() && may('programme.want-opener')))) return '';
    const unopened = opening.wanted ? `${words.nobody} ${words.asked}` : words.notAsked;
    const text = opening.people.length ? who(opening) : unopened;
    return html`<section class="openers" aria-labelledby="openers" data-wanted=${isUnopened(opening)}>
      <h3 id="openers">${words.title}</h3>
      <p aria-live="polite">${text}</p>
      ${buttons}${note}</section>`;
  };
  return body;
}

addNotes((event) => (needy.peek().has(event.id) ? [chip('unopened', words.nobodyYet)] : []), needy);
