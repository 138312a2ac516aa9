// Updates the framed sign. The hub's page is readable without this.

const sign = document.querySelector('.sign');

let timer;
let round = 0;

/**
 * Fetches the hub's page again and takes the sign from it, so that its words are in one place. Comes again once these
 * are out of date: at midnight, and when "until" has passed.
 */
async function refresh() {
  round += 1;
  const mine = round;
  let pause = 60; // seconds, where it fails
  try {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(15_000) });
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('.sign');
    if (mine !== round) return; // a later answer is newer
    sign.dataset.kind = fresh.dataset.kind;
    for (const part of ['name', 'word', 'since', 'facts']) {
      sign.querySelector(`.${part}`).replaceChildren(...fresh.querySelector(`.${part}`).childNodes);
    }
    pause = Number(fresh.dataset.freshFor) || pause; // an older hub tells none
  } catch { /* The last known words stay. */ }
  if (mine !== round) return;
  clearTimeout(timer);
  timer = setTimeout(refresh, pause * 1000);
}

/** Follows the sign. The browser reconnects by itself, unless the hub has refused the stream: then it gives up. */
function follow() {
  const news = new EventSource('/events/space');
  news.addEventListener('state', refresh);
  news.addEventListener('settings', refresh);
  news.onopen = () => {
    delete sign.dataset.lost;
    refresh();
  };
  news.onerror = () => {
    sign.dataset.lost = '';
    if (news.readyState === EventSource.CLOSED) setTimeout(follow, (30 + 30 * Math.random()) * 1000);
  };
}

follow();
