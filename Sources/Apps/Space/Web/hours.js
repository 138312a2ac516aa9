// The usual opening hours: a week as a picture, in words, and as a list.

import { computed, element, html } from '/ui.js';
import { isDetail } from '/detail.js';
import { onNews, subject } from '/live.js';
import { today } from '/place.js';
import { locale } from '/shell-words.js';
import { sign, space } from '/space/model.js';
import { sentences, signWords } from '/space/sign-words.js';
import { MONDAY, weekdayName, weekdayShort } from '/words.js';

const words = signWords.hours;
const known = subject('hours', () => '/api/v1/space/hours', { room: 'space', isTold: false });
const hours = known.value;

const LEFT = 34; // width of the days' names in the picture
const TOP = 16;
const [CELL, ROW] = [13, 20];

function drawn(name, attributes, text = '') {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}

const minutes = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const x = (minute) => LEFT + (minute / 60) * CELL;
const y = (day) => TOP + day * ROW;

/** The parts of a period on its own day and on the next one. */
function pieces({ weekday, from, to }) {
  const [start, end] = [minutes(from), minutes(to)];
  if (end > start) return [{ day: weekday - 1, start, end }];
  const parts = [{ day: weekday - 1, start, end: 1440 }, { day: weekday % 7, start: 0, end }];
  return parts.filter((part) => part.end > part.start);
}

function picture({ shares, declared, programme }) {
  const width = LEFT + 24 * CELL + 2;
  const viewBox = `0 0 ${width} ${TOP + 7 * ROW + 2}`;
  const svg = drawn('svg', { viewBox, role: 'img', 'aria-labelledby': 'hours-text' });
  for (const hour of [0, 6, 12, 18, 24]) {
    const anchor = hour === 24 ? 'end' : hour === 0 ? 'start' : 'middle';
    svg.append(drawn('text', { x: x(hour * 60), y: 11, 'text-anchor': anchor }, String(hour)));
  }
  shares.forEach((day, index) => {
    const isToday = (today() + 3) % 7 === index;
    svg.append(drawn('text', { x: 0, y: y(index) + 14, class: isToday ? 'today' : '' },
      weekdayShort(MONDAY + index, locale)));
    day.forEach((share, hour) => {
      const cell = drawn('rect', {
        x: x(hour * 60) + 0.5, y: y(index) + 1, width: CELL - 1, height: ROW - 4, rx: 2,
        class: share === null ? 'unknown' : 'cell',
      });
      if (share !== null) cell.style.setProperty('--share', share);
      svg.append(cell);
    });
  });
  for (const span of programme) {
    for (const { day, start, end } of pieces(span)) {
      svg.append(drawn('line', { x1: x(start) + 1, x2: x(end) - 1, y1: y(day) + ROW - 6, y2: y(day) + ROW - 6,
        class: 'planned' }));
    }
  }
  for (const span of declared.hours ?? []) {
    for (const { day, start, end } of pieces(span)) {
      svg.append(drawn('rect', { x: x(start), y: y(day) + 0.5, width: x(end) - x(start), height: ROW - 3, rx: 3,
        class: span.open_end || span.weeks ? 'declared some' : 'declared' }));
    }
  }
  return svg;
}

const text = computed(() => {
  const said = hours() ? sentences(hours().usual) : [];
  return said.length ? said.map((one) => `${one}.`).join(' ') : words.none;
});

const item = (span) => {
  const time = span.open_end ? words.openEnd(span.from) : words.span(span.from, span.to);
  const some = span.weeks ? ` (${words.some})` : '';
  return html`<li>${weekdayName(MONDAY + span.weekday - 1, locale)}, ${time}${some}</li>`;
};

const group = (title, spans) => (spans?.length ? html`<h3>${title}</h3><ul>${spans.map(item)}</ul>` : '');

const list = ({ usual, declared, programme }) => html`<details class="hours-list"><summary>${words.table}</summary>
  ${group(words.kind.usual, usual)}
  ${declared.hours ? group(words.kind.declared, declared.hours)
    : declared.text ? html`<h3>${words.kind.declared}</h3><p>${declared.text}</p>` : ''}
  ${group(words.kind.planned, programme)}
</details>`;

const legend = ({ declared, programme }) => html`<p class="hours-legend" aria-hidden="true">
  <span><i class="scale"></i>${words.often}: ${words.never} – ${words.always100}</span>
  ${declared.hours ? html`<span><i class="declared"></i>${words.declared}</span>` : ''}
  ${programme.length ? html`<span><i class="planned"></i>${words.planned}</span>` : ''}</p>`;

element('space-hours', () => {
  const refresh = () => known.refresh();
  known.remember();
  refresh();
  for (const about of ['live', 'programme', 'settings']) onNews(about, refresh);
  // Not with every heartbeat of the sign, only with a turn.
  let turn;
  onNews('state', () => {
    if (sign.peek()?.turn !== turn) refresh();
    turn = sign.peek()?.turn;
  });
  const hasShares = computed(() => hours() && hours().shares.some((day) => day.some((share) => share !== null)));
  const isThere = () => !isDetail() && space() && (hasShares() || hours()?.declared.text);
  return html`<section class="beside hours" aria-labelledby="hours" hidden=${() => !isThere()}>
    <h2 id="hours">${words.title}</h2>
    <p>${text}</p>
    ${() => (hours() ? html`<figure>${picture(hours())}${legend(hours())}</figure>
      <p class="visually-hidden" id="hours-text">${words.picture} ${text}</p>${list(hours())}` : '')}
  </section>`;
});
