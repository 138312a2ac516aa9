// The way of one notification: to which devices it went, and why it rang or did not.

import { effect, ending, html, signal } from '/ui.js';
import { tried } from '/trying.js';
import { onNews } from '/live.js';
import { dated } from '/moments.js';
import { now, today, zone } from '/place.js';
import { rooms } from '/rooms.js';
import { may } from '/session.js';
import { deviceName } from '/people/told.js';
import { levelOf, senderOf } from '/bells/inbox.js';
import { bells, devices, items, traceOf } from '/bells/model.js';
import { privateWords } from '/bells/private-words.js';
import { rules, shown } from '/bells/rules.js';
import { scheduleWords } from '/bells/schedule.js';
import { decisive, duration, firstShown, lines, outcomeOf } from '/bells/trace.js';
import { traceList } from '/bells/trace-view.js';
import { locale, words } from '/bells/words.js';
import { because, outcomes } from '/bells/why-words.js';

const AGAIN = 3_000; // milliseconds between looks while something is under way
const UNDER_WAY = 120_000; // then a look at the page suffices

const KINDS = { rang: 'good', came: 'good', sent: 'warn', waits: 'warn', not: 'bad', away: '' };

/** 18:40:12.3 */
const seconds = (at) => new Date(at).toLocaleTimeString(locale, {
  timeZone: zone(), hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 1,
});

function deviceTrace(device, trace) {
  const outcome = outcomeOf(device, trace.state);
  const event = outcome === 'rang' ? undefined : decisive(device);
  return html`<section class="card"><div class="trace-head">
      <h3>${deviceName(device.name)}<small>${words.channels[device.channel] ?? device.channel}</small></h3>
      <span class="tag" data-kind=${KINDS[outcome]}>${outcomes[outcome]}</span></div>
    <p class="because" data-kind=${KINDS[outcome]}>${event ? words.sentence(because(event))
    : words.outcomes[outcome]}</p>
    ${traceList(lines(device, Date.parse(trace.at)), ({ at }) => seconds(at))}</section>`;
}

/** PT1H30M as 1 h 30 min */
const spanOf = (iso) => [...iso.matchAll(/(\d+)([HMS])/g)]
  .map(([, n, unit]) => `${n}\u00a0${{ H: 'h', M: 'min', S: 's' }[unit]}`).join(' ');

function verdict(trace, actions) {
  const chosen = actions.find(({ id }) => id === trace.acted?.action)?.title ?? trace.acted?.action;
  const rang = trace.devices.filter((one) => outcomeOf(one) === 'rang').length;
  const first = firstShown(trace);
  const facts = [
    trace.state === 'scheduled' ? null : [words.rang, words.ways(rang, trace.devices.length)],
    first === undefined ? null : [words.firstAfter, duration(first, locale)],
    [words.state, words.states[trace.state] ?? trace.state],
    trace.acted ? [words.answer, [chosen, trace.acted.text].filter(Boolean).join(': ')] : null,
    may('bells.send') ? [words.sender, senderOf(trace, rooms)] : null,
    trace.schedule ? [words.schedule, scheduleWords(trace.schedule, today())] : null,
    trace.repeat ? [words.repeats, words.repeat(spanOf(trace.repeat.every), trace.repeat.limit)] : null,
    trace.expires_at ? [words.until, when(trace.expires_at)] : null,
  ];
  return html`<dl class="verdict">${facts.filter(Boolean).map(([name, value]) =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The reader's devices that nothing was sent to, as they are not rung any more; of what is in their list. */
const unrung = (id) => (items().some((one) => one.id === id) ? devices.value() ?? [] : [])
  .filter(({ channels }) => !channels.length)
  .map(({ name }) => html`<p class="small quiet">${words.unrung(deviceName(name))}</p>`);

const when = (at) => dated(Date.parse(at), now.peek(), zone());

export function whyPage(id) {
  const trace = signal(undefined);
  const { reading, note } = tried();
  const read = () => reading(async () => {
    const found = await traceOf(id);
    if (JSON.stringify(found) !== JSON.stringify(trace.peek())) trace.set(found);
  });
  const began = Date.now();
  const timer = setInterval(() => {
    const isUnderWay = trace.peek()?.devices.some((one) => ['waits', 'sent', 'came'].includes(outcomeOf(one)));
    if (isUnderWay && !document.hidden && Date.now() - began < UNDER_WAY) read();
  }, AGAIN);
  ending(() => clearInterval(timer));
  effect(() => { // also at the first time, and whenever one's list has news
    bells.value();
    read();
  });
  onNews('line', read);
  const view = () => {
    const it = trace();
    if (!it || rules() === undefined) return '';
    const { content, actions } = shown(it.content);
    return html`<section class="card" aria-labelledby="one"><div class="bell" data-level=${levelOf(it.content)}>
        <div class="bell-main"><div><h2 class="bell-title" id="one">${content.title ?? words.untitled}</h2>
        ${content.body ? html`<p>${content.body}</p>` : ''}
        ${content.sealed ? html`<p class="quiet small">${privateWords.noKey}</p>` : ''}
        <p class="quiet small">${when(it.at)}</p></div></div></div>${verdict(it, actions)}</section>
      ${it.devices.length ? html`<div class="traces">${it.devices.map((one) => deviceTrace(one, it))}</div>`
    : html`<p class="empty">${it.state === 'scheduled' ? words.notYet
      : may('bells.send') ? words.noDevices : words.noneOfMine}</p>`}
      ${() => unrung(id)}
      <p class="small quiet">${words.kept}</p>`;
  };
  return html`<header><a class="back" href="/bells">${words.title}</a><h1>${words.whyTitle}</h1></header>
    ${note}
    ${view}`;
}
