// The chart under the plot: OpenStreetMap with the seamarks of OpenSeaMap, by the hub's own store of tiles. Leaflet
// shows them; it is loaded when the chart is wanted.

import { effect, ending, html, styled } from '/ui.js';
import { leaflet } from '/leaflet.js';
import { words } from '/anchor/words.js';

const METRES = 156_543.034; // of a pixel at the equator, at zoom 0
const NATIVE = { map: 19, sea: 18 };
const [LEAST, MOST] = [2, 23];
const AT = '/api/v1/anchor/tiles';

/** The people whose chart it is. */
export const credit = () => html`<p class="credit">© <a href="https://www.openstreetmap.org/copyright" target="_blank"
  rel="noreferrer">OpenStreetMap</a>, <a href="https://www.openseamap.org" target="_blank" rel="noreferrer"
  >OpenSeaMap</a>, ${words.noNavigation}</p>`;

/** The chart, in step with the plot: the anchor in the middle, and as many metres to a pixel. */
export function chartView(settings, unit) {
  const box = html`<div class="sea-chart"><div></div></div>`.firstElementChild;
  styled('/leaflet.css');
  let map;
  const view = () => {
    const { lat, lon } = settings().anchor;
    const zoom = Math.log2((METRES * Math.cos((lat * Math.PI) / 180)) / unit());
    map?.setView([lat, lon], Math.min(MOST, Math.max(LEAST, zoom)), { animate: false });
  };
  const layer = (name) => leaflet.tileLayer(`${AT}/${name}/{z}/{x}/{y}`, {
    maxNativeZoom: NATIVE[name], maxZoom: MOST, keepBuffer: 0, updateWhenIdle: true,
  }).addTo(map);
  requestAnimationFrame(() => { // by now it stands in the page, and has its size
    if (!box.isConnected) return;
    map = leaflet.map(box.firstElementChild, {
      zoomControl: false, dragging: false, scrollWheelZoom: false, doubleClickZoom: false, touchZoom: false,
      keyboard: false, boxZoom: false, tap: false, zoomSnap: 0, fadeAnimation: false, zoomAnimation: false,
      minZoom: LEAST, maxZoom: MOST, attributionControl: false, // the plot's foot has it: below, it would be covered
    });
    view();
    layer('map');
    layer('sea');
  });
  let isFirst = true;
  effect(() => {
    unit();
    settings();
    if (!isFirst) view();
    isFirst = false;
  });
  const observer = new ResizeObserver(() => map?.invalidateSize({ animate: false }));
  observer.observe(box);
  ending(() => {
    observer.disconnect();
    map?.remove();
  });
  return box;
}
