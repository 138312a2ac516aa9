// Spaces that are followed and have not answered yet: asked after again, for as long as somebody looks.

const ASK_EVERY = 3_000; // milliseconds; news of the answer may pass a page by

export const isPending = ({ as_of, problem }) => !as_of && !problem;

/**
 * Calls `ask` again after a list in which one is pending, and in a hidden tab only once it is looked at. `heard` is
 * told each list that comes; `end` stops it.
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
