// What the room says on other pages: how many were missed, in the navigation and on the app's icon, and what rings now
// at the top of the page with its answer in it.

import { effect, signal } from '/ui.js';
import { explain } from '/explain.js';
import { zone } from '/place.js';
import { rings } from '/ring.js';
import { tellState } from '/room-states.js';
import { roomHere } from '/room-choice.js';
import { rooms } from '/rooms.js';
import { session } from '/session.js';
import { civil, clock } from '/words.js';
import { contentIn, isDangerous, levelOf, needsPerson } from '/bells/inbox.js';
import { bells, followBells, respond } from '/bells/model.js';
import { language, stateWords as words } from '/bells/state-words.js';

const PREFIX = 'bell-';
const ANSWERS = 2; // as many as the board has room for
const away = signal([]); // calls put off on this page
const refused = signal(new Map()); // why an answer was not taken, by id

async function give(id, action) {
  try {
    await respond(id, action);
  } catch (error) {
    refused.set(new Map(refused.peek()).set(id, await explain(error)));
  }
}

/** One notification as a board at the top of the page. */
function board({ id, at, content: whole }) {
  const content = contentIn(whole, language);
  const level = levelOf(content);
  const actions = (content.actions ?? []).slice(0, ANSWERS);
  const to = `/bells#${id}`;
  const answers = actions.map((action, index) => {
    const needsPage = action.text_input || needsPerson(action);
    return {
      text: action.title, primary: index === 0 && !isDangerous(action),
      ...(needsPage ? { to } : { act: () => give(id, action.id) }),
    };
  });
  if (!answers.length || content.actions.length > ANSWERS) answers.push({ text: words.look, to });
  const said = [content.title, content.body].filter(Boolean).join('. ');
  return {
    id: PREFIX + id, level, at: Date.parse(at), word: content.title ?? content.body ?? '', about: content.subtitle,
    since: level === 'alarm' ? words.since(clock(civil(Date.parse(at), zone()))) : undefined, said, answers,
    facts: [refused().get(id) ?? content.body].filter(Boolean),
    away: level === 'call' ? { text: words.later, act: () => away.set([...away.peek(), id]) } : undefined,
  };
}

function showWhatRings() {
  const { items = [], ringing = [] } = session() ? bells.value() ?? {} : {};
  const mine = items.filter((one) => ringing.includes(one.id) && !away().includes(one.id)).map(board)
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
