// A view of a notification: a document of an app or a room, in a frame without a network, in the place of the texts. It
// is told by messages what to show, and says how high it is; it takes no input. If it does not answer, the texts stay.
// Docs/notification-views.md is for those who write one.

import { computed, effect, ending, signal } from '/ui.js';
import { lastAnswer } from '/bells/model.js';
import { handedOver, heightOf, spare, told } from '/bells/view-plan.js';
import { language, words } from '/bells/words.js';

const PATIENCE = 3_000; // milliseconds until the texts are shown instead
const FRAMES = 6; // open at once: each is a document with a script
const MESSAGES = 200; // of one document; more is no view any more
const LOADS = 5; // of one frame: a document may load itself again
const ATTACHMENTS = 4;
const ATTACHMENT_BYTES = 10_485_760; // of one: the largest picture there is

const darkness = globalThis.matchMedia?.('(prefers-color-scheme: dark)');
const isDark = signal(darkness?.matches ?? false);
darkness?.addEventListener('change', ({ matches }) => isDark.set(matches));

const places = new Map(); // by their elements
const open = new Set();
let watching;

/** Opens what is seen and has room; what was seen last is closed last. */
function look() {
  for (const one of places.values()) {
    if (!one.isSeen || one.isFailed || open.has(one)) continue;
    if (open.size >= FRAMES) {
      const other = spare(open);
      if (!other) return;
      other.close();
    }
    one.open();
  }
}

function seen(entries) {
  for (const { target, isIntersecting } of entries) {
    const one = places.get(target);
    if (!one) continue;
    if (one.isSeen && !isIntersecting) one.hiddenAt = performance.now();
    one.isSeen = isIntersecting;
  }
  look();
}

const watcher = () => { watching ??= new IntersectionObserver(seen, { rootMargin: '200px 0px' }); return watching; };

/** Hands the notification's files over, each as soon as it is there. */
async function bring(content, port) {
  for (const one of handedOver(content, ATTACHMENTS)) {
    try {
      const answer = await fetch(one.url, { signal: AbortSignal.timeout(10_000) });
      if (!answer.ok || Number(answer.headers.get('content-length')) > ATTACHMENT_BYTES) continue;
      const bytes = await answer.arrayBuffer();
      const type = answer.headers.get('content-type');
      port.postMessage({ what: 'attachment', id: one.id ?? null, type, bytes }, [bytes]);
    } catch (error) {
      console.warn(error); // without it, the view shows what else it has
    }
  }
}

function frameOf(name, title) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('referrerpolicy', 'no-referrer');
  frame.title = words.ownView(title);
  frame.inert = true; // no focus and no press goes in; readers of the screen have the texts
  frame.src = `/api/v1/bells/views/${encodeURIComponent(name)}`;
  return frame;
}

/**
 * The place of the view of this name; `isShown` is set while it stands for the texts. `item` and `content` are
 * signals: the notification, and its content in the reader's language.
 */
export function ownView(name, item, content, isShown) {
  const place = document.createElement('div');
  place.className = 'own-view';
  const one = { isSeen: false, hiddenAt: 0, isFailed: false };
  let frame; let port; let timer; let loads; let messages;

  const state = (what, more = {}) => ({
    what, notification: told(item(), content()), language, dark: isDark(), width: place.clientWidth, ...more,
  });

  one.close = () => {
    clearTimeout(timer);
    port?.close();
    frame?.remove();
    frame = undefined;
    port = undefined;
    open.delete(one);
  };
  const fail = () => {
    one.isFailed = true;
    one.close();
    place.remove();
    isShown.set(false);
    look();
  };
  const take = ({ data }) => {
    messages += 1;
    if (messages > MESSAGES) return fail();
    const height = data?.what === 'size' ? heightOf(data.height) : null;
    if (height === null) return undefined;
    clearTimeout(timer);
    place.style.height = `${height}px`;
    place.dataset.state = 'shown';
    isShown.set(true);
    return undefined;
  };
  const greet = () => {
    loads += 1;
    if (loads > LOADS) return fail();
    port?.close();
    const both = new MessageChannel();
    port = both.port1;
    port.onmessage = take;
    // The document has no origin that could be named; the policy lets only this hub's into the frame.
    frame.contentWindow.postMessage({ what: 'port' }, '*', [both.port2]);
    port.postMessage(state('show'));
    bring(content.peek(), port);
    return undefined;
  };
  one.open = () => {
    open.add(one);
    [loads, messages] = [0, 0];
    timer = setTimeout(fail, PATIENCE);
    frame = frameOf(name, content.peek().title ?? '');
    frame.addEventListener('load', greet);
    place.append(frame);
  };

  places.set(place, one);
  watcher().observe(place);
  // What was typed into the answer that counts. The news of it may be here before the hub's answer to this page.
  const typed = computed(() => {
    const [{ id, acted }, last] = [item(), lastAnswer()];
    return (acted && last?.id === id && last.action === acted.action && last.text) || null;
  });
  let isFirst = true;
  effect(() => {
    const now = state('changed', { action: item().acted?.action ?? null, text: typed() });
    if (!isFirst) port?.postMessage(now);
    isFirst = false;
  });
  ending(() => {
    watcher().unobserve(place);
    places.delete(place);
    one.close();
    isShown.set(false);
    look();
  });
  return place;
}
