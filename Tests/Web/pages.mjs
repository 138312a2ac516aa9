// Lets Node import our pages' modules, which name each other by the addresses the hub serves them at.

import { register } from 'node:module';

const sources = new URL('../../Sources/', import.meta.url).href;

const hooks = `export function resolve(name, context, next) {
  if (name.startsWith('/space/')) return next(${JSON.stringify(sources)} + 'Apps/Space/Web/' + name.slice(7), context);
  if (name.startsWith('/')) return next(${JSON.stringify(sources)} + 'Hub/Web' + name, context);
  return next(name, context);
}
export async function load(url, context, next) {
  return next(url, url.startsWith(${JSON.stringify(sources)}) ? { ...context, format: 'module' } : context);
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);

/** The module that the hub serves at `address`. */
export const page = (address) => import(address);
