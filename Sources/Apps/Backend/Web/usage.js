// The use of an app in pictures: the last hours, and the last days.

import { html } from '/ui.js';
import { bars } from '/apps/logbook.js';
import { app, usage } from '/apps/model.js';
import { count, locale, words } from '/apps/words.js';

const [WIDTH, HEIGHT] = [240, 64];

function picture(rows, name, said) {
  const counts = rows.map(({ messages }) => messages);
  const most = Math.max(0, ...counts);
  const peak = rows[counts.indexOf(most)];
  const paths = bars(counts, WIDTH, HEIGHT);
  const labels = [rows[0], rows[Math.floor(rows.length / 2)], rows[rows.length - 1]].map(({ from }) => name(from));
  return html`<svg class="usage-bars" viewBox=${`0 0 ${WIDTH} ${HEIGHT + 20}`} role="img" aria-label=${
    said(name(peak.from), most && count(most))}>
    <path d=${paths.slice(0, -1).join('')} /><path class="now" d=${paths.at(-1)} />
    <text x="0" y=${String(HEIGHT + 16)}>${labels[0]}</text>
    <text x=${String(WIDTH / 2)} y=${String(HEIGHT + 16)} text-anchor="middle">${labels[1]}</text>
    <text x=${String(WIDTH)} y=${String(HEIGHT + 16)} text-anchor="end">${labels[2]}</text></svg>`;
}

const hour = (from) => String(new Date(from).getHours());
const day = (from) => new Date(from).toLocaleDateString(locale, { day: 'numeric', month: 'numeric', timeZone: 'UTC' });

const megabytes = (bytes) => `${(bytes / 1_048_576).toLocaleString(locale, { maximumFractionDigits: 1 })} MB`;

function kept() {
  const { objects, object_bytes: bytes, files, file_bytes: size, ...most } = app().kept;
  return html`<dl class="counts"><div><dt>${words.objectsKept}</dt><dd>${
    words.outOf(count(objects), count(most.most_objects))}<br><small>${
    words.outOf(megabytes(bytes), megabytes(most.most_object_bytes))}</small></dd></div>
    <div><dt>${words.filesKept}</dt><dd>${count(files)}<br><small>${
  words.outOf(megabytes(size), megabytes(most.most_file_bytes))}</small></dd></div></dl>${
  most.full ? html`<p role="status">${words.keepsNoMoreHint}</p>` : ''}`;
}

export const usageCard = () => html`<section class="usage card" aria-labelledby="usage-title">
  <h2 id="usage-title">${words.usage} <small class="quiet">${words.perHour}</small></h2>
  ${() => (usage()?.hours ? html`${picture(usage().hours, hour, words.usagePicture)}<h3>${words.month}</h3>${
    picture(usage().days, day, words.dayPicture)}` : '')}
  <h3>${words.storage}</h3>${() => (app() ? kept() : '')}</section>`;
