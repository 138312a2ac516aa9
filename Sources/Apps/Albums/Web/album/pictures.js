// The pictures of an album, in the order in which they arrived. Pure: the hub's lists and events are passed in. Both
// carry the number of the change that they are of, so that an older one never replaces a newer one.

const PUBLIC = ['shown', 'making'];
// Fields that differ from person to person: events leave them out, so what is known of them stays.
const OWN = ['mine', 'hearted', 'original', 'name', 'bytes', 'taken'];

/** True for one's own picture of which the channel tells no more than that it has changed. */
export const isSecret = ({ state }) => state === 'waiting' || state === 'hidden';

export class Pictures {
  /** The guest or person who looks, as `by.id` of their pictures. */
  me = null;
  /** True for a host, who also sees what cannot be shown. */
  isHost = false;
  #all = new Map();
  #commits = new Map(); // the change that each picture is known as of
  #gone = new Map(); // the change that removed one, or by a guest's id all of theirs
  #pass = null;
  #since = new Map(); // fields that have changed since a page of the list was asked for, by the pictures' ids

  /** A copy, for signals: a Map of pictures by their ids. */
  get all() { return new Map(this.#all); }

  get size() { return this.#all.size; }

  get(id) { return this.#all.get(id); }

  /** A new connection: the hub may have restarted, and its numbers begin anew. */
  begin() {
    this.#commits.clear();
    this.#gone.clear();
  }

  /** An event of the album's channel. Returns true if it changed something. */
  take(name, data, commit = 0) {
    if (name === 'picture' || name === 'changed') return this.#put(data, commit);
    if (name === 'gone') return data.by ? this.#removeAll(data.by, commit) : this.#remove(data.id, commit);
    if (name === 'hearts') return this.change(data.id, { hearts: data.hearts });
    if (name === 'named') return this.#call(data);
    return false;
  }

  #put(picture, commit) {
    const { id } = picture;
    if (commit && (commit < (this.#commits.get(id) ?? 0) || commit < this.#goneAt(picture))) return false;
    const before = this.#all.get(id);
    const mine = before?.mine ?? (this.me !== null && picture.by?.id === this.me);
    const isSeen = mine || PUBLIC.includes(picture.state) || (this.isHost && picture.state === 'failed');
    if (!isSeen) return this.#remove(id, commit);
    const own = Object.fromEntries(OWN.filter((one) => before?.[one] !== undefined).map((one) => [one, before[one]]));
    this.#all.set(id, { ...picture, ...own, mine });
    this.#commits.set(id, commit);
    this.#gone.delete(id);
    return true;
  }

  #remove(id, commit) {
    if (commit && commit < (this.#commits.get(id) ?? 0)) return false;
    this.#gone.set(id, commit);
    return this.#all.delete(id);
  }

  #removeAll(by, commit) {
    this.#gone.set(by, commit);
    return [...this.#all.values()].filter((one) => one.by?.id === by)
      .filter(({ id }) => this.#remove(id, commit)).length > 0;
  }

  #goneAt({ id, by }) { return Math.max(this.#gone.get(id) ?? 0, this.#gone.get(by?.id) ?? 0); }

  /** Gives all pictures of somebody their new name. */
  #call({ id, name }) {
    const theirs = [...this.#all.values()].filter(({ by }) => by?.id === id && by.name !== name);
    for (const one of theirs) this.#all.set(one.id, { ...one, by: { ...one.by, name } });
    return theirs.length > 0;
  }

  /** Changes fields of a picture by what this page has done itself, such as a heart. */
  change(id, fields) {
    const before = this.#all.get(id);
    if (!before) return false;
    this.#all.set(id, { ...before, ...fields });
    this.#since.set(id, { ...this.#since.get(id), ...fields });
    return true;
  }

  /** A page of the hub's list is asked for: it knows nothing of what changes from now on. */
  asking() { this.#since.clear(); }

  /** One page of the hub's list, as of a change. A pass over all pages begins with `isFirst`. */
  page(rows, commit = 0, isFirst = false) {
    if (isFirst || !this.#pass) this.#pass = { seen: new Set(), commit };
    this.#pass.commit = Math.min(this.#pass.commit, commit);
    for (const row of rows) {
      if (commit && this.#goneAt(row) > commit) continue;
      this.#pass.seen.add(row.id);
      const isNewer = commit && (this.#commits.get(row.id) ?? 0) > commit;
      const before = this.#all.get(row.id);
      const own = Object.fromEntries(OWN.filter((one) => row[one] !== undefined).map((one) => [one, row[one]]));
      const next = { ...(isNewer ? { ...before, ...own } : row), ...this.#since.get(row.id) };
      if (JSON.stringify(before) !== JSON.stringify(next)) this.#all.set(row.id, next);
      if (!isNewer) this.#commits.set(row.id, commit);
    }
  }

  /** The pass has seen the last page: what was in none of them is gone, unless it came since. */
  end() {
    const { seen, commit } = this.#pass ?? { seen: new Set(), commit: 0 };
    this.#pass = null;
    const since = [...this.#all].filter(([id]) => !seen.has(id) && (this.#commits.get(id) ?? 0) > commit);
    this.#all = new Map([...[...seen].map((id) => [id, this.#all.get(id)]).filter(([, one]) => one), ...since]);
  }
}
