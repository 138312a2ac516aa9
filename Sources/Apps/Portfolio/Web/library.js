// The portfolios as all parts of the page have them: first as this device knew them last, then as the hub says, and
// followed live.

import { soon } from '/done.js';
import { computed, signal } from '/ui.js';
import { isAway, wasInside } from '/keep.js';
import { load, reusing } from '/session.js';
import { inOrder } from '/portfolio/wall/plan.js';
import { words } from '/portfolio/words.js';

export const PORTFOLIOS = '/api/v1/portfolios';
const HEARTS = 'hearts'; // among the answers that are kept
const SOON = 2_000; // milliseconds

const addressOf = (portfolio) => `${PORTFOLIOS}/${encodeURIComponent(portfolio)}`;
const galleryAt = (portfolio, id) => `${addressOf(portfolio)}/galleries/${encodeURIComponent(id)}`;

export class Library {
  /** [{id, name, source, sync, galleries: [{id, title, count, changed, …}], …}]; undefined until known. */
  portfolios = signal(undefined);

  /** {bytes, limit} of one's portfolios on the hub; undefined until known. */
  share = signal(undefined);

  /** Hearts of which the hub does not know yet: {'portfolio/picture': true, or false for one that was taken back}. */
  hearts = signal({});

  /** Called with a portfolio's id when something of it was sent, or a client has marked something. */
  onSent = () => {};

  /** True while the hub cannot be reached. */
  isLost = signal(false);

  /** Counts up with each change of a gallery's pictures. */
  turn = signal(0);

  /** True once the hub itself has told every gallery, with all its pictures, since the page was opened. */
  isWhole = signal(false);

