// What is typed about an album, between its form and the hub. Pure.

import { isoHere } from '/words.js';

/** A moment as a field for date and time has it, in the reader's own zone. */
const localOf = (at) => (at ? isoHere(new Date(typeof at === 'number' ? at * 1000 : at)).slice(0, 16) : '');

export class Typed {
  /** The closing time that the album has, as its field says it: as the form began, or was saved last. */
  closes;

  constructor({ name, options }) { Object.assign(this, { name, closes: localOf(options?.closes_at) }); }

  /** The wish for the hub, of the form's values: what was not changed in the form, another host may have changed. */
  wish({ name, closes, passphrase }) {
    const wish = {};
    if (name.trim() !== this.name) wish.name = name.trim();
    if (closes !== this.closes) wish.closes_at = closes ? new Date(closes).toISOString().replace('.000Z', 'Z') : null;
    if (passphrase) wish.passphrase = passphrase;
    return wish;
  }

  /** The hub has these values now. */
  saved({ name, closes }) { Object.assign(this, { name: name.trim(), closes }); }
}
