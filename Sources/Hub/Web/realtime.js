// Subscribes to a channel of the hub, and to others over the same connection, with the Pusher Channels protocol
// (version 7), and reconnects by itself.
//
// A WebSocket stays "open" for a long time when the network is cut, so the connection must show signs of life: after
// `activity_timeout` of silence it sends a ping, and without an answer in time it counts as lost. Users of this class
// must fetch the current state at each `live`, since missed events are not sent again.

/**
 * Limits, in milliseconds. The protocol permits 120 s of silence and 30 s for an answer, which is too long for a sign
 * that says "live".
 */
export const LIMITS = {
  activity: 30_000, // silence before a ping, unless the hub demands less
  pong: 10_000, // for its answer
  connect: 10_000, // from opening the socket to the subscription
  check: 5_000, // for the answer when somebody looks at the page right now
  firstRetry: 1_000,
  lastRetry: 30_000, // the backoff doubles from the first to the last
  steady: 10_000, // a connection that lasted so long resets the backoff
};

/** The real clock; tests pass their own. */
export const realClock = {
  now: () => Date.now(),
  after: (ms, run) => setTimeout(run, ms),
  cancel: (timer) => clearTimeout(timer),
};

/** Requests the signature for a private channel from the hub; throws if it refuses. */
async function authorise(socketID, channel) {
  const response = await fetch('/api/v1/realtime/auth', {
    method: 'POST',
    body: new URLSearchParams({ socket_id: socketID, channel_name: channel }),
    signal: AbortSignal.timeout(LIMITS.connect),
  });
  if (!response.ok) throw Object.assign(new Error(`no signature: ${response.status}`), { status: response.status });
  return (await response.json()).auth;
}

/**
 * One channel's connection. `onstatus(status)` is called with 'connecting', 'live', 'lost' (reconnecting) or 'refused'
 * (the hub said not to come back); `onevent(name, data, commit)` with each event of the channel and its change's
 * number.
 */
export class Live {
  status = 'idle';
  heardAt = 0; // when the hub last sent something
  #socket = null;
  #timer = null; // for the one thing waited for: subscription, silence, a pong, or the next attempt
  #limits = LIMITS;
  #failures = 0;
  #liveSince = null;
  #socketID = null;
  #others = new Map(); // the sets of further listeners, by channel
  #agreed = new Set(); // of these channels, those that the hub has confirmed on this connection

  constructor({ url, channel, onstatus = () => {}, onevent = () => {},
                open = (address) => new WebSocket(address), clock = realClock, random = Math.random,
                sign = authorise }) {
    Object.assign(this, { url, channel, onstatus, onevent, open, clock, random, sign });
  }

