// Says new notifications to whoever has the page read aloud, while the list is open.

import { effect } from '/ui.js';
import { spoken } from '/spoken.js';
import { levelOf } from '/bells/inbox.js';
import { bells } from '/bells/model.js';
import { shown } from '/bells/rules.js';
import { words } from '/bells/words.js';

/** A live region that says what is new; the board at the top of the page says alarms. */
export function arrivals() {
  const { element, say } = spoken('polite');
  let newest;
  effect(() => {
    if (!bells.isAnswered()) return; // what the hub told first is no news
    const { items = [] } = bells.value() ?? {};
    const isNews = ({ id, state, content }) => Number(id) > newest && state === 'new' && levelOf(content) !== 'alarm';
    for (const { content } of items.filter(isNews).reverse()) {
      say(words.arrived(shown(content).content.title ?? words.untitled));
    }
    newest = Math.max(newest ?? 0, ...items.map(({ id }) => Number(id)));
  });
  return element;
}
