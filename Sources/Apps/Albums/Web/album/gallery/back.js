// A picture on the whole screen is a step of the page's history: the phone's Back button closes it, and leaves the
// album only after that.

/**
 * Takes a step, and calls `close()` when the reader goes back. Returns what goes back where the picture is closed in
 * another way.
 */
export function stepIn(close, { history, addEventListener, removeEventListener } = globalThis) {
  // After a reload the step is still there, and no picture.
  if (!history.state?.isPicture) history.pushState({ isPicture: true }, '');
  let isIn = true;
  const back = () => {
    isIn = false;
    removeEventListener('popstate', back);
    close();
  };
  addEventListener('popstate', back);
  return () => {
    if (!isIn) return;
    isIn = false;
    removeEventListener('popstate', back);
    history.back();
  };
}
