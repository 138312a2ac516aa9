/** Time that advances only when told to. */
export class Clock {
  time = 1_000_000;
  waiting = [];

  now() { return this.time; }

  after(ms, run) {
    const timer = { at: this.time + ms, run };
    this.waiting.push(timer);
    return timer;
  }

  cancel(timer) { this.waiting = this.waiting.filter((one) => one !== timer); }

  pass(ms) {
    const until = this.time + ms;
    for (;;) {
      const next = this.waiting.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.at);
      this.cancel(next);
      next.run();
    }
    this.time = until;
  }
}

/** Time for modules that are given a `clock`: `pass(ms)` lets their timers, and the promises after each, go on. */
export function virtual() {
  const it = { time: 0, timers: [] };
  const settle = async () => { for (let n = 0; n < 20; n += 1) await Promise.resolve(); };
  it.clock = {
    now: () => it.time,
    after: (ms, act) => {
      const timer = { at: it.time + ms, act };
      it.timers.push(timer);
      return () => { it.timers = it.timers.filter((one) => one !== timer); };
    },
  };
  it.pass = async (ms) => {
    const end = it.time + ms;
    await settle();
    for (;;) {
      const [next] = it.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      it.timers = it.timers.filter((one) => one !== next);
      it.time = next.at;
      next.act();
      await settle();
    }
    it.time = end;
    await settle();
  };
  return it;
}