  /**
   * [{portfolio, id, pictures}] of all galleries whose pictures are known, in the order of the wall. The same one as
   * long as these are the same: from it all files are reckoned. While many galleries come, it follows once in a while.
   */
  known = computed(() => {
    this.#listed();
    const known = (this.portfolios() ?? []).flatMap(({ id: portfolio, galleries = [] }) =>
      galleries.flatMap(({ id }) => {
        const pictures = this.pictures(portfolio, id);
        return pictures ? [{ portfolio, id, pictures }] : [];
      }));
    const isSame = known.length === this.#known.length && known.every((one, index) =>
      Object.entries(one).every(([name, value]) => this.#known[index][name] === value));
    if (!isSame) this.#known = known;
    return this.#known;
  });

  #known = [];
  #listed = signal(0); // the `turn` that `known` has
  #store;
  #galleries = new Map(); // {changed, places, pictures} by 'portfolio/gallery'
  #loading = new Map(); // {turn, promise} by the same name
  #line = []; // {turn, go} of those that wait while another list is on its way
  #isOnWay = false;
  #soon = new Set();
  #round = 0;
  #newest = Promise.resolve(true);

  constructor(store, get = load, after = setTimeout.bind(globalThis), isInside = wasInside) {
    this.#store = store;
    Object.assign(this, { get, after, isInside });
  }

  /** The pictures of a gallery as they are known now; undefined if they are not. */
  pictures(portfolio, id) { return this.#galleries.get(`${portfolio}/${id}`)?.pictures; }

  /** Their ids in the hub's order, where no cover is put first; undefined if a list lacks it, as older ones do. */
  places(portfolio, id) { return this.#galleries.get(`${portfolio}/${id}`)?.places; }

  portfolio(id) { return this.portfolios.peek()?.find((one) => one.id === id); }

  gallery(portfolio, id) { return this.portfolio(portfolio)?.galleries?.find((one) => one.id === id); }

  /** Keeps an answer, unless its member has signed out meanwhile. */
  #keep(address, body) { this.#change((store) => store.putAnswer(address, body)); }

  /** Changes what is kept while somebody is signed in; the page works without. */
  #change(act) { if (this.isInside()) act(this.#store).catch(() => {}); }

  /** Shows what this device knew last. */
  async remember() {
    const kept = await soon(this.#store.answer(PORTFOLIOS));
    if (kept && !this.portfolios.peek()) this.portfolios.set(kept);
    await this.recallHearts();
  }

  /** Takes the hearts that wait on this device, by this tab or another. */
  async recallHearts() {
    if (!this.isInside()) return;
    this.hearts.set({ ...await soon(this.#store.answer(HEARTS)), ...this.hearts.peek() });
  }

  /** Changes the hearts that wait, here and among those of other tabs. */
  keepHearts(change) {
    this.hearts.set(change(this.hearts.peek()));
    this.#change((store) => store.changeAnswer(HEARTS, (kept = {}) => change(kept)));
  }

  /**
   * Asks the hub for everything that is not known yet, or has changed. Returns false if it cannot be reached. One that
   * is asked anew meanwhile ends with the newer answer, so that whoever waits for it finds what they have changed.
   */
  refresh() {
    this.#newest = this.#refresh();
    return this.#newest;
  }

  async #refresh() {
    this.#round += 1;
    const round = this.#round;
    try {
      const { portfolios, share } = await this.get(PORTFOLIOS);
      const whole = await Promise.all(portfolios.map(({ id }) => this.get(addressOf(id))));
      if (round !== this.#round) return this.#newest;
      this.share.set(share);
      this.#tell(whole);
      this.#change((store) => store.keepOnly([PORTFOLIOS, HEARTS, ...whole.flatMap(({ id, galleries = [] }) =>
        galleries.map((one) => galleryAt(id, one.id)))]));
      this.#tellWhole();
      this.isLost.set(false);
    } catch (error) {
      if (round !== this.#round) return this.#newest;
      if (!isAway(error)) throw error;
      this.isLost.set(true);
      return false;
    }
    return this.#loadAll(round);
  }

  #tell(portfolios) {
    const named = (one) => (one.favourites ? { ...one, title: words.favourites } : one);
    this.portfolios.set(reusing(this.portfolios.peek(), portfolios.map((one) =>
      ({ ...one, galleries: one.galleries?.map(named) }))));
    this.#keep(PORTFOLIOS, portfolios);
    const listed = new Set(portfolios.flatMap(({ id, galleries = [] }) => galleries.map((one) => `${id}/${one.id}`)));
    const gone = [...this.#galleries.keys()].filter((name) => !listed.has(name));
    for (const name of gone) this.#galleries.delete(name);
    if (gone.length) this.turn.set(this.turn.peek() + 1);
  }

  async #loadAll(round) {
    for (const { id: portfolio, galleries = [] } of this.portfolios.peek()) {
      for (const { id } of galleries) {
        if (round !== this.#round) return this.#newest;
        await this.load(portfolio, id);
      }
    }
    this.#tellWhole();
    return true;
  }

  #tellWhole() {
    this.#list(); // before: the files of what is not listed would be removed
    this.isWhole.set(this.#hasAll());
  }

  #list() { this.#listed.set(this.turn.peek()); }

  #hasAll() {
    return this.portfolios.peek().every(({ id, galleries = [] }) => galleries.every((one) =>
      this.#galleries.get(`${id}/${one.id}`)?.changed === one.changed));
  }

  /**
   * The pictures of a gallery: as this device has them, or from the hub if they have changed, or if `isAnew`. Never
   * fails.
   */
  load(portfolio, id, isAnew = false) {
    const name = `${portfolio}/${id}`;
    const changed = this.gallery(portfolio, id)?.changed;
    if (this.#galleries.get(name)?.changed === changed && !isAnew) return Promise.resolve();
    const asked = this.#loading.get(name) ?? {};
    asked.turn = this.turn.peek();
    this.#loading.set(name, asked);
    asked.promise ??= this.#load(portfolio, id, changed, asked).catch(() => {}).finally(() =>
      this.#loading.delete(name));
    return asked.promise;
  }

  /**
   * Does it when no other list is on its way: on a slow line all would come too late. Strips in sight ask again at each
   * turn, and so go before those that were in sight earlier.
   */
  async #alone(asked, act) {
    if (this.#isOnWay) await new Promise((go) => { this.#line.push(Object.assign(asked, { go })); });
    this.#isOnWay = true;
    try {
      await act();
    } finally {
      const next = this.#line.sort((one, other) => other.turn - one.turn).shift();
      this.#isOnWay = Boolean(next);
      next?.go();
    }
  }

  async #load(portfolio, id, changed, asked) {
    const address = galleryAt(portfolio, id);
    const name = `${portfolio}/${id}`;
    if (!this.#galleries.has(name)) {
      const kept = await soon(this.#store.answer(address));
      if (kept) this.#show(name, kept);
      if (kept && kept.changed === changed) return;
    }
    await this.#alone(asked, () => this.#fetch(portfolio, id, changed));
  }

  async #fetch(portfolio, id, changed) {
    const address = galleryAt(portfolio, id);
    const found = { changed };
    const pictures = new Map(); // each once: where the last picture of a page has gone, the hub begins anew
    let next;
    do {
      const query = next === undefined ? '' : `?after=${encodeURIComponent(next)}`;
      const answer = await this.get(address + query);
      // The first page's number: after a change that came while the others were read, all is read once more.
      if (next === undefined) found.changed = answer.gallery.changed ?? changed;
      for (const one of answer.pictures) pictures.set(one.id, one);
      next = answer.next;
    } while (next !== undefined && next !== null);
    found.places = [...pictures.keys()];
    found.pictures = inOrder([...pictures.values()], this.gallery(portfolio, id)?.cover?.id);
    this.#show(`${portfolio}/${id}`, found);
    this.#keep(address, found);
  }

  #show(name, found) {
    this.#galleries.set(name, found);
    this.turn.set(this.turn.peek() + 1);
    if (!this.#soon.has('known')) this.#list();
    this.#soonOnce('known', () => this.#list());
  }

  /** An event of a portfolio's channel. */
  heard(portfolio, name, data) {
    const before = this.portfolios.peek() ?? [];
    const change = (made) => this.#tell(before.map((one) => (one.id === portfolio ? made(one) : one)));
    if (name === 'portfolio') {
      const old = this.portfolio(portfolio)?.sync;
      const isOver = data.sync && data.sync.state !== 'running'
        && (old?.state === 'running' || old?.at !== data.sync.at);
      change((one) => ({ ...one, ...data }));
      if (isOver) this.#refreshSoon(); // galleries may have come, gone, or changed their places
    } else if (name === 'gone' || name === 'galleries') {
      this.refresh().catch(() => {});
    } else if (name === 'gallery') {
      if (!this.gallery(portfolio, data.id)) return this.#refreshSoon();
      change((one) => ({ ...one, galleries: one.galleries.map((old) => (old.id === data.id ? data : old)) }));
      this.#loadSoon(portfolio, data.id);
    } else if (name === 'sent') {
      this.onSent(portfolio);
    }
  }

  /** While the hub fetches a gallery each picture is told: the gallery is asked for once in a while. */
  #loadSoon(portfolio, id) { this.#soonOnce(`${portfolio}/${id}`, () => this.load(portfolio, id)); }

  /** A first sync tells many galleries that are not known yet: the list is asked for once in a while. */
  #refreshSoon() { this.#soonOnce(PORTFOLIOS, () => this.refresh().catch(() => {})); }

  #soonOnce(name, act) {
    if (this.#soon.has(name)) return;
    this.#soon.add(name);
    this.after(() => {
      this.#soon.delete(name);
      act();
    }, SOON);
  }
}
