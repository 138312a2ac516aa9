// An album as its guests and hosts have it: joined by a secret, asked with their token, and kept up to date by the
// hub's live connection.
//
//   const album = openAlbum(secret);   // or memberAlbum(id), for somebody who is signed in
//   await album.join();                // state() was 'outside': becomes 'asked' or 'in'
//   album.start();                     // fetches, listens, and fetches again after each gap
//   album.pictures()                   // Map of pictures by id, in the order of their arrival

import { computed, signal } from '/ui.js';
import { forget, HubError, isAway, keepAnswer, recall, wasInside } from '/keep.js';
import { Live, realClock } from '/realtime.js';
import { seen } from '/albums/album/gallery/choosing.js';
import { forgetAlbum, keepAlbum, keptAlbum, keyOf, moveAlbum } from '/albums/album/kept.js';
import { pagesOf } from '/albums/album/paging.js';
import { isSecret, Pictures } from '/albums/album/pictures.js';
import { CODES, stateAfter } from '/albums/album/states.js';

export const ALBUMS = '/api/v1/albums';

/** The name under which a device keeps the list of a member's albums. */
export const KEPT = 'albums';

/** In milliseconds, and pictures. */
const LIMITS = {
  answer: 15_000, // for one answer of the hub
  waiting: 3_000, // between questions whether a host has said yes
  again: 15_000, // between questions while there is no live connection
  events: 150, // until what events tell is shown, since each change of the page looks at all pictures
  mine: 500, // until one's own pictures are asked for, since several change together
  people: 1_000, // until it is asked who has come, and up to so much later
  spread: 2_000,
  keep: 2_000, // until what has changed is kept
  kept: 300, // the newest pictures, shown without a network
};

/** The browser's parts that an album needs; tests pass their own. */
export const browser = {
  fetch: (...all) => fetch(...all),
  clock: realClock,
  open: (address) => new WebSocket(address),
  recall,
  // Another tab may have signed out.
  keep: (key, body, isMine) => { if (!isMine || wasInside()) keepAnswer(key, body, isMine); },
  forget,
  get origin() { return location.origin; },
  get isHidden() { return document.hidden; },
  get isInside() { return wasInside(); },
};

const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');

export class Album {
  /**
   * 'outside', 'asked', 'in', 'refused', 'removed', 'closed', 'gone', 'wrong' (no such secret) or 'signed-out' (a
   * member).
   */
  state = signal('outside');
  /** The hub's answer about the album, and the reader in it as `me`; undefined until known. */
  details = signal(undefined);
  pictures = signal(new Map());
  /** True once every picture was fetched. */
  isWhole = signal(false);
  /** The live connection: 'idle', 'connecting', 'live', 'lost' or 'refused'. */
  line = signal('idle');
  /** True while the hub does not answer. */
  isUnreachable = signal(false);
  /** The entry kept on this device: {id, name, token, secret, role, isMembers}. */
  entry = signal(undefined);
  mine = computed(() => [...this.pictures().values()].filter((one) => one.mine));

  #world;
  #model = new Pictures();
  #isTelling = false;
  #timer = null;
  #live = null;
  #listeners = [];
  #reading = null;
  #hears = false; // the album's channel is agreed on; guests who see their own pictures alone have none
  #asked = 0; // the number of the latest question for the details, and of the latest that was answered
  #answered = 0;
  #listens = null; // the connection over which the album's channel was asked for, and not refused
  #isStale = false;
  #isBehind = false; // what was asked for did not come: #tick asks again
  #joinKey = randomKey();
  #removing = new Set(); // pictures that this page takes out itself
  #pages = pagesOf(this);
  #asking = () => this.#model.asking();
  #soon = new Map(); // timers by what they do

  constructor(entry, world = browser) {
    this.#world = world;
    this.secret = entry.secret;
    this.entry.set(entry);
    if (entry.id) this.state.set(entry.isAsked ? 'asked' : 'in');
  }

  get id() { return this.entry.peek().id; }
  get token() { return this.entry.peek().token; }
  get #key() { return keyOf(this.id); }

  /** The address of something below the album, such as '/pictures'. */
  address(path = '') { return `${ALBUMS}/${this.id}${path}`; }

  /** The header that says who asks; nobody who has a session needs it. */
  get authorization() { return this.token ? { Authorization: `Bearer ${this.token}` } : {}; }

