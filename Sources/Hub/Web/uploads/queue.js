// The queue of pictures that this device sends to one place of a room. It knows no page and no browser: where
// originals are kept, how they are sent, hashed and made small, and the time are passed in.
//
// A picture is 'keeping' (being stored on this device), 'waits', 'sending', 'sent', 'known' (was there already) or
// 'failed' (refused: somebody has to decide). Its original leaves this device when the hub has named its picture. One
// that is taken back is none of the items any more; a row 'ending' stays on this device until its upload has ended.

import { computed, signal } from '/ui.js';
import { HubError } from '/keep.js';
import { fileOf, isLost } from '/uploads/originals.js';
import { verdict } from '/uploads/retrying.js';
import { isGone, metadataOfItem, upload } from '/uploads/tus.js';

/** Pictures on their way at the same moment: the next one begins while the hub answers about the last. */
const AT_ONCE = 2;
/** Pictures that wait on one device for one place, and hashes of one question (the hub's limit). */
export const MOST = 500;

/**
 * Times that the end of an upload is asked for in a row, if the hub does not answer or is not done with its last bytes.
 */
const ENDINGS = 6;
/** The state of a row that stands for an upload to be ended. */
export const ENDING = 'ending';

const OPEN = ['keeping', 'waits', 'sending'];
const DONE = ['sent', 'known'];

/** True for an item that is still to be sent. */
export const isOpen = ({ state }) => OPEN.includes(state);

// A sound waits until its picture has a name at the hub: `soundFor` is the item, `soundOf` the picture.
const isSound = ({ soundFor, soundOf }) => Boolean(soundFor || soundOf);

// The film of a live photo, beside its picture of the same `pair`.
const isFilm = ({ name, type }) => /^video\//.test(type ?? '') || /\.mov$/i.test(name ?? '');

const newID = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), (one) => one.toString(16).padStart(2, '0'))
  .join('');

/** A picture's row on this device. Its place has the name `album` there, as on devices that have rows already. */
const kept = ({ share, state, error, ...row }) => ({ ...row, ...(state === 'failed' ? { state, error } : {}) });

/** The row of an upload to be ended, but for its `location`. The picture's own row goes, so that nobody sends it. */
const endOf = (item) => ({
  id: `${item.id}-end`, of: item.id, album: item.album, order: item.order, state: ENDING, isSound: isSound(item),
  ...(item.person ? { person: item.person } : {}),
});

/** Another tab, or somebody else, has removed it before. */
function unlessUnknown(error) {
  if (!(error instanceof HubError) || error.status !== 404) throw error;
}

