// Words for whoever has the page read aloud. A live region is heard when its text changes while it stands in the page;
// one that comes with its text is not (Orca with Firefox). So it is put there first and filled later.

const WAIT = 500; // milliseconds: it stands by then, and all that came meanwhile is said together
const STAYS = 10_000; // milliseconds until whoever walks through the page meets it no more

/** A live region, 'polite' or 'assertive', to stand in the page: {element, say(text)}. */
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
        put(waiting.map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(' '));
        waiting = [];
        timer = setTimeout(put, STAYS, '');
      }, WAIT);
    }
    waiting.push(text);
  };
  return { element, say };
}