  /** Asks the hub something below the album's address. Returns its answer, null for none; throws HubError. */
  async ask(method, path, body) {
    try {
      return await this.#fetch(method, this.address(path), body, this.authorization);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  async #fetch(method, address, body, headers = {}) {
    const response = await this.#world.fetch(address, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(LIMITS.answer),
    }).catch((error) => {
      this.isUnreachable.set(true);
      throw error;
    });
    const answer = response.status === 204 ? null : await response.json().catch((error) => {
      if (response.ok) throw error;
      return undefined;
    });
    this.isUnreachable.set(!response.ok && !answer?.code); // then it is of what stands before the hub
    if (!response.ok) throw new HubError(response.status, answer);
    return answer;
  }

  /** An answer that says that this device is not in the album, unless it has just left, or that there is none. */
  async #failed(error) {
    let next = stateAfter(error, this.state.peek(), Boolean(this.token));
    if (!next || next === this.state.peek() || (error.code === CODES.left && this.state.peek() === 'outside')) return;
    if (error.code === CODES.unknownToken) {
      const isThere = await this.isThere();
      if (isThere === null) this.#isBehind = true;
      if (isThere === null || !['in', 'asked'].includes(this.state.peek())) return;
      if (isThere) next = this.entry.peek().isMembers ? 'signed-out' : 'removed';
    }
    if (next !== 'asked') this.#notLater('keep');
    this.stop();
    if (next !== 'asked') this.#world.forget(this.#key);
    if (next === 'signed-out') forgetAlbum(this.secret); // it would let in whoever has the device now
    this.state.set(next);
  }

  /** Whether the link leads to an album; null while the hub does not tell, as when everybody asks at once. */
  async isThere() {
    try {
      await this.#look();
      return true;
    } catch (error) {
      if (error.code === CODES.noLink) return false;
      return isAway(error) || error.status === 429 ? null : true;
    }
  }

  #look() { return this.#fetch('POST', `${ALBUMS}/look`, { secret: this.secret }); }

  /** The album's name and how it is joined, before joining: {name, mode, passphrase, …}; null if the hub tells none. */
  async look() {
    try {
      const found = await this.#look();
      moveAlbum(this, found.id, this.secret); // whoever has joined by an earlier link is in as they were
      if (!this.id) await this.#comeBack(found.id);
      if (!this.id && found.state === 'closed') this.state.set('closed');
      return found;
    } catch (error) {
      this.#refused(error);
      return null;
    }
  }

  #refused(error) { this.state.set(stateAfter(error, 'outside') ?? this.state.peek()); }

  /**
   * Joins; a name and the passphrase only if there are any. Asked again after a lost answer, it joins once; whoever was
   * refused or has left meanwhile joins anew.
   */
  async join(fields = {}) {
    let answer;
    try {
      answer = await this.#fetch('POST', `${ALBUMS}/join`, { secret: this.secret, ...fields },
        { 'Idempotency-Key': this.#joinKey });
      this.#joinKey = randomKey();
    } catch (error) {
      if (!isAway(error)) this.#joinKey = randomKey();
      this.#refused(error);
      throw error;
    }
    this.#enter(answer, Boolean(this.#world.isInside));
  }

  /** Safari deletes what pages keep after seven days without a visit, but for the hub's cookie. */
  async #comeBack(id) {
    const answer = await this.#fetch('GET', `${ALBUMS}/${id}/me/token`).catch(() => null);
    if (answer) this.#enter(answer, false); // members have a session
  }

  #enter({ album, token, role = 'guest', state = 'in' }, isMembers) {
    this.#keep({ ...album, token, secret: this.secret, role, isMembers, isAsked: state === 'asked' });
    this.state.set(state);
  }

  #keep(fields) {
    this.entry.set({ ...this.entry.peek(), ...fields });
    if (this.secret) keepAlbum(this.entry.peek());
  }

  /** Leaves the album, with all that one has sent or without it, and forgets the album on this device. */
  async leave(isWithdrawing = false) {
    await this.ask('DELETE', isWithdrawing ? '/me?withdraw=true' : '/me');
    this.forget();
  }

  /** Forgets the album on this device. */
  forget() {
    this.#notLater('keep');
    this.stop();
    this.#world.forget(this.#key);
    forgetAlbum(this.secret);
    this.entry.set({ secret: this.secret });
    this.state.set('outside');
  }

  async rename(name) {
    await this.ask('PATCH', '/me', { name });
    await this.refreshDetails();
  }

  /** Gives or takes back a heart; shown at once, and taken back if the hub refuses. */
  async heart(id, isOn) {
    const before = this.#model.get(id);
    if (!before || Boolean(before.hearted) === isOn) return;
    this.change(id, { hearted: isOn, hearts: Math.max(0, (before.hearts ?? 0) + (isOn ? 1 : -1)) });
    try {
      await this.ask(isOn ? 'PUT' : 'DELETE', `/pictures/${id}/heart`);
    } catch (error) {
      this.change(id, { hearted: before.hearted, hearts: before.hearts });
      throw error;
    }
  }

  /** Takes a picture out of the album: one's own, or any as a host. Asked twice, nothing is deleted for good. */
  async remove(id) {
    this.#removing.add(id);
    try {
      await this.ask('DELETE', `/pictures/${id}?for_good=false`);
    } finally {
      this.#removing.delete(id);
    }
    this.#model.take('gone', { id });
    this.#tell();
  }

  /** Changes what is shown of a picture, ahead of the hub's event. */
  change(id, fields) { if (this.#model.change(id, fields)) this.#tell(); }

  /** Calls `act(data, commit)` at each event of that name on the album's channel; returns what ends that. */
  on(name, act) {
    const listener = { name, act };
    this.#listeners.push(listener);
    return () => { this.#listeners = this.#listeners.filter((one) => one !== listener); };
  }

  /** Fetches, and listens from now on. */
  start() {
    if (this.#live || !this.id) return;
    this.#live = new Live({
      url: `${this.#world.origin.replace('http', 'ws')}/app/eightbells?protocol=7&client=eightbells-page&version=1`,
      channel: 'me', // a connection begins with a public channel; this one has no events
      clock: this.#world.clock,
      open: this.#world.open,
      onstatus: (status) => {
        if (status !== 'live') this.#hears = false;
        this.line.set(status);
      },
      sign: (socketID, channel) => this.#sign(socketID, channel),
    });
    this.#live.start();
    this.#listen();
    this.#remember();
    this.refresh();
    this.#tick();
  }

  stop() {
    if (this.#notLater('keep')) this.#keepPictures();
    this.#notLater('mine');
    this.#notLater('people');
    this.#world.clock.cancel(this.#timer);
    this.#live?.stop();
    this.#live = null;
    this.line.set('idle');
  }

  /** Looks at once whether the connection still stands: somebody looks at the page again, or there is a network. */
  check() {
    this.#live?.check();
    if (this.#live && (this.line.peek() !== 'live' || this.#isBehind)) this.refresh();
  }

  async #sign(socketID, channel) {
    const fields = { socket_id: socketID, channel_name: channel };
    return (await this.#fetch('POST', this.address('/realtime/auth'), fields, this.authorization)).auth;
  }

  #listen() {
    const live = this.#live;
    if (!live || this.#listens === live) return;
    this.#listens = live;
    live.listen(`private-albums-${this.id}`, {
      onlive: () => {
        this.#hears = true;
        this.#model.begin();
        this.refresh();
      },
      onevent: (name, data, commit) => this.#heard(name, data ?? {}, commit),
      onrefused: async () => { // not let in yet, or guests see their own alone now; #tick asks until that changes
        this.#hears = false;
        await this.refresh();
        if (this.#listens === live) this.#listens = null;
      },
    });
  }

  #heard(name, data, commit) {
    const before = name === 'gone' && this.#model.get(data.id);
    if (this.#model.take(name, data, commit)) this.#later('events', () => this.#tell());
    // What is hidden, is raw or cannot be shown is still there for its own guest, and the latter for hosts.
    const mayStay = before && (before.mine || (before.state === 'making' && this.#model.isHost));
    if (mayStay && !this.#removing.has(data.id)) this.lookAt(data.id);
    if (name === 'waiting' && this.#model.get(data.id)?.mine) this.refreshMine();
    const readDetails = () => this.refreshDetails().catch(() => { this.#isBehind = true; });
    if (name === 'album') readDetails();
    // Somebody has come: five hundred pages do not all ask at once, nor about each.
    if (name === 'people') this.#later('people', readDetails, Math.random() * LIMITS.spread);
    for (const one of this.#listeners) if (one.name === name) one.act(data, commit);
  }

  /** Fetches one picture, if it is still there. */
  async lookAt(id) {
    const row = await this.ask('GET', `/pictures/${id}`).catch(() => null);
    if (row && !row.removed_at && this.#model.take('changed', row)) this.#tell();
  }

  /**
   * Asks for one's own pictures soon. Of one that waits for a host or is hidden nobody is told, and of what becomes of
   * it neither, unless it is shown.
   */
  refreshMine() { this.#later('mine', () => this.#readMine().catch(() => { this.#isBehind = true; })); }

  async #readMine() {
    const before = this.mine.peek().filter(isSecret);
    const there = new Set();
    for await (const { pictures, commit } of this.#pages('mine=1&', this.#asking)) {
      for (const one of pictures) {
        there.add(one.id);
        this.#model.take('changed', one, commit);
      }
    }
    for (const { id } of before) if (!there.has(id)) this.#model.take('gone', { id });
    this.#tell();
  }

  /** Does something once `LIMITS[name]` and `more` later, however often it is wished meanwhile. */
  #later(name, act, more = 0) {
    if (!this.#live || this.#soon.has(name)) return;
    this.#soon.set(name, this.#world.clock.after(LIMITS[name] + more, () => {
      this.#soon.delete(name);
      act();
    }));
  }

  /** True if it was to be done, and is not any more. */
  #notLater(name) {
    this.#world.clock.cancel(this.#soon.get(name));
    return this.#soon.delete(name);
  }

  /** What changes in one go is one change of the page. */
  #tell() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      this.pictures.set(this.#model.all);
      if (this.isWhole.peek()) this.#later('keep', () => this.#keepPictures());
    });
  }

  /** A guest who waits to be let in, or hears of nothing, asks from time to time. */
  #tick() {
    const isAsked = this.state.peek() === 'asked';
    this.#timer = this.#world.clock.after(isAsked ? LIMITS.waiting : LIMITS.again, () => {
      if (!this.#live) return;
      this.#tick();
      if (this.#world.isHidden) return;
      if (isAsked) this.refreshDetails().catch(() => {});
      else if (this.line.peek() !== 'live' || !this.#hears || this.#isBehind) this.refresh();
    });
  }

  /** Fetches what the album is, and who one is in it. */
  async refreshDetails() {
    const number = this.#asked += 1;
    const details = await this.ask('GET', '');
    if (number < this.#answered) return; // a later question was answered before
    this.#answered = number;
    const before = this.state.peek();
    this.#known(details);
    const { name, me } = details;
    if (name !== this.entry.peek().name || (me?.role && me.role !== this.entry.peek().role)) {
      this.#keep({ name, role: me?.role ?? 'guest' });
    }
    if (details.live?.channel) this.#listen();
    const now = me?.state ?? 'in';
    if (now === before) return;
    this.#keep({ isAsked: now === 'asked' });
    this.state.set(now);
    if (before === 'asked' && now === 'in' && this.#live) this.refresh();
  }

  /** Fetches everything; a second call while one is under way does it once more afterwards. Never fails. */
  refresh() {
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #read() {
    try {
      while (this.#isStale) {
        this.#isStale = this.#isBehind = false;
        await this.refreshDetails();
        if (this.state.peek() === 'in') await this.#readPictures();
      }
    } catch { // the state, or that the hub is not reached, says it
      this.#isStale = false;
      this.#isBehind = true;
    }
  }

  /** Shows what was there last, until the hub has answered. */
  async #remember() {
    const found = await this.#world.recall(this.#key);
    if (!found || this.details.peek() || this.state.peek() !== 'in') return;
    const { details, pictures } = found.body;
    this.#known(details);
    this.#model.page(pictures, 0, true);
    this.#tell();
  }

  #known(details) {
    this.#model.me = details.me?.id ?? null;
    this.#model.isHost = details.me?.role === 'host';
    this.details.set(details);
  }

  async #readPictures() {
    let isFirst = true;
    for await (const { pictures, commit, next } of this.#pages('', this.#asking)) {
      this.#model.page(pictures, commit, isFirst);
      isFirst = false;
      if (!next) this.#model.end();
      this.#tell();
    }
    this.isWhole.set(true);
    this.#later('keep', () => this.#keepPictures());
  }

  /**
   * Keeps the newest for a page without a network; of more, also how many there were. A member's end with the session.
   */
  #keepPictures() {
    const all = [...this.#model.all.values()];
    const details = this.details.peek();
    const counts = { ...details.counts, pictures: all.length > LIMITS.kept ? seen(all).length : null };
    const pictures = all.slice(-LIMITS.kept);
    const isMine = !this.token || Boolean(this.entry.peek().isMembers);
    this.#world.keep(this.#key, { details: { ...details, counts }, pictures }, isMine);
  }
}

/** The album with this secret, with what this device keeps of it. */
export const openAlbum = (secret, world) => new Album(keptAlbum(secret) ?? { secret }, world);

/** An album of somebody who is signed in on this device. */
export const memberAlbum = (id) => new Album({ id, role: 'host' });
