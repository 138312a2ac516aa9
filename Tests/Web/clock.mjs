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
