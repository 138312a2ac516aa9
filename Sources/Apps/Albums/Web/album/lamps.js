// The picture before an album, of which nothing is shown yet: a table in the evening under strings of lamps.

import { html } from '/ui.js';

const LAMPS = [
  [70, 205], [170, 250], [280, 280], [390, 286], [500, 262], [590, 224], [680, 168], [780, 126], [890, 108],
  [1000, 112], [1110, 138], [90, 105], [260, 160], [440, 194], [640, 202], [840, 180], [1030, 124],
];
const PLATES = [[300, 610], [480, 600], [700, 600], [930, 614], [440, 546], [740, 546]];
const CANDLES = [[380, 566], [610, 556], [840, 572]];

// One vertex for each: a marker is drawn at it.
const vertices = (all) => `M${all.map(([x, y]) => `${x} ${y}`).join('L')}`;
const plates = PLATES.map(([x, y]) => `M${x - 46} ${y}a46 13 0 1 0 92 0a46 13 0 1 0 -92 0`).join('');

export const lamps = () => html`<svg class="lamps" viewBox="360 70 470 660" preserveAspectRatio="xMidYMid slice"><defs>
    <linearGradient id="lamps-sky" x2="0" y2="1"><stop offset="0" stop-color="#16263a"/><stop offset="1"
      stop-color="#4c5a5c"/></linearGradient>
    <linearGradient id="lamps-hill" x2="0" y2="1"><stop offset="0" stop-color="#25382f"/><stop offset="1"
      stop-color="#131f1b"/></linearGradient>
    <radialGradient id="lamps-glow"><stop offset="0" stop-color="#fff0bf"/><stop offset="0.2" stop-color="#ffd27a"
      stop-opacity="0.75"/><stop offset="1" stop-color="#ffb84d" stop-opacity="0"/></radialGradient>
    <marker id="lamps-lamp" markerUnits="userSpaceOnUse" markerWidth="108" markerHeight="108" refX="54" refY="54">
      <circle class="lamps-glow" cx="54" cy="54" r="54" fill="url(#lamps-glow)"/><circle cx="54" cy="54" r="9"
        fill="#fff7dc"/></marker>
    <marker id="lamps-candle" markerUnits="userSpaceOnUse" markerWidth="140" markerHeight="140" refX="70" refY="88">
      <circle cx="70" cy="70" r="70" fill="url(#lamps-glow)" opacity="0.8"/><path d="M55 108h30v-46h-30z"
        fill="#ffdf98" stroke="#3b2c20" stroke-width="4"/></marker></defs>
  <path fill="url(#lamps-sky)" d="M-1200 -400h3600v1200h-3600z"/>
  <path fill="#1a2c2a" d="M-1200 800V400c500 40 900 -60 1140 -40c94 82 175 82 269 0c79 14 147 14 226 0c83 -5 155 -5 238
    0c50 -82 94 -82 144 0c89 41 166 41 255 0c103 -120 192 -120 295 0c300 60 600 0 1033 40V800z"/>
  <path fill="url(#lamps-hill)" d="M-1200 800V470c400 -40 800 20 1140 -30c62 48 115 48 177 0c94 -37 175 -37 269 0c65 52
    120 52 185 0c110 -43 204 -43 314 0c52 -12 96 -12 148 0c101 61 188 61 289 0c400 -30 700 30 1078 10V1100H-1200z"/>
  <path fill="none" stroke="#0c1418" stroke-width="4" d="M-1200 60C-500 220 -300 20 -20 150C260 300 480 310 640 190S1000
    60 1220 170S2000 200 2400 60M-1200 160C-600 0 -300 -20 -20 60C300 200 720 240 1220 40S2000 0 2400 120"/>
  <path fill="none" marker-start="url(#lamps-lamp)" marker-mid="url(#lamps-lamp)" marker-end="url(#lamps-lamp)"
    d=${vertices(LAMPS)}/>
  <path fill="#efe6d2" d="M130 640l180-120h580l200 120z"/><path fill="#cfc2a8" d="M130 640h960l-20 90H150z"/>
  <path fill="none" marker-start="url(#lamps-candle)" marker-mid="url(#lamps-candle)" marker-end="url(#lamps-candle)"
    d=${vertices(CANDLES)}/>
  <path fill="#fffaf0" stroke="#bfb198" stroke-width="3" d=${plates}/></svg>`;
