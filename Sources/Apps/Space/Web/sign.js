// The sign: open, closed, or unknown. The first thing on the page, and the one that must be right.

import { computed, effect, element, ending, html, signal } from '/ui.js';
import { detailTitle } from '/detail.js';
import { lineSince, unreachable } from '/live.js';
import { ageWords, said } from '/moments.js';
import { now, zone } from '/place.js';
import { roomHere } from '/room-choice.js';
import { stateOf, tellState } from '/room-states.js';
import { rooms } from '/rooms.js';
import { current, patient, sign, signConfirmed, space, spaceLine as line } from '/space/model.js';
import { words } from '/space/words.js';

const NOTE_STAYS = 6_000; // milliseconds for which "live again" is shown
const SOON = 2_000; // milliseconds until it is said that the hub is lost
/** The room's name on another one's own page: it says where one is. */
const otherRoom = location.pathname === '/' || roomHere === 'space' ? ''
  : rooms.find(({ id }) => id === roomHere)?.name;

/** 'open', 'closed', 'unknown', or, without a sign to show, 'asking' or 'missing'. */
const kind = computed(() => {
  const known = sign();
  if (known === undefined && space() !== null) return unreachable() && !patient() ? 'missing' : 'asking';
  return { true: 'open', false: 'closed' }[known?.open] ?? 'unknown';
});

const word = computed(() => {
  if (kind() === 'asking') return patient() ? '' : words.asking;
  if (kind() === 'missing') return words.nothingKnown;
  return words.state[kind()];
});

/** The size of the word, so that it fills the board in every language. */
const length = computed(() => (word().length <= 5 ? 'short' : word().length <= 7 ? 'medium' : 'long'));

const known = computed(() => sign() !== undefined);
const stale = computed(() => known() && !current());
/** The connection as it is shown: it is not called live before the sign is current again. */
const shownLine = computed(() => (line() === 'live' && stale() ? 'connecting' : line()));
const isDown = computed(() => ['lost', 'asked', 'refused'].includes(line()));
const name = computed(() => space()?.name ?? 'Eightbells');

const since = computed(() => {
  const at = sign()?.lastchange;
  if (typeof at !== 'number') return '';
  return words.since(said(at * 1000, now(), zone()));
});

const until = computed(() => {
  const at = Date.parse(sign()?.until ?? '');
  if (Number.isNaN(at)) return null;
  return { passed: at <= now(), text: said(at, now(), zone()) };
});

const untilText = computed(() => {
  if (!until()) return '';
  return until().passed ? words.untilPassed(until().text) : words.until(until().text);
});

/** When a closed space opens next; nothing once that has passed, or where the plate says that somebody opens before. */
const opensText = computed(() => {
  const at = sign()?.open === false ? Date.parse(sign().opens ?? '') : NaN;
  const isSooner = rooms.some(({ id }) => stateOf(id)?.plate?.opensAt < at);
  return at > now() && !isSooner ? words.opens(said(at, now(), zone())) : '';
});

const by = computed(() => {
  if (sign()?.by) return words.by(sign().by);
  return sign()?.source === 'contact' && sign().open !== null ? words.byContact : '';
});

/** The age of the sign: in units once the rules are loaded, before that as a time. */
const staleText = computed(() => {
  if (!stale()) return '';
  return words.lastKnown(ageWords()?.(signConfirmed(), now()) ?? words.asOf(said(signConfirmed(), now(), zone())));
});

// A ship's door with its porthole: ajar with light falling out, shut, or only outlined.
const icons = {
  open: () => html`<svg viewBox="0 0 64 64" aria-hidden="true">
    <path d="M16 6h32v50H16z" class="stroke"/><path d="M20 8l20 7v47l-20-6z" class="fill"/>
    <circle cx="29" cy="27" r="5" class="hole"/><path d="M52 18l7-4M53 31h8M52 44l7 4" class="stroke"/></svg>`,
  closed: () => html`<svg viewBox="0 0 64 64" aria-hidden="true">
    <rect x="10" y="4" width="44" height="56" rx="5" class="stroke"/>
    <rect x="17" y="11" width="30" height="42" rx="2" class="fill"/><circle cx="32" cy="24" r="6.5" class="hole"/>
    <path d="M41 36v9" class="handle"/></svg>`,
  unknown: () => html`<svg viewBox="0 0 64 64" aria-hidden="true">
    <rect x="14" y="5" width="36" height="54" rx="4" class="dashes"/>
    <path d="M25 25a7.5 7.5 0 1 1 11 6.5q-4 2.5-4 7" class="stroke"/>
    <circle cx="32" cy="47" r="2.8" class="fill"/></svg>`,
};

const gone = ({ target }) => target.remove(); // no broken picture for one that cannot be loaded

