// The parts of voices as samples: fetched once, kept on this device by their hash, so that the page speaks without a
// network too.

import { HubError, isAway } from '/keep.js';
import { load } from '/session.js';
import { joined, RATE } from '/clock/wav.js';

const CACHE = 'eightbells-mine-clock-parts'; // keep.js deletes what is named so
const ADDRESS = '/clock/parts/'; // in the cache alone
const LIST = `${ADDRESS}list/`; // the lists of the voices, beside their parts
const MOST_CLIPS = 150; // in memory
const LIMIT = 15_000; // milliseconds for one part
const PAUSE = 60_000; // milliseconds until all parts are fetched ahead again, when one could not be had
const STROKE = 'bigben'; // a time without it is still the right one

/** True if the hub does not have it; else it could not be fetched. */
const isGone = (error) => error instanceof HubError && [404, 410].includes(error.status);

/** True for a part that was not had for want of a network: it is there again with it. */
export const isUnreached = (error) => error instanceof TypeError || error?.name === 'TimeoutError';

/** Voices that are asked in turn for a part: the chosen one, the built-in one of the language, the strokes. */
export const inTurn = ({ voice, language }) =>
  [...new Set([voice, language === 'de' ? 'german' : 'english', 'bells'].filter(Boolean))];

globalThis.caches?.delete('eightbells-clock-parts').catch(() => {}); // earlier pages kept it for whoever came

export class Voices {
  #lists = new Map();
  #clips = new Map();
  #ahead = null; // the settings whose parts are all here, or are being fetched, as text
  #aheadFrom = 0; // the time from which they may be fetched, in milliseconds since 1970

  /** `context` decodes, at the rate of all clips; `ask` fetches the list of a voice's parts. */
  constructor(context, ask = (id) => load(`/api/v1/clock/voices/${id}`)) {
    this.context = context;
    this.ask = ask;
  }

  /** Its list of parts is fetched anew: it was recorded on. */
  forget(id) {
    this.#lists.delete(id);
    this.#ahead = null;
  }

  #list(id) {
    if (!this.#lists.has(id)) {
      const coming = this.#fetchList(id);
      this.#lists.set(id, coming);
      coming.catch(() => { if (this.#lists.get(id) === coming) this.#lists.delete(id); });
    }
    return this.#lists.get(id);
  }

  /** The list as the hub has it; while the hub is away, as it was last. */
  async #fetchList(id) {
    const cache = await globalThis.caches?.open(CACHE).catch(() => undefined);
    try {
      const list = await this.ask(id);
      await cache?.put(LIST + id, new Response(JSON.stringify(list))).catch(() => {}); // no room
      return list;
    } catch (error) {
      const kept = isAway(error) ? await cache?.match(LIST + id) : undefined;
      if (!kept) throw error;
      return kept.json();
    }
  }

  /** One part by the first voice that has it; null if none does, or it cannot be had. */
  async clip(name, voices) { return (await this.#find(name, voices)).clip; }

  /** The same as {clip, failed}: why none was had, null if no voice has it. */
  async #find(name, voices) {
    let failed = null;
    for (const id of voices) {
      const list = await this.#list(id).catch((error) => {
        if (!isGone(error)) failed ??= error;
        return null;
      });
      const part = list?.parts?.[name];
      const clip = part && await this.#clip(part).catch((error) => {
        failed ??= error;
        if (isGone(error)) this.forget(id); // the list is an old one
        return null;
      });
      if (clip) return { clip, failed: null };
    }
    return { clip: null, failed };
  }

  /** The seconds between two parts, as the voice says that agents speak with, too: the first that is there. */
  async #gap(voices) {
    for (const id of voices) {
      const list = await this.#list(id).catch(() => null);
      if (list) return list.gap ?? 0;
    }
    return 0;
  }

  #clip({ sha256, url }) {
    if (!this.#clips.has(sha256)) {
      const coming = this.#read(sha256, url);
      this.#clips.set(sha256, coming);
      coming.catch(() => this.#clips.delete(sha256));
      if (this.#clips.size > MOST_CLIPS) this.#clips.delete(this.#clips.keys().next().value);
    }
    return this.#clips.get(sha256);
  }

  async #read(sha256, url) {
    const cache = await globalThis.caches?.open(CACHE).catch(() => undefined); // none without HTTPS
    const key = `${ADDRESS}${sha256}`;
    let response = await cache?.match(key);
    const isKept = response !== undefined;
    if (!isKept) {
      response = await fetch(url, { signal: AbortSignal.timeout(LIMIT) });
      if (!response.ok) throw new HubError(response.status, { error: `${url} answered ${response.status}` });
      await cache?.put(key, response.clone()).catch(() => {}); // no room
    }
    try {
      const buffer = await this.context.decodeAudioData(await response.arrayBuffer());
      return buffer.getChannelData(0);
    } catch (error) {
      await cache?.delete(key).catch(() => {}); // a damaged copy heals itself
      if (isKept) return this.#read(sha256, url);
      throw error;
    }
  }

  /** Deletes the parts on this device of voices that are not used any more. */
  async tidy(voices) {
    const cache = await globalThis.caches?.open(CACHE).catch(() => undefined);
    if (!cache) return;
    const lists = await Promise.all(voices.map((id) => this.#list(id)));
    const parts = lists.flatMap((list) => Object.values(list.parts).map(({ sha256 }) => sha256));
    const used = new Set([...parts, ...voices]); // of the voices, their lists
    const all = await cache.keys();
    await Promise.all(all.filter(({ url }) => !used.has(url.split('/').at(-1))).map((one) => cache.delete(one)));
  }

  /**
   * Fetches the parts that these settings ever need, which `needed` returns, so that they are here without a network.
   * Does nothing when they are; stops at one that cannot be had, and goes on a minute later.
   */
  async fetchAhead(settings, needed, now = Date.now()) {
    const all = JSON.stringify(settings);
    if (this.#ahead === all || now < this.#aheadFrom) return;
    this.#ahead = all;
    for (const name of needed()) {
      const { failed } = await this.#find(name, inTurn(settings));
      if (this.#ahead !== all) return;
      if (failed) {
        this.#ahead = null;
        this.#aheadFrom = now + PAUSE;
        return;
      }
    }
  }

  /**
   * An announcement, its parts joined to the sample: {samples, missing, failed}. Parts that no voice has are left out.
   * If one could not be fetched, `failed` says why, and there are no samples: "eight PM" is not a quarter to nine.
   * `missing` names both.
   */
  async announcement(parts, settings) {
    const voices = inTurn(settings);
    const [gap, ...found] = await Promise.all([this.#gap(voices), ...parts.map((name) => this.#find(name, voices))]);
    const failed = found.find((one, index) => one.failed && parts[index] !== STROKE)?.failed ?? null;
    const clips = failed ? [] : found.map(({ clip }) => clip).filter(Boolean);
    return {
      samples: joined(clips, Math.round(gap * RATE)), missing: parts.filter((_, index) => !found[index].clip), failed,
    };
  }
}
