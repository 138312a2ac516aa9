// Words for whoever has the page read aloud. A live region is heard when its text changes while it stands in the page;
// one that comes with its text is not (Orca with Firefox). So it is put there first and filled later.

const WAIT = 500; // milliseconds: it stands by then, and all that came meanwhile is said together
const STAYS = 10_000; // milliseconds until whoever walks through the page meets it no more

/** The words to say of a text, or of an element: those that it shows by then. */
const wordsOf = (one) => (typeof one === 'string' ? one : one.getClientRects().length ? one.innerText.trim() : '');

/** A live region, 'polite' or 'assertive', to stand in the page: {element, say(text or element), isDue}. */
export function spoken(urgency) {
  const element = document.createElement('p');
  element.className = 'visually-hidden';
  element.setAttribute('aria-live', urgency);
  let waiting = [];
  let timer;
  const put = (text) => { element.textContent = text; };
  const say = (text) => {
    if (!waiting.length) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        put(waiting.map(wordsOf).filter(Boolean).map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(' '));
        waiting = [];
        timer = setTimeout(put, STAYS, '');
      }, WAIT);
    }
    if (!waiting.includes(text)) waiting.push(text);
  };
  return { element, say, isDue: (one) => waiting.includes(one) };
}

const statusesIn = (nodes) => [...nodes].filter((node) => node.matches?.('[role=status]'));

/**
 * From now on says each status that is put into the page together with its text, and its changes. Browsers that say
 * some of them as well are told to leave it, before they have seen it. One that is only drawn anew is not said again.
 */
export function sayStatuses() {
  const { element, say, isDue } = spoken('polite');
  document.body.append(element);
  const tell = (status) => {
    const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body; // nothing behind it is heard
    if (element.parentNode !== place) {
      element.textContent = '';
      place.append(element);
    }
    say(status);
  };
  const follow = (status) => {
    let last = status.textContent;
    new MutationObserver(() => {
      if (status.textContent === last) return;
      last = status.textContent;
      tell(status);
    }).observe(status, { childList: true, characterData: true, subtree: true });
  };
  new MutationObserver((records) => {
    const gone = records.flatMap(({ removedNodes }) => statusesIn(removedNodes));
    for (const status of records.flatMap(({ addedNodes }) => statusesIn(addedNodes))) {
      if (!status.isConnected || status.hasAttribute('aria-live') || !status.textContent.trim()) continue;
      status.setAttribute('aria-live', 'off');
      follow(status);
      const before = gone.find((one) => one.textContent === status.textContent);
      if (!before || isDue(before)) tell(status);
    }
  }).observe(document.body, { childList: true, subtree: true });
}
