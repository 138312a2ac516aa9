// The player's pictures at a link of the hub, and what of them is kept on this device.

import { Away, Ended, Locked, Refused, Wrong } from '/portfolio/player/faults.js';
import { newID } from '/portfolio/player/marks.js';

const PATIENCE = 20_000; // milliseconds for an answer
const FILE_PATIENCE = 120_000;
const SLOWEST = 50; // bytes of a file in a millisecond more: a film takes long over a slow line

/** The id of the link at an address; '' for others. */
export const idAt = (path) => /^\/sent\/([\w-]+)(\/|$)/.exec(path)?.[1] ?? '';

const json = (answer) => answer.json().catch(() => ({}));
const isGone = ({ status }) => status === 404 || status === 410;
// Anybody between here and the hub may answer 404, such as a web server while it starts; its own answers have a code.
const isOfOthers = async (answer) => isGone(answer) && !(await json(answer.clone())).code;
const waitOf = (answer) => Number(answer.headers.get('Retry-After')) || 0;

export class HubSource {
  kind = 'hub';
  isOpenable = true;

  /** True if what was described last came from the hub, and not from this device. */
  isLive = false;
  #client = null;
  #token = null;
  #last = null; // {tag, told}: what the hub said last, and its entity tag

  /** `store` keeps answers and files; `fetch` asks the hub. */
  constructor(id, store, world = { fetch: (...asked) => fetch(...asked) }) {
    Object.assign(this, { id, store, world, address: `/api/v1/sent/${id}` });
  }

  /** This client: a name that the player has given itself on this device. */
  async client() {
    this.#client ??= await this.store.answer('client').catch(() => undefined);
    if (!this.#client) {
      this.#client = newID();
      await this.store.putAnswer('client', this.#client).catch(() => {}); // no storage: for as long as it is open
    }
    return this.#client;
  }

  async #ask(path, options = {}, patience = PATIENCE) {
    this.#token ??= await this.store.answer('token').catch(() => null) ?? null;
    const headers = { ...options.headers, ...(this.#token ? { 'Sent-Token': this.#token } : {}) };
    const answer = await this.world.fetch(`${this.address}${path}`, {
      cache: 'no-store', credentials: 'omit', ...options, headers, signal: AbortSignal.timeout(patience),
    }).catch(() => { throw new Away(); });
    if (answer.status === 429 || answer.status >= 500 || await isOfOthers(answer)) throw new Away();
    return answer;
  }

  #post(path, body) {
    return this.#ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body) });
  }

  /** What was sent: as the hub says, or as it said when this device had a network last. */
  async describe() {
    this.isLive = false;
    let answer;
    try {
      const headers = this.#last?.tag ? { 'If-None-Match': this.#last.tag } : {};
      answer = await this.#ask(`?client=${await this.client()}`, { headers });
    } catch (error) {
      const kept = await this.store.answer('told').catch(() => undefined);
      if (kept) return kept;
      throw error;
    }
    if (answer.status === 401) {
      this.#last = null;
      await this.store.putAnswer('told', undefined).catch(() => {}); // nor is it shown without a network until then
      throw new Locked('pin');
    }
    if (isGone(answer)) throw new Ended();
    if (answer.status === 304 && this.#last) {
      this.isLive = true;
      return this.#last.told;
    }
    if (!answer.ok) throw new Away();
    const told = await answer.json().catch(() => { throw new Away(); });
    this.isLive = true;
    this.#last = { tag: answer.headers.get('ETag'), told };
    await this.store.putAnswer('told', told).catch(() => {});
    return told;
  }

  /** What was told last on this device; undefined for nothing. */
  kept() { return this.store.answer('told').catch(() => undefined); }

  async unlock(pin) {
    const answer = await this.world.fetch(`${this.address}/open`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ pin }),
      credentials: 'omit', signal: AbortSignal.timeout(PATIENCE),
    }).catch(() => { throw new Away(); });
    if (await isOfOthers(answer)) throw new Away();
    if (isGone(answer)) throw new Ended();
    if (answer.status === 429) throw new Wrong({ seconds: waitOf(answer) || 60 });
    if (answer.status === 423) throw new Wrong({ isLocked: true });
    if (answer.status >= 500) throw new Away();
    if (!answer.ok) throw new Wrong();
    this.#token = (await answer.json()).token;
    await this.store.putAnswer('token', this.#token).catch(() => {});
  }

  /** The picture's file of a size: the kept one, or the hub's. */
  async file(picture, size) {
    const kept = await this.store.file(`${picture.id}/${size}`).catch(() => undefined);
    if (kept && kept.version === picture.version) return new Blob([kept.bytes], { type: kept.type });
    const { bytes, type } = await this.fetched(picture, size);
    return new Blob([bytes], { type });
  }

  /** {bytes, type} of a file from the hub. */
  async fetched({ id, version, sizes, bytes: length = 0 }, size) {
    const patience = FILE_PATIENCE + Math.ceil((sizes?.[size]?.bytes ?? length) / SLOWEST);
    const answer = await this.#ask(`/files/${encodeURIComponent(id)}/${size}?v=${encodeURIComponent(version)}`,
      { cache: 'default' }, patience);
    if (answer.status === 401) throw new Away(); // another PIN is asked for: the file may still come
    if (!answer.ok) throw new Refused(String(answer.status));
    const bytes = await answer.arrayBuffer().catch(() => { throw new Away(); });
    return { bytes, type: answer.headers.get('Content-Type') ?? 'image/jpeg' };
  }

  /** Hands over marks; resolved with all that the hub has of this client. */
  async send(marks) {
    const answer = await this.#post('/marks', { client: await this.client(), marks });
    if (answer.status === 401) throw new Away(); // the next look asks for the PIN
    if (!answer.ok) throw new Refused(String(answer.status));
    const { marks: all } = await json(answer);
    if (Array.isArray(all)) { // with the pictures as they are by now
      await this.store.changeAnswer('told', (told) => told && { ...told, marks: all }).catch(() => {});
    }
    return all;
  }

  /** Somebody has touched the page: told once. */
  async opened() {
    if (await this.store.answer('opened').catch(() => false)) return;
    const answer = await this.#post('/opened', { client: await this.client() });
    if (answer.ok) await this.store.putAnswer('opened', true).catch(() => {});
  }
}
