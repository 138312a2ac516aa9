// Lets Node load the page's files as modules, as browsers do.

import { register } from 'node:module';

const view = new URL('../../Sources/Report/View/', import.meta.url).href;

const hooks = `export async function load(url, context, next) {
  return next(url, url.startsWith(${JSON.stringify(view)}) ? { ...context, format: 'module' } : context);
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
