// The room's state on other pages: the number of missed notifications, in the navigation and on the app's icon, and at
// the top of the page what rings now, with its answers.

import { insist } from '/done.js';
import { effect, signal } from '/ui.js';
import { explain } from '/explain.js';
import { said } from '/moments.js';
import { now, today, zone } from '/place.js';
import { rings } from '/ring.js';
import { tellState } from '/room-states.js';
import { roomHere } from '/room-choice.js';
import { rooms } from '/rooms.js';
import { session } from '/session.js';
import { levelOf } from '/bells/inbox.js';
import { bells, followBells, respond } from '/bells/model.js';
import { stateWords as words } from '/bells/state-words.js';

const PREFIX = 'bell-';
const away = signal([]); // calls put off on this page
const refused = signal(new Map()); // why an answer was not taken, by id

// How they are shown: rules.js is loaded with the first.
const shown = signal(null);
let coming;

function learnToShow() {
  coming ??= insist(() => import('/bells/rules.js')).then(({ fetchRules, rules, shown: by }) => {
    fetchRules();
    effect(() => { if (rules() !== undefined) shown.set({ by }); });
  });
}

async function give(id, action) {
  try {
    await respond(id, action);
  } catch (error) {
    refused.set(new Map(refused.peek()).set(id, await explain(error)));
  }
}

/** One notification as a board at the top of the page. */
function board({ id, at, content: whole }) {
  const { content, actions, buttons } = shown().by(whole);
  const level = levelOf(whole);
  const to = `/bells#${id}`;
  today(); // tomorrow it rings since yesterday
  const answers = buttons.map(({ id: action, title, meaning }, index) => ({
    text: title, primary: index === 0 && !meaning.is_destructive,
    ...(meaning.asks_first ? { to } : { act: () => give(id, action) }),
  }));
  if (!answers.length || actions.length > buttons.length) answers.push({ text: words.look, to });
  return {
    id: PREFIX + id, level, at: Date.parse(at), list: '/bells',
    word: content.title ?? content.body ?? '', about: content.subtitle,
    since: level === 'alarm' ? words.since(said(Date.parse(at), now.peek(), zone())) : undefined, answers,
    said: [content.title, content.body].filter(Boolean).join('. '),
    facts: [refused().get(id) ?? content.body].filter(Boolean),
    away: level === 'call' ? { text: words.later, act: () => away.set([...away.peek(), id]) } : undefined,
  };
}

function showWhatRings() {
  const { items = [], ringing = [] } = session() ? bells.value() ?? {} : {};
  const loud = items.filter((one) => ringing.includes(one.id) && !away().includes(one.id));
  if (loud.length) learnToShow();
  const mine = (shown() ? loud.map(board) : [])
    .filter(({ level }) => level === 'alarm' || roomHere !== 'bells'); // calls stand in the list there
  const others = rings.peek().filter(({ id }) => !String(id).startsWith(PREFIX));
  if (mine.length || others.length !== rings.peek().length) rings.set([...others, ...mine]);
}

/** Tells the shell. */
export function tellOthers() {
  effect(() => {
    const count = session() ? bells.value()?.unread ?? 0 : 0;
    const isRinging = count > 0 && bells.value().items.some(({ id, content }) =>
      bells.value().ringing.includes(id) && levelOf(content) === 'alarm');
    tellState('bells', count ? { lamp: isRinging ? 'bad' : 'warn', text: words.missed(count), rings: isRinging }
      : undefined);
    const told = count ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
    told?.catch(() => {}); // only an installed page has an icon
  });
  effect(showWhatRings);
}

// On a page of another room this module is all there is of this one.
if (roomHere !== 'bells' && rooms.some(({ id }) => id === 'bells')) {
  followBells(false);
  tellOthers();
}
