// Updates the framed sign. The hub's page is readable without this.

const sign = document.querySelector('.sign');

/** Fetches the hub's page again and takes the sign from it, so that its words are in one place. */
async function refresh() {
  const response = await fetch(location.href, { signal: AbortSignal.timeout(15_000) });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('.sign');
  sign.dataset.kind = fresh.dataset.kind;
  for (const part of ['name', 'word', 'since', 'facts']) {
    sign.querySelector(`.${part}`).replaceChildren(...fresh.querySelector(`.${part}`).childNodes);
  }
}

/** Follows the sign. The browser reconnects by itself, unless the hub has refused the stream: then it gives up. */
function follow() {
  const news = new EventSource('/events/space');
  news.addEventListener('state', () => refresh().catch(() => {}));
  news.addEventListener('settings', () => refresh().catch(() => {}));
  news.onopen = () => {
    delete sign.dataset.lost;
    refresh().catch(() => {});
  };
  news.onerror = () => {
    sign.dataset.lost = '';
    if (news.readyState === EventSource.CLOSED) setTimeout(follow, (30 + 30 * Math.random()) * 1000);
  };
}

follow();