const logo = () => {
  const address = space()?.logo;
  if (!address) return '';
  return html`<img class="sign-logo" src=${address} alt="" width="40" height="40" @error=${gone}>`;
};

/** The space's own picture for the sign's state, if it has one. */
const picture = () => {
  const address = space()?.pictures?.[kind()];
  if (!address) return '';
  return html`<img class="sign-picture" src=${address} alt="" @error=${gone}>`;
};

element('space-sign', (host) => {
  let swings = false; // only a change is animated, not the first display
  effect(() => {
    const now = kind();
    host.classList.remove('swing');
    if (swings) requestAnimationFrame(() => host.classList.add('swing'));
    swings = now !== 'asking' && now !== 'missing';
  });
  effect(() => {
    if (!known()) return;
    const lamp = { open: 'good', closed: 'closed' }[kind()];
    tellState('space', { lamp: stale() ? 'unknown' : lamp ?? 'unknown', text: word() });
  });
  effect(() => {
    document.title = [detailTitle() || otherRoom || (known() ? word() : ''), name()].filter(Boolean).join(' · ');
  });
  return html`
    <svg class="sign-rope" viewBox="0 0 200 40" aria-hidden="true">
      <path d="M100 8L30 40M100 8l70 32"/><circle cx="100" cy="8" r="5"/></svg>
    <div class="sign-board" data-kind=${kind} data-stale=${stale}>
      <span class="sign-icon">${() => icons[kind()]?.() ?? ''}</span>
      <h1 class="sign-title">
        <span class="sign-name">${logo}<span>${name}</span></span>
        <span class="visually-hidden">: </span>
        <span class="sign-last">${staleText}</span>
        <span class="sign-word" data-length=${length}>${word}</span>
      </h1>
      <div class="sign-facts">
        <p class="sign-since">${() => since() || (words.help[kind()] ?? '')}</p>
        <p class="sign-silent">${() => (sign()?.unknown_since ? words.help.silent : '')}</p>
        <p class="sign-until" data-passed=${() => Boolean(until()?.passed)}>${untilText}</p>
        <p class="sign-opens">${opensText}</p>
        <p class="sign-message">${() => sign()?.message ?? ''}</p>
        <p class="sign-by">${by}</p>
        ${picture}
      </div>
      <p class="sign-line" data-line=${shownLine}>
        <span class="sign-lamp" aria-hidden="true"></span>
        <span>${() => (known() ? words.lamp[shownLine()] ?? '' : '')}</span>
      </p>
      <svg class="sign-waves" viewBox="0 0 400 30" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 14q25-12 50 0t50 0 50 0 50 0 50 0 50 0 50 0 50 0V30H0z"/>
        <path d="M-25 20q25-10 50 0t50 0 50 0 50 0 50 0 50 0 50 0 50 0 50 0V30H0z"/>
      </svg>
    </div>`;
});

/** Shows when the page is not live, and for a moment that it is again. */
element('space-line', () => {
  const again = signal(false);
  let wasDown = false;
  let timer;
  effect(() => {
    const down = isDown();
    if (shownLine() === 'live' && wasDown) {
      again.set(true);
      clearTimeout(timer);
      timer = setTimeout(() => again.set(false), NOTE_STAYS);
    }
    if (down) again.set(false);
    wasDown = down || (wasDown && shownLine() !== 'live');
  });
  ending(() => clearTimeout(timer));
  return html`${() => {
    if (isDown()) {
      return html`<div class="note" data-kind="lost"><strong>${words.line[line()]}</strong>
        <span>${() => words.line[`${line()}Help`]?.(said(lineSince(), now(), zone()))}</span></div>`;
    }
    return again() ? html`<div class="note" data-kind="again"><strong>${words.line.liveAgain}</strong></div>` : '';
  }}`;
});

/** Announces changes to screen readers, politely, but not the initial state. */
element('space-announcer', (host) => {
  host.setAttribute('role', 'status');
  const text = signal('');
  let before;
  effect(() => {
    if (!known()) return;
    const told = [words.announce(name(), word()), untilText(), sign().message ?? ''].filter(Boolean).join('. ');
    if (before !== undefined && before !== told) text.set(told);
    before = told;
  });
  let down = false;
  let timer; // a browser ends the connection of a page that is being left, too
  ending(() => clearTimeout(timer));
  effect(() => {
    clearTimeout(timer);
    if (isDown()) {
      timer = down ? undefined : setTimeout(() => {
        text.set(words.line[line.peek()]);
        down = true;
      }, SOON);
    } else if (shownLine() === 'live' && down) {
      down = false;
      text.set(words.line.liveAgain);
    }
  });
  return html`${text}`;
});
