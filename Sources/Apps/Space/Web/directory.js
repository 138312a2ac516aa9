// The directory of all spaces, asked through the hub: so that one can be followed by its name.

import { html, signal } from '/ui.js';
import { change } from '/session.js';

/** {name, url} of all spaces, by name; empty until known, and while the directory cannot be reached. */
export const directory = signal([]);
let asked;

/** Asks for the names, once a page. */
export const lookUp = () => {
  asked ??= change('GET', '/api/v1/space/directory').then(({ spaces }) => directory.set(spaces), () => {});
  return asked;
};

/** The address of the space with this name in the list; any other text as it is. */
export function addressOf(text) {
  const plain = (name) => name.trim().toLocaleLowerCase();
  return directory.peek().find(({ name }) => plain(name) === plain(text))?.url ?? text.trim();
}

/** The names, for an input's `list`. */
export const names = (id) => html`<datalist id=${id}>${() => directory().map(
  ({ name }) => html`<option value=${name}></option>`)}</datalist>`;
