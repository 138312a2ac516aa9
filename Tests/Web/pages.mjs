// Lets Node import the pages' modules, which import each other by the addresses the hub serves them at. The files that
// packing generates from the rooms' room.js (bin/packing/rooms.py) are generated here too.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { register } from 'node:module';

const sources = new URL('../../Sources/', import.meta.url);

/** The rooms' folders by their ids, which the addresses of their pages begin with. */
export const folders = Object.fromEntries(readdirSync(new URL('Apps/', sources)).flatMap((app) => {
  const room = new URL(`Apps/${app}/Web/room.js`, sources);
  return existsSync(room) ? [[/^ +id: '([\w-]+)',$/m.exec(readFileSync(room, 'utf8'))[1], app]] : [];
}));
/** The rooms, by the addresses of their room.js. */
export const rooms = Object.keys(folders).map((id) => `/${id}/room.js`);

const all = rooms.map((name, index) => `import * as room${index} from '${name}';\n`).join('');
const list = (part) => `[${rooms.map((_, index) => (part ? `room${index}.${part}` : `room${index}`)).join()}]`;
const made = {
  '/rooms-list.js': `${all}export const list = ${list('room')}.sort((one, other) => one.order - other.order);`,
  '/rooms-offers.js': `${all}export const offers = ${list('room')};`,
  '/rooms-parts.js': `${all}export const parts = ${list()};`,
};

const hooks = `const made = ${JSON.stringify(made)};
const apps = ${JSON.stringify(folders)};
export function resolve(name, context, next) {
  if (made[name]) return { url: 'made:' + name, shortCircuit: true };
  const [, app, rest] = /^\\/([a-z]+)\\/(.*)$/.exec(name) ?? [];
  if (apps[app]) return next(${JSON.stringify(sources.href)} + 'Apps/' + apps[app] + '/Web/' + rest, context);
  if (name.startsWith('/')) return next(${JSON.stringify(sources.href)} + 'Hub/Web' + name, context);
  return next(name, context);
}
export async function load(url, context, next) {
  if (url.startsWith('made:')) return { format: 'module', source: made[url.slice(5)], shortCircuit: true };
  return next(url, url.startsWith(${JSON.stringify(sources.href)}) ? { ...context, format: 'module' } : context);
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);

/** The module that the hub serves at `address`. */
export const page = (address) => import(address);
