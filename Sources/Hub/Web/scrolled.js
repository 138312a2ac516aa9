// How far a page was scrolled, kept with its entry in the history. After a way back, and after a reload, the browser
// looks for that place while the page is still short: what it shows comes later.

// Milliseconds without scrolling after which the place is kept: Safari takes 100 changes of its history in 30 seconds,
// and a page needs some to open a picture.
const RESTED = 500;
const SETTLED = 5_000; // milliseconds without a change of height after which all has its place
const LONGEST = 20_000; // milliseconds after which it has, too: a list of news grows on and on

/** Does something again whenever the height of an element changes, which it does for long on a slow device; until the
 * reader moves, also by the browser's Back, or nothing has moved for a while: then what is returned is aborted. */
export function whileGrowing(act, grown = document.body) {
  const over = new AbortController();
  let timer = 0;
  const last = setTimeout(end, LONGEST); // not every way to move is heard, as by Firefox's scrollbar, or by VoiceOver
  const watcher = new ResizeObserver(() => {
    act();
    clearTimeout(timer);
    timer = setTimeout(end, SETTLED);
  });
  function end() {
    watcher.disconnect();
    over.abort();
    for (const one of [timer, last]) clearTimeout(one);
  }
  watcher.observe(grown);
  for (const moved of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate']) {
    addEventListener(moved, end, { passive: true, signal: over.signal });
  }
  return over.signal;
}

/** Goes to the place that this entry of the history has kept, and keeps it from now on; but for a page that does so by
 * itself, and has told the browser. */
export function followScrolling() {
  const y = history.state?.y;
  const found = y ? whileGrowing(() => scrollTo(0, y)) : AbortSignal.abort();
  let timer = 0;
  const note = () => {
    clearTimeout(timer);
    if (!found.aborted || history.scrollRestoration === 'manual' || history.state?.y === scrollY) return;
    history.replaceState({ ...history.state, y: scrollY }, '');
  };
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(note, RESTED);
  };
  rest(); // the first time may be over before this is called
  addEventListener('scroll', rest, { passive: true });
  // Whoever follows a link at once is gone before that.
  addEventListener('click', note, { capture: true, passive: true });
}
