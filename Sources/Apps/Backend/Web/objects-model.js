// The objects of the app of this page: its classes, and one page of one class. The hub's own way to them is Parse's,
// as the master key would ask.

import { computed, signal } from '/ui.js';
import { HubError } from '/keep.js';
import { change, create, load, reusing } from '/session.js';
import { APPS, here } from '/apps/model.js';
import { columnsOf, PAGE, questionOf } from '/apps/objects-plan.js';

const LOOK = 5_000; // milliseconds between two looks at how many objects are left

const url = (rest) => `${APPS}/${here}/objects${rest}`;

/** All classes with their fields, permissions and indexes; undefined until they are known. */
export const classes = signal(undefined);
/** The name of the class that is looked at. */
export const looked = signal('');
/** What is asked of it: {where, order, skip}. */
export const asked = signal({ where: null, order: '', skip: 0 });
/** {results, count} of it, and the `question` that they answer; undefined until it is known. */
export const found = signal(undefined);
/** The number of cells that are edited: until none is, the rows stay as they are, with what is typed in them. */
export const edited = signal(0);

export const classOf = (name) => classes()?.find(({ className }) => className === name);
export const schema = computed(() => classOf(looked()));
// Equal columns count as no change, so that what is typed in a row stays.
const columnsText = computed(() => JSON.stringify(schema() ? columnsOf(schema()) : []));
export const columns = computed(() => JSON.parse(columnsText()));

let classRound = 0;
let objectRound = 0;
let answered; // the question that the rows answer

export async function readClasses() {
  classRound += 1;
  const mine = classRound;
  const { results } = await load(url('/schemas'));
  if (mine !== classRound) return; // a later answer is newer
  const isOwn = ({ className }) => !className.startsWith('_'); // the others are Parse's
  const sorted = [...results].sort((one, other) => isOwn(other) - isOwn(one)
    || one.className.localeCompare(other.className));
  classes.set(reusing(classes.peek(), sorted));
  if (!schema.peek()) look(sorted[0]?.className ?? '');
}

/** Reads the objects that are asked for; false if nothing was asked, as cells are edited. */
export async function readObjects() {
  const [name, question] = [looked.peek(), asked.peek()];
  const stays = () => edited.peek() && question === answered;
  if (!name || stays()) return false;
  objectRound += 1;
  const mine = objectRound;
  const now = await load(url(questionOf(name, question)));
  // Something else is asked by now, or the same once more.
  if (mine !== objectRound || name !== looked.peek() || question !== asked.peek() || stays()) return;
  const last = Math.max(0, Math.floor((now.count - 1) / PAGE) * PAGE);
  if (question.skip > last) { // the page's last object is gone
    asked.set({ ...question, skip: last });
    return;
  }
  answered = question;
  found.set({ results: reusing(found.peek()?.results, now.results), count: now.count, question });
}

export function look(name) {
  looked.set(name);
  asked.set({ where: null, order: '', skip: 0 });
  found.set(undefined);
}

// Each with the class's name: another one may be looked at when it is its turn.
const object = (className, id) => url(`/classes/${className}/${encodeURIComponent(id)}`);

/** Saves fields of a listed object, which then is as the hub has it: its row stays, and another cell in it. */
export async function saveObject(className, one, changed) {
  const answer = await change('PUT', object(className, one.objectId), changed);
  for (const [name, value] of Object.entries({ ...changed, ...answer })) {
    if (value?.__op) delete one[name];
    else one[name] = value;
  }
}
export const removeObject = (className, id) => change('DELETE', object(className, id));

export const addObject = (className, fields) => create(url(`/classes/${className}`), fields);
export const addClass = (className) => create(url(`/schemas/${className}`), { className });
/** A class as the hub has it now: others may have changed it since the last look. */
export const readClass = (className) => load(url(`/schemas/${className}`));
/** Saves a class. The hub's answer counts at once: the next change, which may be waiting already, is made of it. */
export async function saveClass(className, changed) {
  const saved = await change('PUT', url(`/schemas/${className}`), { className, ...changed });
  classRound += 1; // what is being read may be older
  classes.set(classes.peek()?.map((one) => (one.className === className ? saved : one)));
}
/** The number of a class's objects, whatever the table is filtered by. */
export const countObjects = async (className) => (await load(url(`/classes/${className}?limit=0&count=1`))).count;
/**
 * Removes all objects of a class. Of a large one it takes longer than this page waits for an answer, and the hub goes
 * on: then it is done once there are none, and has failed if they get no fewer.
 */
export async function removeObjects(className) {
  try {
    await change('DELETE', url(`/purge/${className}`));
  } catch (error) {
    if (error instanceof HubError) throw error;
    let before = Infinity;
    for (let left = await countObjects(className); left > 0; left = await countObjects(className)) {
      if (left >= before) throw error;
      before = left;
      await new Promise((done) => { setTimeout(done, LOOK); });
    }
  }
}
export const removeClass = (className) => change('DELETE', url(`/schemas/${className}`));
