// The list of notifications, as it is shown: pure functions, without a page.

import { civil } from '/words.js';

/** A content in the reader's language, where its sender gave it in several. */
export const contentIn = (content, language) => ({ ...content, ...content.localized?.[language] });

/** What belongs together: a thread, or what has one topic or room. */
export const threadOf = ({ id, content, topic, room }) => content.thread ?? topic ?? room ?? `one ${id}`;

/**
 * Rows in the order of the list: {key, day} for each day (as days since 1970), and {key, thread, topic, room, items}
 * for what came in one thread on that day, the thread with the newest first.
 */
export function rowsOf(items, timeZone) {
  const rows = [];
  let day;
  let threads;
  for (const item of items) {
    const { days } = civil(Date.parse(item.at), timeZone);
    if (days !== day) {
      day = days;
      threads = new Map();
      rows.push({ key: `day ${day}`, day });
    }
    const thread = threadOf(item);
    let row = threads.get(thread);
    if (!row) {
      row = { key: `${day} ${thread}`, thread, topic: item.topic, room: item.room, items: [] };
      threads.set(thread, row);
      rows.push(row);
    }
    row.items.push(item);
  }
  return rows;
}

const LEVELS = { critical: 'alarm', 'time-sensitive': 'call' };
/** 'alarm', 'call' or null: how loud it is. */
export const levelOf = ({ interruption_level: level }) => LEVELS[level] ?? null;

/** True if its actions can still be answered. */
export const isOpen = ({ state }) => state === 'new' || state === 'seen';

const has = (action, option) => action.options?.includes(option) ?? false;
export const isDangerous = (action) => has(action, 'destructive');
export const needsPerson = (action) => has(action, 'authentication_required');

/** An attachment's kind ('image', 'audio', 'video'), if the page may show it: pictures from anywhere, others ours. */
export function attachmentKind({ url, type }, origin) {
  const kind = /^(image|audio|video)\//.exec(type ?? '')?.[1] 
    ?? (/\.(jpe?g|png|gif|webp)$/i.test(url ?? '') && 'image');
  if (!url || !kind) return null;
  let address;
  try {
    address = new URL(url, origin);
  } catch {
    return null;
  }
  if (!/^https?:$/.test(address.protocol)) return null;
  return kind === 'image' || address.origin === origin ? kind : null;
}

/** An address that may be opened from here; null for anything but the web's. */
export function webAddress(url, origin) {
  try {
    const address = new URL(url, origin);
    if (!/^https?:$/.test(address.protocol)) return null;
    return address.origin === origin ? address.href.slice(origin.length) : address.href;
  } catch {
    return null;
  }
}
