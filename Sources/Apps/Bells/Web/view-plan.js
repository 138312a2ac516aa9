// Rules for the views of notifications: pure functions, without a page.

import { isOurs } from '/bells/inbox.js';

/** Pixels that a view may be high: a line, and what a phone shows beside the buttons. */
const HEIGHTS = { least: 40, most: 480 };

/** The height that a view gets, by what it says; null for what is none. */
export const heightOf = (said) => (typeof said === 'number' && said > 0
  ? Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, Math.ceil(said))) : null);

/** The open view to close for another: the one that nobody sees for the longest time, if there is one. */
export const spare = (open) => [...open].filter(({ isSeen }) => !isSeen)
  .sort((one, other) => one.hiddenAt - other.hiddenAt)[0] ?? null;

/** A notification as a view is told of it, with the content in the reader's language. */
export const told = ({ id, at, topic, room, state, over, acted }, content) => ({
  id, at, topic, room, state, over: over ?? null, acted: acted ?? null, content,
});

/** The attachments that are handed over to a view: those that the hub has, as far as there is room. */
export const handedOver = (content, most) => (content.attachments ?? [])
  .filter((one) => isOurs(one) && !one.key).slice(0, most);
