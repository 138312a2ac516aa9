// The store of a device for portfolios, in memory, for tests.

import { createHash } from 'node:crypto';

export const sha = (bytes) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex');

/** A store that holds `room` bytes. */
export class Memory {
  rowsNow = new Map();
  files = new Map();
  answers = new Map();
  constructor(room = Infinity) { this.room = room; }
  async answer(name) { return this.answers.get(name); }
  async putAnswer(name, value) { this.answers.set(name, value); }
  async changeAnswer(name, change) { this.answers.set(name, change(this.answers.get(name))); }
  async rows() { return new Map(this.rowsNow); }
  async fileKeys() { return [...this.files.keys()]; }
  async file(key) { return this.files.get(key); }
  async put(found) {
    const size = [...this.files.values(), ...found].reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (size > this.room) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' });
    for (const { key, row, type, bytes } of found) {
      this.rowsNow.set(key, row);
      this.files.set(key, { type, version: row.version, bytes });
    }
  }
  async remove(keys) {
    for (const key of keys) {
      this.rowsNow.delete(key);
      this.files.delete(key);
    }
  }
}
