// Asks again for followed spaces that were not read yet, while the page is visible.

const ASK_EVERY = 3_000; // milliseconds; the event may be missed

export const isPending = ({ as_of, problem }) => !as_of && !problem;

/**
 * Calls `ask` again after a list with a pending space, in a hidden tab only once it is visible. Each new list is passed
 * to `heard`; `end` stops it.
 */
export function askingAgain(ask) {
  let timer;
  let isWanted = false;
  const seen = () => {
    clearTimeout(timer);
    if (isWanted && !document.hidden) ask();
  };
  document.addEventListener('visibilitychange', seen);
  return {
    heard(list) {
      clearTimeout(timer);
      isWanted = list.some(isPending);
      if (isWanted) timer = setTimeout(seen, ASK_EVERY);
    },
    end() {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    },
  };
}
