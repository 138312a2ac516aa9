// The list of notifications, as it is shown: pure functions, without a page.

import { kindByName, mediaOf } from '/bells/media.js';
import { civil, clock } from '/words.js';

/** The group to which a notification belongs in the list: its thread, or else its topic or room. */
const threadOf = ({ id, content, topic, room }) => content.thread ?? topic ?? room ?? `one ${id}`;

/** Who sent it: a room by its name on pages, of which `rooms` has those; everybody else as the hub names them. */
export const senderOf = ({ sender, sender_name: name }, rooms) => (
  rooms.find(({ id }) => sender === `room ${id}`)?.name ?? name ?? sender);

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

/** When it was answered: {time, day}, the day as days since 1970, and null if it is that of the notification. */
export function answeredAt({ at, acted }, timeZone) {
  const [own, its] = [at, acted.at].map((one) => civil(Date.parse(one), timeZone));
  return { time: clock(its), day: its.days === own.days ? null : its.days };
}

const LEVELS = { critical: 'alarm', 'time-sensitive': 'call' };
/** 'alarm', 'call' or null: how loud it is. */
export const levelOf = ({ interruption_level: level }) => LEVELS[level] ?? null;

/** True if its actions can still be answered. */
export const isOpen = ({ state, over }) => !over && (state === 'new' || state === 'seen');

/** True for a file that the hub has. */
export const isOurs = ({ url }) => url?.startsWith('/api/v1/bells/attachments/') ?? false;

/** A content's attachments, with the files that its payload names and that its extension would attach. */
export const attachmentsOf = (content) => [...(content.attachments ?? []),
  ...mediaOf(content).filter(({ isOwn }) => !isOwn)];

/** True for a file that comes from the hub: another server would learn who looks at it, and when. */
export const isHere = ({ url }, origin) => url.startsWith('/') || url.startsWith(`${origin}/`);

/** An attachment's kind ('image', 'audio', 'video'), if the page can show it. */
export function attachmentKind({ type, url }) {
  if (!url) return null;
  return /^(image|audio|video)\//.exec(type ?? '')?.[1]
    ?? (/^\/.*\.(jpe?g|png|gif|webp)$/i.test(url) ? 'image' : kindByName(url) ?? null);
}