export class Queue {
  /** The pictures of this place, in the order in which they were added. */
  items = signal([]);
  /** Why nothing is sent just now: null, 'elsewhere' (another tab sends), or the kind of a verdict (retrying.js). */
  pause = signal(null);
  /** True if originals last no longer than this page, or one of them that this device had no room for. */
  isFleeting = computed(() => Boolean(this.#world.originals.isFleeting)
    || this.items().some(({ isHeld, state }) => isHeld && !DONE.includes(state)));
  /** True while one is not stored on this device yet: without this page it would be lost. */
  isKeeping = computed(() => this.items().some(({ state }) => state === 'keeping'));
  /** True if the browser goes on sending without this page. */
  goesOn = signal(false);

  #world;
  #failures = 0;
  #timer = null;
  #isOver = false; // stopped: another page, or another queue, goes on
  #running = new Map(); // what ends the sending of a picture, by its id
  #ends = new Set(); // the ids of rows whose uploads are being ended
  #tooLarge = Infinity; // bytes of the smallest file for which there was no room, until that is tried again
  #sentBytes = 0; // of this run, for the rate
  #sentFor = 0; // milliseconds in which they were sent, without those of hashing alone
  #heardAt = 0; // when the latest of them went

  /**
   * `world`: {place, tus, originals, clock, hash, known, prepare, remove, random, mayRun, tell, noted, isOurs, pairs,
   * stopping, crowded}. `place` is the place's id, `noted()` is kept with each picture, for those who send without a
   * page, `isOurs(row)` is false for what somebody else has left on this device, `pairs(files, word)` says which files
   * are halves of one picture, `stopping` and `crowded` are codes of refusals, as a verdict takes them.
   */
  constructor(world) {
    this.#world = world;
  }

  /** The pictures among the items, without their sounds. */
  pictures = computed(() => this.items().filter((one) => !isSound(one)));

  /** What was refused, sounds too: somebody has to decide about each. */
  failed = computed(() => this.items().filter(({ state }) => state === 'failed'));

  /** The rest: {all, done, failed, left (pictures), bytes, share (done), seconds}; seconds are null until known. */
  progress = computed(() => {
    const items = this.pictures();
    const open = items.filter(isOpen);
    const bytes = open.reduce((sum, { size, share = 0 }) => sum + size * (1 - share), 0);
    const total = items.filter(({ state }) => state !== 'failed').reduce((sum, { size }) => sum + size, 0);
    const done = items.filter(({ state }) => DONE.includes(state)).length;
    const rate = this.#rate();
    return {
      all: done + open.length, done, failed: this.failed().length, left: open.length, bytes,
      share: total ? 1 - bytes / total : 1, seconds: rate > 0 ? bytes / rate : null,
    };
  });

  #rate() {
    return this.#sentFor > 1_000 ? this.#sentBytes / this.#sentFor * 1_000 : 0;
  }

  get(id) { return this.items.peek().find((one) => one.id === id); }

