// The objects of the app of this page: its classes, and one page of one class. The hub's own way to them is Parse's,
// as the master key would ask.

import { computed, signal } from '/ui.js';
import { change, load, reusing } from '/session.js';
import { APPS, here } from '/apps/model.js';
import { columnsOf, questionOf } from '/apps/objects-plan.js';

const url = (rest) => `${APPS}/${here}/objects${rest}`;

/** All classes with their fields, permissions and indexes; undefined until they are known. */
export const classes = signal(undefined);
/** The name of the class that is looked at. */
export const looked = signal('');
/** What is asked of it: {where, order, skip}. */
export const asked = signal({ where: null, order: '', skip: 0 });
/** {results, count} of it; undefined until it is known. */
export const found = signal(undefined);

export const schema = computed(() => classes()?.find(({ className }) => className === looked()));
// Equal columns count as no change, so that what is typed in a row stays.
const columnsText = computed(() => JSON.stringify(schema() ? columnsOf(schema()) : []));
export const columns = computed(() => JSON.parse(columnsText()));

export async function readClasses() {
  const { results } = await load(url('/schemas'));
  const sorted = [...results].sort((one, other) => one.className.localeCompare(other.className));
  classes.set(reusing(classes.peek(), sorted));
  if (!schema.peek()) look(sorted[0]?.className ?? '');
}

export async function readObjects() {
  const [name, question] = [looked.peek(), asked.peek()];
  if (!name) return;
  const now = await load(url(questionOf(name, question)));
  if (name !== looked.peek() || question !== asked.peek()) return; // something else is asked by now
  found.set({ results: reusing(found.peek()?.results, now.results), count: now.count });
}

export function look(name) {
  looked.set(name);
  asked.set({ where: null, order: '', skip: 0 });
  found.set(undefined);
}

const object = (id) => url(`/classes/${looked.peek()}/${encodeURIComponent(id)}`);

export const saveObject = (id, changed) => change('PUT', object(id), changed);
export const removeObject = (id) => change('DELETE', object(id));
export const addObject = (fields) => change('POST', url(`/classes/${looked.peek()}`), fields);

export const addClass = (className) => change('POST', url(`/schemas/${className}`), { className });
export const saveClass = (changed) => change('PUT', url(`/schemas/${looked.peek()}`), {
  className: looked.peek(), ...changed,
});
export const removeClass = () => change('DELETE', url(`/schemas/${looked.peek()}`));
