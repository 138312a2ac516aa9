// The second screen: shows what the other window says. A press fills the screen.

import { element, html, signal } from '/ui.js';
import { CHANNEL, NOTHING } from '/portfolio/view/presenter.js';
import { words } from '/portfolio/words.js';

element('portfolio-screen', () => {
  document.title = `${words.view.screen} · Eightbells`;
  const shown = signal(null);
  const source = signal(undefined);
  let round = 0;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = async ({ data }) => {
    if (data === 'here' || data === 'over') return; // another second screen
    if (data === null) {
      close();
      return;
    }
    round += 1;
    const mine = round;
    if (data === NOTHING) {
      shown.set(null);
      source.set(undefined);
      return;
    }
    const image = Object.assign(new Image(), { src: data.src });
    await image.decode().catch(() => {});
    if (mine !== round) return; // the next one was chosen meanwhile
    shown.set(data);
    source.set(image.naturalWidth ? data.src : data.small);
  };
  addEventListener('pagehide', () => channel.postMessage('over'));
  document.body.addEventListener('click', () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => {});
  });
  channel.postMessage('here');
  const canFill = document.documentElement.requestFullscreen; // Safari before 16.4, and an iPhone, cannot
  const waits = [words.view.waits, ...(canFill ? [words.view.fills] : [])].join(' ');
  return html`<h1 class="visually-hidden">${words.view.screen}</h1>
    <img src=${source} alt=${() => shown()?.title ?? ''}><p>${() => (shown() ? shown().title
    : waits)} <span>${() => shown()?.rest.join(' · ') ?? ''}</span></p>`;
});
