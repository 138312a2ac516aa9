// A hub with one album, for tests in Node: its answers, its socket, and time that passes when told to.

import { Clock } from './clock.mjs';

/** A localStorage in memory. */
export function storage() {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => { kept.set(key, value); },
    removeItem: (key) => { kept.delete(key); },
  };
}

export const answer = (status, body, headers = {}) => ({
  status, ok: status >= 200 && status < 300, headers: new Headers(headers), json: async () => structuredClone(body),
});

export class AlbumHub {
  clock = new Clock();
  origin = 'http://hub';
  isHidden = false;
  id = 'album-of-tests';
  asked = [];
  sockets = [];
  refusal = null; // [status, code] of every answer
  isCut = false;
  isDeleted = false; // the album, so that its link leads nowhere
  isBox = false; // its guests only send
  isBusy = false; // too many have asked where links lead
  cookie = null; // what joining has answered, by the cookie that this browser has of it
  isClosed = false; // the album
  busy = 0; // answers about the album and its pictures that are refused, since too many ask
  commit = 1;
  kept = new Map();
  recall = async (key) => this.kept.get(key);
  keep = async (key, body, isMine) => { this.kept.set(key, { body: structuredClone(body), isMine }); };
  forget = async (key) => { this.kept.delete(key); };

  constructor({ pictures = 0, isMute = false, isFamily = false } = {}) {
    this.isMute = isMute;
    this.rows = Array.from({ length: pictures }, (_, index) => this.row(index + 1));
    this.me = { id: 'g1', name: null, role: 'guest', state: isFamily ? 'asked' : 'in' };
  }

  row(number) {
    return { id: `p${number}`, state: 'shown', by: { id: 'g2', name: 'Ben' }, mine: false, hearted: false, hearts: 0 };
  }

  /** An album that was joined, and follows this hub. */
  async inside(Album) {
    const album = new Album({ id: this.id, token: 'album_t', secret: 'inside', name: 'Tests' }, this);
    album.start();
    return album;
  }

  fetch = async (address, { method, headers, body }) => {
    const [path, query] = address.replace(`/api/v1/albums/${this.id}`, '').replace('/api/v1/albums', '').split('?');
    this.asked.push({ method, path, query, headers, body: body && JSON.parse(body) });
    if (this.isCut) throw new TypeError('no network');
    if (path === '/look' && this.isBusy) return answer(429, { code: 42900, error: 'too many' });
    if (path === '/look' && this.isDeleted) return answer(404, { code: 40468, error: 'no such link' });
    if (path === '/look') return answer(200, { id: this.id, name: 'Tests', state: this.isClosed ? 'closed' : 'open' });
    if (this.refusal) return answer(this.refusal[0], { code: this.refusal[1], error: 'no' });
    if (path === '/me/token') return this.cookie ? answer(200, this.cookie) : answer(204);
    if (path === '/join') {
      return answer(201, { token: 'album_t', album: { id: this.id, name: 'Tests' }, state: this.me.state });
    }
    if (path === '/realtime/auth') {
      return this.#isHeard ? answer(200, { auth: 'key:sign' }) : answer(403, { code: 40301 });
    }
    if (method === 'GET' && this.busy > 0) {
      this.busy -= 1;
      return answer(503, { code: 50300, error: 'busy' });
    }
    if (path === '/pictures') return this.#pictures(new URLSearchParams(query));
    const row = this.rows.find(({ id }) => path === `/pictures/${id}`);
    if (row && method === 'GET') return answer(200, row);
    if (path.startsWith('/pictures/') && method === 'GET') return answer(404, { code: 40466, error: 'none' });
    if (path === '') {
      const live = { channel: this.#isHeard ? `private-albums-${this.id}` : null };
      return answer(200, { id: this.id, name: 'Tests', state: 'open', me: this.me, live });
    }
    return answer(204);
  };

  get #isHeard() { return this.me.state === 'in' && !this.isBox; }

  #pictures(query) {
    const from = query.get('after') ? this.rows.findIndex(({ id }) => id === query.get('after')) + 1 : 0;
    const asked = query.get('mine') ? this.rows.filter(({ mine }) => mine) : this.rows;
    const rows = asked.slice(from, from + Number(query.get('limit')));
    const isLast = from + rows.length >= asked.length;
    return answer(200, { pictures: rows, commit: this.commit, ...(isLast ? {} : { next: rows.at(-1).id }) });
  }

  open = () => {
    const socket = { send: (text) => this.#heard(socket, JSON.parse(text)), close() {} };
    this.sockets.push(socket);
    if (!this.isMute) {
      const welcome = { socket_id: '1.2', activity_timeout: 30 };
      setImmediate(() => this.#tell(socket, 'pusher:connection_established', welcome));
    }
    return socket;
  };

  #heard(socket, { event, data }) {
    if (event === 'pusher:subscribe') {
      setImmediate(() => this.#tell(socket, 'pusher_internal:subscription_succeeded', {}, data.channel));
    }
  }

  #tell(socket, event, data, channel, commit) {
    socket.onmessage?.({ data: JSON.stringify({ event, data: JSON.stringify(data), channel, commit }) });
  }

  /** An event of the album's channel. */
  say(name, data) {
    this.commit += 1;
    this.#tell(this.sockets.at(-1), name, data, `private-albums-${this.id}`, this.commit);
  }

  /** The album's channel ends for this page. */
  refuse() { this.#tell(this.sockets.at(-1), 'pusher:subscription_error', {}, `private-albums-${this.id}`); }

  /** The connection ends. */
  cut() { this.sockets.at(-1).onclose({ code: 1006 }); }
}
