// Today's punctuality, as the devices have measured it.

import { html } from '/ui.js';
import { timeOf } from '/clock/face.js';
import { picture, PROMISE, summary, verdict } from '/clock/lateness.js';
import { devices, followHistory, history } from '/clock/model.js';
import { words } from '/clock/words.js';

function drawn(announcements, name) {
  const day = summary(announcements);
  const { spoken, worst, later, others } = day;
  const kind = verdict(day);
  const { dots, lines, promise, times } = picture(announcements, timeOf);
  const y = (at) => String(at.toFixed(1));
  const not = Object.entries(others).map(([what, count]) => `${words.others[what] ?? what} ${count} ×`).join(', ');
  // A clock of which nothing was heard was not punctual.
  if (!spoken) {
    return html`<h3>${name} ${kind ? html`<span class="tag" data-kind=${kind}>${not}</span>` : ''}</h3>
      <p class="small quiet">${words.othersText(not)}</p>`;
  }
  return html`<h3>${name} <span class="tag" data-kind=${kind}>${
    later ? words.someLater(later) : words.allUnder(PROMISE)}</span></h3>
    <svg class="lateness" viewBox="0 0 420 150" role="img" aria-label=${words.latePicture(spoken, name, worst)}>
      <path class="grid" d=${lines.map(([, at]) => `M40 ${y(at)}H412`).join('')} />
      <path class="promise" d=${`M40 ${y(promise)}H412`} /><path class="dots" d=${dots} />
      <text x="34" y=${y(lines[0][1] + 4)} text-anchor="end">${String(lines[0][0])}</text>
      <text x="34" y=${y(lines[1][1] + 4)} text-anchor="end">${String(lines[1][0])}</text>
      <text x="34" y=${y(lines[2][1] + 4)} text-anchor="end">${String(lines[2][0])}</text>
      <text x="44" y="142">${times[0]?.[0] ?? ''}</text>
      <text x="226" y="142" text-anchor="middle">${times.length > 1 ? times[1][0] : ''}</text>
      <text x="408" y="142" text-anchor="end">${times.length > 1 ? times[2][0] : ''}</text></svg>
    <p class="small quiet">${words.lateText(name)} ${not ? words.othersText(not) : ''}</p>`;
}

export function punctualCard() {
  followHistory();
  const all = () => {
    const found = devices().map(({ id, name }) => [name, (history() ?? []).filter(({ device }) => device === id)])
      .filter(([, list]) => list.length);
    return found.length ? found.map(([name, list]) => drawn(list, name)) : html`<p class="empty">${words.noLate}</p>`;
  };
  return html`<section class="card" aria-labelledby="late-title"><h2 id="late-title">${words.late}</h2>
    ${() => (history() === undefined ? '' : all())}</section>`;
}