  /** The file of a picture that was not sent; of one that could not be kept here, for as long as this page is open. */
  async file(id) { return this.get(id).file ?? fileOf(this.#world.originals, this.get(id)); }

  #set(id, fields) {
    this.items.set(this.items.peek().map((one) => (one.id === id ? { ...one, ...fields } : one)));
  }

  /** Changes a row; where the device has no room even for that, the next page goes on with what was there before. */
  #note(id, fields) { return this.#world.originals.change(id, fields).catch((error) => console.error(error)); }

  /** Takes what an earlier page, or another tab, has left; lets go of what another tab has sent or taken back. */
  async restore() {
    const { originals, place, isOurs = () => true } = this.#world;
    const all = (await originals.all()).filter((row) => row.album === place && isOurs(row));
    const ends = all.filter(({ state }) => state === ENDING);
    const rows = all.filter(({ id, state }) => state !== ENDING && !ends.some(({ of }) => of === id));
    const kept = new Set(rows.map(({ id }) => id));
    const still = this.items.peek().filter(({ id, state }) => state !== 'waits' || kept.has(id));
    const here = new Set(still.map(({ id }) => id));
    const others = rows.filter(({ id }) => !here.has(id)).map((row) => ({ state: 'waits', ...row }));
    this.items.set([...others, ...still].sort((one, other) => one.order - other.order));
    for (const one of ends) if (!this.#ends.has(one.id)) this.#end(one);
    this.wake();
  }

  /**
   * Adds files; `fields` are told of each, such as {taken}. They are kept on this device one after the other, then made
   * small, then sent. A picture and a film of one name become a live photo. Resolved with the number of those for which
   * there was no room.
   */
  async add(files, fields = {}) { return files.length - (await this.#enter(files, fields)).length; }

  /**
   * Adds a file that is let go of where it came from; `fields` are as above. Resolved with 'kept' once this device has
   * it; else it is not in the queue: 'many' if too many wait, 'full' if it cannot be kept on this device.
   */
  async take(file, fields) {
    if (this.isFleeting.peek()) return 'full';
    const [id] = await this.#enter([file], fields, true);
    if (!id) return 'many';
    if (this.get(id)?.error?.kind !== 'unkept') return 'kept';
    this.items.set(this.items.peek().filter((one) => one.id !== id));
    return 'full';
  }

  /** Resolved with the ids of those for which there was room, once all of them are kept or failed. */
  async #enter(files, fields, mustLast = false) {
    const room = Math.max(0, MOST - this.items.peek().filter(({ state }) => !DONE.includes(state)).length);
    const pairs = this.#world.pairs?.([...files].filter(({ size }) => size > 0), newID);
    const fresh = [...files].slice(0, room).map((file, index) => ({
      file,
      item: {
        id: newID(), album: this.#world.place, order: this.#world.clock.now() + index / 1_000, name: file.name,
        type: file.type, size: file.size, pair: pairs?.get(file), ...this.#world.noted?.(), ...fields,
        ...(file.size > 0 ? { state: 'keeping' } : { state: 'failed', error: { kind: 'empty' } }),
      },
    }));
    this.items.set([...this.items.peek(), ...fresh.map(({ item }) => item)]);
    const preparing = [];
    for (const { item, file } of fresh) {
      if (file.size === 0) continue;
      await this.#keep(item, file, mustLast);
      preparing.push(this.#prepare(item.id, file));
    }
    await Promise.all(preparing);
    return fresh.map(({ item }) => item.id);
  }

  /** What this device has no room for is held as long as the page, unless it `mustLast`. */
  async #keep(item, file, mustLast) {
    if (!this.get(item.id)) return; // taken back meanwhile
    const { originals } = this.#world;
    const whole = kept(item);
    let row;
    try {
      row = await originals.add(whole, file).catch((error) => {
        if (mustLast) throw error;
        return originals.hold(whole, file);
      });
    } catch (error) {
      console.error(error);
      this.#set(item.id, { state: 'failed', file, error: { kind: 'unkept' } });
      return;
    }
    if (!this.get(item.id)) {
      await originals.remove(item.id);
      return;
    }
    const picture = item.soundFor && this.get(item.soundFor)?.picture; // it was sent while its sound was being kept
    this.#set(item.id, { ...row, state: 'waits', isPreparing: true });
    if (picture) await this.#releaseSounds(item.soundFor, picture);
  }

  /** Makes the small picture of one that is kept, which may take seconds: it is sent ahead of it. */
  async #prepare(id, file) {
    if (!this.get(id)) return;
    // Some browsers keep no Blob.
    const preview = await this.#world.prepare(file).then((small) => small?.arrayBuffer()).catch(() => null);
    if (preview) await this.#note(id, { preview });
    this.#set(id, { preview, isPreparing: false });
    this.#world.tell?.();
    this.wake();
  }

  /** Sends what waits, at once: there is a network again, somebody looks, or something was added. */
  wake() {
    this.#world.clock.cancel(this.#timer);
    this.#timer = null;
    this.#tooLarge = Infinity;
    this.#next();
  }

  #next() {
    if (this.#isOver) return;
    if (!this.#world.mayRun()) {
      if (this.#waiting()) this.pause.set('elsewhere');
      return;
    }
    if (this.pause.peek() === 'elsewhere') this.pause.set(null);
    while (this.#running.size < AT_ONCE) {
      const next = this.#waiting();
      if (!next) break;
      const control = new AbortController();
      this.#running.set(next.id, control);
      this.#set(next.id, { state: 'sending', share: 0 });
      this.#send(next, control.signal).finally(() => this.#ended(next.id, control));
    }
  }

  #waiting() {
    return this.items.peek().find(({ state, isPreparing, soundFor, soundOf, size }) => state === 'waits'
      && !isPreparing && (!soundFor || soundOf) && size < this.#tooLarge);
  }

  /** Adds some seconds of sound to a picture of this queue. */
  async addSound(id, file) {
    const item = this.get(id);
    if (!item) return;
    this.#set(id, { hasSound: true });
    await this.add([file], item.picture ? { soundOf: item.picture } : { soundFor: id });
  }

  /** Adds some seconds of sound to a picture that the hub has. */
  addSoundOf(picture, file) { return this.add([file], { soundOf: picture }); }

  /** The sounds of a picture may go now. */
  async #releaseSounds(id, picture) {
    for (const one of this.items.peek().filter(({ soundFor }) => soundFor === id)) {
      this.#set(one.id, { soundOf: picture });
      await this.#note(one.id, { soundOf: picture });
    }
  }

  #ended(id, control) {
    if (this.#running.get(id) === control) this.#running.delete(id);
    if (this.#running.size === 0 && !this.#waiting()) this.#sentBytes = this.#sentFor = 0;
    const mayGoOn = this.#timer === null ? this.pause.peek() !== 'stopped' : this.#tooLarge < Infinity;
    if (mayGoOn && this.#waiting()) this.#next();
  }

  async #send(item, signal) {
    try {
      if (!(await this.#world.originals.has(item.id))) { // another tab has sent it, or taken it back
        this.items.set(this.items.peek().filter(({ id }) => id !== item.id));
        return;
      }
      const sha256 = item.sha256 ?? (isSound(item) ? undefined : await this.#hash(item));
      const before = sha256 && !item.location ? await this.#knownAs(sha256) : undefined;
      if (signal.aborted) return;
      const picture = before ?? await this.#upload(item, sha256, signal);
      if (!this.get(item.id)) { // taken back while its last bytes were on their way
        if (!before && !isSound(item)) await this.#world.remove(picture);
        await this.#noteEnd(endOf(item).id);
        return;
      }
      this.#failures = 0;
      if (this.#tooLarge === Infinity) this.pause.set(null);
      await this.#releaseSounds(item.id, picture);
      await this.#world.originals.remove(item.id).catch((error) => console.error(error)); // the next page finds it sent
      this.#world.tell?.();
      if (this.get(item.id)) this.#set(item.id, { state: before ? 'known' : 'sent', share: 1, picture });
    } catch (error) {
      const isUnread = !(error instanceof HubError) && await isLost(this.#world.originals, item);
      if (signal.aborted) return;
      if (isUnread) this.#set(item.id, { state: 'failed', share: 0, error: { kind: 'unkept' } });
      else await this.#failed(item, error);
    }
  }

  async #hash(item) {
    const sha256 = await this.#world.hash(this.#world.originals.source(item));
    if (!sha256) return undefined;
    this.#set(item.id, { sha256 });
    await this.#note(item.id, { sha256 });
    return sha256;
  }

  /** The place's picture of the same bytes, if this guest has sent them before. */
  async #knownAs(sha256) {
    const all = await this.#world.known([sha256]);
    return all[sha256];
  }

  #upload(item, sha256, signal) {
    let last = null;
    return upload(this.#world.tus, this.#world.originals.source(item), {
      location: item.location,
      metadata: metadataOfItem({ ...item, sha256 }),
      preview: item.preview,
      signal,
      onlocation: async (location) => {
        this.#set(item.id, { location });
        await this.#note(item.id, { location });
      },
      onprogress: (bytes) => {
        const now = this.#world.clock.now();
        if (last !== null) { // the first time it tells what the hub has already
          this.#sentBytes += Math.max(0, bytes - last);
          this.#sentFor += now - this.#heardAt;
        }
        this.#heardAt = now;
        last = bytes;
        if (!signal.aborted) this.#set(item.id, { share: item.size ? bytes / item.size : 1 });
        if (this.pause.peek() === 'network' || this.pause.peek() === 'busy') this.pause.set(null);
      },
    });
  }

  async #failed(item, error) {
    if (!(error instanceof HubError)) console.warn(error);
    const { kind, wait } = verdict(error, this.#failures, this.#world);
    if (kind === 'refused') {
      if (isSound(item) && isGone(error)) return void await this.withdraw(item.id); // it goes with its picture
      const told = { kind, status: error.status, code: error.code, message: error.message, help: error.help };
      this.#set(item.id, { state: 'failed', share: 0, error: told });
      await this.#note(item.id, { state: 'failed', error: told });
      return;
    }
    this.#failures += 1;
    this.#tooLarge = ['room', 'full'].includes(kind) ? Math.min(this.#tooLarge, item.size) : Infinity;
    this.#set(item.id, { state: 'waits', share: 0 });
    this.pause.set(kind);
    if (wait === null) return;
    this.#world.clock.cancel(this.#timer);
    this.#timer = this.#world.clock.after(wait, () => this.wake());
  }

  /** Takes a picture back: one that was not sent never is, one that was is removed from its place. */
  async withdraw(id) {
    const item = this.get(id);
    if (!item) return;
    for (const { id: sound } of this.items.peek().filter(({ soundFor }) => soundFor === id)) await this.withdraw(sound);
    if (item.picture && item.state !== 'known' && !isSound(item)) await this.#world.remove(item.picture);
    const { location, picture } = this.get(id) ?? item; // as it is by now
    this.#running.get(id)?.abort();
    this.#running.delete(id);
    this.items.set(this.items.peek().filter((one) => one.id !== id));
    const end = location && !picture ? { ...endOf(item), location } : null;
    if (end) {
      this.#ends.add(end.id);
      await this.#world.originals.add(end, new Blob([])).catch((error) => console.error(error)); // this page ends it
    }
    await this.#world.originals.remove(id);
    this.#world.tell?.();
    if (end) await this.#end(end);
    // A live photo is one picture: its film goes with it. If both were sent, the hub takes both back.
    const films = item.pair && item.state !== 'known' && !isFilm(item)
      ? this.items.peek().filter((one) => one.pair === item.pair && !(picture && one.picture)) : [];
    for (const one of films) await this.withdraw(one.id);
    this.wake();
  }

  /**
   * Ends the upload of a picture that was taken back. If the hub had all of it already, the picture is removed. What
   * could not be ended now is left for the next page.
   */
  async #end(row, tries = 1) {
    if (tries === 1) this.#ends.add(row.id);
    else if (!this.#ends.has(row.id)) return; // ended meanwhile
    try {
      await this.#world.originals.remove(row.of); // if the page was closed in between
      const picture = await this.#world.tus.end(row.location);
      if (picture && !row.isSound) await this.#world.remove(picture).catch(unlessUnknown);
      await this.#noteEnd(row.id);
    } catch (error) {
      const { kind, wait } = verdict(error, tries - 1, this.#world);
      if (kind === 'refused') await this.#noteEnd(row.id); // what is not complete ends by itself
      else if (wait === null || tries >= ENDINGS) this.#ends.delete(row.id);
      else this.#world.clock.after(wait, () => this.#end(row, tries + 1));
    }
  }

  async #noteEnd(id) {
    this.#ends.delete(id);
    await this.#world.originals.remove(id).catch((error) => console.error(error)); // the next page asks once more
  }

  /**
   * Tries those that were refused once more, or one of them. Each goes on as the same upload, behind what the hub has
   * acknowledged of it: of what was refused at its end, the last part is sent again.
   */
  async retry(id) {
    this.#failures = 0;
    for (const item of this.items.peek()) {
      if (item.state !== 'failed' || item.error?.kind !== 'refused' || (id && item.id !== id)) continue;
      this.#set(item.id, { state: 'waits', error: undefined });
      await this.#note(item.id, { state: 'waits', error: undefined });
    }
    this.wake();
  }

  /** Forgets those that are done, when none is on its way. */
  clear() {
    if (this.items.peek().some(isOpen)) return;
    this.items.set(this.items.peek().filter(({ state }) => !DONE.includes(state)));
  }

  stop() {
    this.#isOver = true;
    this.#world.clock.cancel(this.#timer);
    for (const one of this.#running.values()) one.abort();
    this.#running.clear();
  }
}
