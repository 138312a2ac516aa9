// Anchorages of before, each with its track, and the track of now as a GPX file.

import { html, signal } from '/ui.js';
import { HubError } from '/keep.js';
import { now, zone } from '/place.js';
import { careful } from '/doing.js';
import { dated } from '/moments.js';
import { history } from '/anchor/model.js';
import { words } from '/anchor/words.js';

const MOST = 16 * 1024 * 1024; // bytes of a GPX file that the hub takes (WatchLimits.gpxBytes)
const GPX = '/api/v1/anchor/track.gpx';
const TRACKS = '/api/v1/anchor/tracks';

const dateOf = (time) => dated(Date.parse(time), now.peek(), zone());
const lasted = (from, to) => (Date.parse(to ?? new Date(now.peek())) - Date.parse(from)) / 1000;

/** Takes a GPX file in as an anchorage of before. */
async function importTrack(text) {
  const response = await fetch(TRACKS, {
    method: 'POST', headers: { 'Content-Type': 'application/gpx+xml' }, body: text, signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new HubError(response.status, await response.json().catch(() => undefined));
}

class TooLarge extends Error {}

export function pastCard() {
  const { inTurn, note, isBusy } = careful((error) => (error instanceof TooLarge ? error.message : null));
  const list = signal(undefined);
  const taken = signal('');
  const read = async () => list.set((await history()).anchorages);
  inTurn(read);
  const choose = ({ target }) => {
    const [file] = target.files;
    target.value = '';
    if (!file) return;
    inTurn(async () => {
      taken.set('');
      if (file.size > MOST) throw new TooLarge(words.tooLarge(file.name, Math.ceil(file.size / 1024 / 1024)));
      await importTrack(await file.text());
      taken.set(words.imported(file.name));
      await read();
    });
  };
  const row = ({ id, from, to, lat, lon, max_m: most, alarms }) => html`<li><div class="grow"><strong>${
    dateOf(from)}</strong><small>${words.anchorage(words.span(Math.round(lasted(from, to))), Math.round(most ?? 0),
    alarms ?? 0)}</small></div>
    <span class="ends"><a class="more-link"
      href=${`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=15/${lat}/${lon}`}
      target="_blank" rel="noreferrer">${words.onMap}</a>
    <a class="more-link" href=${`${GPX}?anchorage=${id}`} download aria-label=${`${words.exportTrack}, ${
      dateOf(from)}`}>GPX</a></span></li>`;
  return html`<section class="card" aria-labelledby="past"><h2 id="past">${words.anchorages}</h2>
    ${() => (list()?.length ? html`<ul class="list">${list().map(row)}</ul>` : '')}
    ${() => (list() && !list().length ? html`<p class="empty">${words.noAnchorages}</p>` : '')}
    <div class="row"><a class="button" href=${GPX} download>${words.exportTrack}</a>
      <label class="button" aria-busy=${() => isBusy() || null}>${words.importTrack}<input class="visually-hidden"
        type="file" accept=".gpx,application/gpx+xml,text/xml" @change=${choose}></label></div>
    ${() => (taken() ? html`<p class="small" role="status">${taken()}</p>` : '')}${note}</section>`;
}
