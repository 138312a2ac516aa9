// The signed-in person's notifications, devices and topics: the hub's answers, kept up to date by `bells.changed`.

import { computed, effect, ending, signal } from '/ui.js';
import { live, onNews, subject } from '/live.js';
import { change, load, reusing, session } from '/session.js';
import { onSilent, wake } from '/bells/silent.js';

const ROOT = '/api/v1/bells';

/** The last failure to fetch; null after a success. */
export const failure = signal(null);

const known = (key, path, take) => subject(key, () => ROOT + path, {
  room: 'bells', isMine: true, take, failed: (error) => failure.set(error),
});
const inPlace = (body, before) => reusing(before, body);

const PAGE = 50; // the hub's
/** Those below the first page, once somebody has asked for them. */
const older = signal([]);
/** False when there is nothing older. */
export const hasOlder = signal(false);

const without = (list, others) => {
  const ids = new Set(others.map(({ id }) => id));
  return list.filter(({ id }) => !ids.has(id));
};
/** True if nothing can have come between a first page and the one before it. */
const goesOn = (first, before) => first.length === PAGE && without(first, before).length < PAGE;

/** What newer ones have pushed off the first page stays with the older ones. */
function keepPushedOff(first, before) {
  if (older.peek().length === 0) return;
  older.set(goesOn(first, before) ? [...before, ...without(older.peek(), before)] : []);
}

/** {items, unread, ringing, commit}. */
export const bells = known('bells', '', (body, before) => {
  keepPushedOff(body.items, before?.items ?? []);
  return { ...body, items: reusing(before?.items, body.items) };
});
export const topics = known('bells-topics', '/topics', inPlace);
export const devices = known('bells-devices', '/devices', inPlace);
export const settings = known('bells-settings', '/settings');
/** The person's mailbox: {possible, address, after_minutes, confirmed, wanted}. */
export const mailbox = known('bells-mail', '/mail');

export const unread = computed(() => bells.value()?.unread ?? 0);
/** True once the list is known, from the hub or from this device's memory. */
export const isKnown = computed(() => bells.value() !== undefined);

/** The newest notifications and the older ones that were fetched, the newest first. */
export const items = computed(() => {
  const first = bells.value()?.items ?? [];
  return [...first, ...without(older(), first)];
});

export async function fetchOlder() {
  const shown = items.peek();
  const before = shown.at(-1)?.id;
  if (!before) return;
  const { items: found } = await load(`${ROOT}?before=${before}`);
  // Newer ones may have come meanwhile.
  if (!goesOn(bells.value.peek()?.items ?? [], shown)) return;
  const kept = older.peek().length ? older.peek() : shown;
  older.set([...kept, ...without(found, kept)]);
  hasOlder.set(found.length === PAGE);
}

// They end with the list, when whoever it is for signs out.
effect(() => { if (bells.value() === undefined && older.peek().length) older.set([]); });
effect(() => { if (older().length === 0) hasOlder.set(bells.value()?.items.length === PAGE); });

/** The topic of an id, if the person may see it. */
export const topicOf = (id) => topics.value()?.find((one) => one.id === id);

/** The device that the hub rings in this browser. */
export const thisDevice = computed(() => devices.value()?.find((one) => one.this));

const mine = [bells, topics, devices, settings, mailbox];

/** A silent notification wakes the page: what came of it is told to the hub. */
async function woken({ id, content, seconds }) {
  const result = await wake({ content, seconds });
  if (result) await change('POST', `${ROOT}/${id}/woken`, result);
}

onSilent(async () => {
  const list = () => JSON.stringify(bells.value.peek()?.items);
  const before = list();
  await bells.refresh();
  return list() === before ? 'no_data' : 'new_data';
});

/** Keeps them up to date while somebody is signed in; `all` is false where only the list is shown. */
export function followBells(all = true) {
  const shown = all ? mine : [bells];
  const me = computed(() => session()?.person?.id ?? null);
  shown.forEach((one) => one.remember());
  const refresh = () => { if (me.peek() !== null) shown.forEach((one) => one.refresh()); };
  effect(() => {
    if (me() === null) return;
    refresh();
    const onevent = (name, data) => {
      if (name === 'bells.silent') woken(data).catch(() => {}); // the hub counts those without an answer
      if (name !== 'bells.changed') return;
      bells.refresh();
      if (!all || data?.id) return;
      for (const one of mine) if (one !== bells) one.refresh();
    };
    ending(live.listen(`private-person-${me()}`, { onevent, onlive: refresh }));
  });
  onNews('ask', refresh);
}

/** The answer that was given last on this page: {id, action, text}. */
export const lastAnswer = signal(null);

/** Answers one; returns the action that counts, which may be another's. */
export async function respond(id, action, text) {
  const { action: taken } = await change('POST', `${ROOT}/${id}/response`, text === undefined ? { action }
    : { action, text });
  lastAnswer.set({ id, action, text });
  await bells.refresh();
  return taken;
}

/** Marks them as seen; all without `ids`. */
export async function markSeen(ids) {
  await change('POST', `${ROOT}/seen`, ids ? { ids } : { all: true });
  older.set(older.peek().map((one) => (one.state === 'new' && (!ids || ids.includes(one.id))
    ? { ...one, state: 'seen' } : one)));
  await bells.refresh();
}

export async function subscribeTo(topic, whose, isOn) {
  await change(isOn ? 'PUT' : 'DELETE', `${ROOT}/topics/${topic}?for=${whose}`);
  await topics.refresh();
}

export async function setQuiet(quiet) {
  settings.tell(await change('PUT', `${ROOT}/settings`, { quiet }));
}

/** Asks to be mailed at an address, or not at all with null. */
export async function setMailbox(wish) {
  try {
    if (wish) mailbox.tell(await change('PUT', `${ROOT}/mail`, wish));
    else await change('DELETE', `${ROOT}/mail`);
  } finally {
    await mailbox.refresh();
  }
}

export async function removeDevice(id) {
  await change('DELETE', `${ROOT}/devices/${id}`);
  await Promise.all([devices.refresh(), topics.refresh()]);
}

/** Rings one device, or this one; returns the notification's id. */
export const ringTest = async (device) => (await change('POST', `${ROOT}/test`, device ? { device } : {})).id;

/** The way of a notification to its devices. */
export const traceOf = (id) => load(`/api/v1/notifications/${id}`);