  /**
   * Subscribes to another channel over the same connection, to a private one with the signed-in person's signature.
   * `onlive` is called each time the subscription is established: then is the time to fetch missed changes. `onrefused`
   * is called when the hub refuses or ends it. A channel may have several listeners. Returns a function that ends it.
   */
  listen(channel, { onevent = () => {}, onlive = () => {}, onrefused = () => {} } = {}) {
    const other = { onevent, onlive, onrefused };
    const all = this.#others.get(channel);
    if (all) {
      all.add(other);
      if (this.#agreed.has(channel)) onlive();
    } else {
      this.#others.set(channel, new Set([other]));
      if (this.status === 'live') this.#subscribe(channel);
    }
    return () => {
      const left = this.#others.get(channel);
      if (!left?.delete(other) || left.size > 0) return; // refused, or somebody else listens, too
      this.#others.delete(channel);
      this.#agreed.delete(channel);
      if (this.status === 'live') this.#send('pusher:unsubscribe', { channel });
    };
  }

  async #subscribe(channel, tries = 0) {
    const [socket, all] = [this.#socket, this.#others.get(channel)];
    const isWanted = () => this.#socket === socket && this.#others.get(channel) === all;
    let auth;
    if (channel.startsWith('private-')) {
      try {
        auth = await this.sign(this.#socketID, channel);
      } catch ({ status }) {
        // Only a refusal is final. A busy hub, or a network that fails, is asked again: this line may last for hours.
        if (status < 500 && status !== 429) this.#refused(channel);
        else {
          this.clock.after(retryDelay(null, tries, this.random), () => {
            if (isWanted()) this.#subscribe(channel, tries + 1);
          });
        }
        return;
      }
      if (!isWanted()) return;
    }
    this.#send('pusher:subscribe', { channel, auth });
  }

  #refused(channel) {
    const all = this.#others.get(channel) ?? [];
    this.#others.delete(channel);
    this.#agreed.delete(channel);
    for (const { onrefused } of all) onrefused();
  }

  start() {
    if (this.status === 'idle' || this.status === 'refused') this.#connect();
  }

  stop() {
    this.#hangUp();
    this.#become('idle');
  }

  /** Checks the connection at once, when it may have been cut unnoticed, or may be possible again. */
  check(limit = LIMITS.check) {
    if (this.status === 'live') this.#ping(limit);
    else if (this.status === 'lost' && !this.#socket) this.#connect();
  }

  #become(status) {
    if (status === this.status) return;
    this.status = status;
    this.onstatus(status);
  }

  #wait(ms, run) {
    this.clock.cancel(this.#timer);
    this.#timer = this.clock.after(ms, run);
  }

  #connect() {
    this.#hangUp();
    if (this.status !== 'lost') this.#become('connecting'); // while lost, an attempt is not shown until it succeeds
    let socket;
    try {
      socket = this.open(this.url);
    } catch { // a browser may refuse at once, for instance ws: from an https: page
      this.#lost(null);
      return;
    }
    this.#socket = socket;
    // An abandoned socket may still have events: only the current one counts.
    const ours = (run) => (event) => { if (this.#socket === socket) run(event); };
    socket.onmessage = ours(({ data }) => this.#heard(data));
    socket.onclose = ours(({ code }) => this.#lost(code));
    socket.onerror = () => {}; // a close event always follows
    this.#wait(LIMITS.connect, () => this.#lost(null));
  }

  #hangUp() {
    this.#agreed.clear();
    this.clock.cancel(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    try { socket?.close(); } catch { /* it was never open */ }
  }

  #send(event, data) {
    try {
      this.#socket.send(JSON.stringify({ event, data }));
    } catch { // closing already: the running timer will notice
    }
  }

  #ping(limit) {
    this.#send('pusher:ping', {});
    this.#wait(limit, () => this.#lost(null));
  }

  #heard(text) {
    const message = parse(text);
    if (!message || typeof message.event !== 'string') return;
    this.heardAt = this.clock.now();
    if (this.status === 'live') this.#listen();
    const data = typeof message.data === 'string' ? parse(message.data) : message.data;
    switch (message.event) {
      case 'pusher:connection_established': {
        const asked = Number(data?.activity_timeout) * 1000;
        this.#limits = { ...LIMITS, activity: asked > 0 ? Math.min(asked, LIMITS.activity) : LIMITS.activity };
        this.#socketID = data?.socket_id;
        this.#send('pusher:subscribe', { channel: this.channel });
        break;
      }
      case 'pusher_internal:subscription_succeeded':
        if (message.channel !== this.channel) {
          if (!this.#others.has(message.channel)) break;
          this.#agreed.add(message.channel);
          for (const { onlive } of [...this.#others.get(message.channel)]) onlive();
          break;
        }
        this.#liveSince = this.heardAt;
        this.#listen();
        this.#become('live');
        for (const channel of this.#others.keys()) this.#subscribe(channel);
        break;
      case 'pusher:subscription_error':
        this.#refused(message.channel);
        break;
      case 'pusher:ping':
        this.#send('pusher:pong', {});
        break;
      default:
        if (message.channel === this.channel) this.onevent(message.event, data, message.commit);
        else {
          for (const { onevent } of [...this.#others.get(message.channel) ?? []]) {
            onevent(message.event, data, message.commit);
          }
        }
    }
  }

  #listen() {
    this.#wait(this.#limits.activity, () => this.#ping(this.#limits.pong));
  }

  #lost(code) {
    this.#hangUp();
    if (this.#liveSince !== null && this.clock.now() - this.#liveSince >= LIMITS.steady) this.#failures = 0;
    this.#liveSince = null;
    if (code >= 4000 && code <= 4099) {
      this.#become('refused');
      return;
    }
    const delay = retryDelay(code, this.#failures, this.random);
    this.#failures += 1;
    this.#become('lost');
    this.#wait(delay, () => this.#connect());
  }
}

/**
 * Milliseconds until the next attempt, after `failures` in a row and a connection that ended with `code` (null: without
 * one).
 */
export function retryDelay(code, failures, random = Math.random) {
  // At once, but not repeatedly.
  if (code >= 4200 && code <= 4299 && failures === 0) return 0;
  const backoff = Math.min(LIMITS.firstRetry * 2 ** failures, LIMITS.lastRetry);
  const jittered = backoff * (0.5 + random() / 2); // so that a hundred pages do not reconnect at the same instant
  return code >= 4100 && code <= 4199 ? Math.max(1_000, jittered) : jittered;
}

function parse(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}
