// The hosts' knowledge of an album beside its shown pictures, fetched when it is looked at and when it has changed.

import { effect, ending, signal } from '/ui.js';
import { reusing } from '/session.js';
import { halves } from '/albums/album/gallery/halves.js';
import { pagesOf } from '/albums/album/paging.js';
import { CODES } from '/albums/album/states.js';
import { answered, dropped, empty, listed, undone } from '/albums/host/undo.js';

export const LISTED = 5_000; // pictures of one list
const SOON = 800; // milliseconds after an event, since several come together
const AGAIN = 5_000; // milliseconds until what the hub has not answered is asked for again

/** The parts that an event of the album changes. Also pictures that wait take room, and have somebody who sent them. */
const CONCERNED = {
  waiting: ['waiting', 'people', 'storage', 'hidden'],
  people: ['people'],
  picture: ['people', 'storage', 'hidden'],
  gone: ['people', 'storage', 'hidden'],
  changed: ['storage', 'hidden'],
};

export class Hosting {
  /** Pictures that wait: see undo.js. */
  queue = signal(empty);
  hidden = signal(undefined);
  removed = signal(undefined);
  people = signal(undefined);
  storage = signal(undefined);
  /** True if more are hidden, or were removed, than are listed. */
  isCut = signal(false);
  #timers = new Map();
  #pages;

  constructor(album) {
    this.album = album;
    this.#pages = pagesOf(album);
  }

  /**
   * {pictures, isCut}: those of a state, the oldest first. A live photo is one, and what is done to it is done to its
   * film.
   */
  async #pictures(state) {
    const found = [];
    let isCut = false;
    for await (const { pictures, next } of this.#pages(`state=${state}&`)) {
      found.push(...pictures);
      isCut = found.length >= LISTED && Boolean(next);
      if (isCut) break;
    }
    const { hidden: films } = halves(found);
    return { pictures: found.filter(({ id }) => !films.has(id)), isCut };
  }

  readWaiting = async () => {
    const { pictures } = await this.#pictures('waiting'); // more come when these are answered
    const before = this.queue.peek();
    this.queue.set(listed(before, reusing(before.waiting, pictures), Date.now()));
  };

  readHidden = async () => {
    const [hidden, removed] = await Promise.all(['hidden', 'removed'].map((state) => this.#pictures(state)));
    this.hidden.set(reusing(this.hidden.peek(), hidden.pictures.reverse()));
    this.removed.set(reusing(this.removed.peek(), removed.pictures.reverse()));
    this.isCut.set(hidden.isCut || removed.isCut);
  };

  readPeople = async () => { this.people.set((await this.album.ask('GET', '/people')).people); };

  readStorage = async () => { this.storage.set(await this.album.ask('GET', '/storage')); };

  /** Asks soon, and again for what the hub does not answer, which stays as it is: with no line, once there is one. */
  #soon(name, act, wait = SOON) {
    if (this.#timers.has(name)) return;
    this.#timers.set(name, setTimeout(() => {
      this.#timers.delete(name);
      act().catch(({ status }) => {
        const isLater = !(status < 500) || status === 429;
        if (isLater && this.album.line() === 'live') this.#soon(name, act, AGAIN);
      });
    }, wait));
  }

  /** Stays up to date by the album's events. */
  follow() {
    const { album } = this;
    const parts = {
      waiting: this.readWaiting, people: this.readPeople, storage: this.readStorage, hidden: this.readHidden,
    };
    for (const [name, concerned] of Object.entries(CONCERNED)) {
      ending(album.on(name, (data) => {
        for (const one of concerned) this.#soon(one, parts[one]);
        if (data?.by) this.#soon('waiting', this.readWaiting); // all of somebody is gone
      }));
    }
    const all = () => this.#soon('all', () => Promise.all(Object.values(parts).map((read) => read())));
    this.readWaiting().catch(() => {}); // seen first; the rest comes a moment later
    all();
    effect(() => { if (album.line() === 'live') all(); });
  }

  /**
   * Says 'shown' or 'hidden' of a picture that waits; the page goes on to the next at once. What another host has said
   * meanwhile stays.
   */
  async answer(picture, state) {
    const before = this.queue.peek();
    this.queue.set(answered(before, picture.id, state, Date.now()));
    try {
      const now = await this.album.ask('PATCH', `/pictures/${picture.id}`, { state, was: 'waiting' });
      if (state === 'shown') this.album.lookAt(picture.id);
      if ((now.state === 'hidden') !== (state === 'hidden')) this.queue.set(dropped(this.queue.peek(), picture.id));
    } catch (error) {
      const after = error.code === CODES.noPicture ? dropped : undone;
      this.queue.set(after(this.queue.peek(), picture.id));
      throw error;
    }
  }

  /** Shows all that wait now, but for those that their guests take back meanwhile. */
  async showAll() {
    await this.#each(this.queue.peek().waiting, (picture) => this.answer(picture, 'shown'));
  }

  /** Takes the answer to a picture back. */
  async undo(picture) {
    await this.album.ask('PATCH', `/pictures/${picture.id}`, { state: 'waiting' });
    this.queue.set(undone(this.queue.peek(), picture.id));
  }

  async show(picture) {
    await this.album.ask('PATCH', `/pictures/${picture.id}`, { state: 'shown' });
    await this.#told(picture);
  }

  /** Hides what is shown of these pictures, one after the other; `hid(id)` is called for each that it has hidden. */
  async hideAll(ids, hid) {
    const all = this.album.pictures.peek();
    const shown = ids.filter((id) => !['hidden', 'waiting'].includes(all.get(id)?.state));
    await this.#each(shown, (id) => this.album.ask('PATCH', `/pictures/${id}`, { state: 'hidden' })
      .then(() => hid(id)));
  }

  /** Shows pictures again, unless somebody has said otherwise meanwhile. */
  async showAgain(ids) {
    await this.#each(ids, (id) => this.album.ask('PATCH', `/pictures/${id}`, { state: 'shown', was: 'hidden' })
      .then(() => this.album.lookAt(id)));
  }

  /** Passes over those that are gone. */
  async #each(ids, act) {
    for (const id of ids) await act(id).catch((error) => { if (error.code !== CODES.noPicture) throw error; });
  }

  async restore(picture) {
    await this.album.ask('POST', `/pictures/${picture.id}/restore`);
    await this.#told(picture);
  }

  /** Of what hosts alone see, such as raw files, no event tells that it is there. */
  #told({ id }) { return Promise.all([this.album.lookAt(id), this.readHidden()]); }

  async remove(picture) {
    await this.album.remove(picture.id);
    await this.readHidden();
  }

  /** Deletes for good what was removed, which frees its room; another host may have done so before. */
  async deleteForGood(pictures) {
    try {
      await this.#each([pictures].flat(), ({ id }) => this.album.ask('DELETE', `/pictures/${id}`));
    } finally {
      await Promise.all([this.readHidden(), this.readStorage()]);
    }
  }

  /** Restores several; cut in the middle, the others are still among those that were removed. */
  async restoreAll(pictures) {
    try {
      await this.#each(pictures, ({ id }) => this.album.ask('POST', `/pictures/${id}/restore`));
    } finally {
      await Promise.all([this.album.refresh(), this.readHidden()]);
    }
  }

  /** Changes what somebody is here: {state} or {role}; or {pictures: 'removed'}, which takes out all of theirs. */
  async person(id, changed) {
    await this.album.ask('PATCH', `/people/${id}`, changed);
    await this.readPeople();
  }

  async change(options) {
    await this.album.ask('PATCH', '', options);
    await this.album.refreshDetails();
  }
}
