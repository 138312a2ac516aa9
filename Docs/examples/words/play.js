// The page: the form at first, then the table, drawn anew when something has changed.

import { app } from './config.js';
import { endOf, fits, SHORTEST, standings, taken, winners } from './rules.js';
import { DUPLICATE, REFUSED, sitDown } from './table.js';
import { language, text } from './texts.js';

const main = document.querySelector('main');
document.documentElement.lang = language;
document.title = text.title;

/** An element with attributes, listeners (`onclick`) and children. */
function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('on') || name === 'value') element[name] = value;
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

const asked = new URLSearchParams(location.hash.slice(1)).get('table');
const clean = (table) => table.trim().toLowerCase().replace(/[^\p{L}\d]+/gu, '-').replace(/[^a-z\d-]/g, '') || '1';

function form(problem = '') {
  const sit = async (event) => {
    event.preventDefault();
    const { elements } = event.target;
    const [name, table] = [elements.name.value.trim(), clean(elements.table.value)];
    localStorage.setItem('name', name);
    location.hash = new URLSearchParams({ table });
    elements.sit.disabled = true;
    try {
      await play(name, table);
    } catch {
      main.replaceChildren(form(text.failed));
    }
  };
  return make('form', { class: 'card', onsubmit: sit }, make('h1', {}, text.title), make('p', {}, text.intro),
    make('label', {}, text.name, make('input', {
      name: 'name', required: true, maxlength: '20', autocomplete: 'nickname',
      value: localStorage.getItem('name') ?? '',
    })),
    make('label', {}, text.table, make('input', {
      name: 'table', required: true, maxlength: '30', autocomplete: 'off', value: asked ?? 'anchor',
      'aria-describedby': 'hint',
    })),
    make('p', { id: 'hint', class: 'quiet' }, text.tableHint),
    make('p', { class: 'problem', role: 'alert' }, problem),
    make('button', { name: 'sit', class: 'primary' }, text.sit));
}

async function play(name, table) {
  const sea = make('p', { class: 'quiet' }, text.at(table));
  const clock = make('p', { class: 'clock', role: 'timer' });
  const said = make('p', { class: 'said', role: 'status' });
  const players = make('ul', { class: 'players', 'aria-label': text.players });
  const board = make('div', { class: 'board' });
  let state = null;
  let seat = null;
  let laid = []; // the places of the tiles that make the word, in order
  let chosen = language;
  let shown = ''; // the round, and if it runs: the board is drawn anew when this changes
  let told = 0; // words that were said already

  const letters = () => [...state.round.letters];
  const word = () => laid.map((place) => letters()[place]).join('');
  const isRunning = () => Boolean(seat && state.round && seat.now() < endOf(state.round));
  const lay = (places) => {
    laid = places;
    seat.lay(laid.length);
    drawWord();
  };

  function type(letter) {
    const place = letters().findIndex((one, index) => one === letter && !laid.includes(index));
    if (place >= 0) lay([...laid, place]);
  }

  async function take() {
    const now = word();
    if ([...now].length < SHORTEST) return say(text.short);
    if (!fits(now, state.round.letters)) return say(text.other);
    if (taken(state.round, state.words).some((one) => one.word.toLowerCase() === now)) return say(text.gone(now));
    lay([]);
    try {
      await seat.take(now);
      return null;
    } catch (error) {
      if (error.code === DUPLICATE) return say(text.gone(now));
      return say(error.code === REFUSED ? text.unknown(now) : text.failed);
    }
  }

  const say = (sentence) => { said.textContent = sentence; };

  function drawPlayers() {
    const points = state.round ? standings(state.round, state.words) : new Map();
    players.replaceChildren(...[...state.players].map(([id, who], index) => {
      const { best, points: count } = points.get(id) ?? { best: [], points: 0 };
      const count0 = isRunning() && id !== state.me ? state.laying.get(id) ?? 0 : 0;
      return make('li', { 'data-seat': String(index) },
        make('span', { class: 'face', 'aria-hidden': 'true' }, [...who][0] ?? '?'),
        make('span', { class: 'who' }, make('strong', {}, who), id === state.me ? ` (${text.you})` : '',
          make('small', {}, count0 ? text.laying(count0) : best.join(', '))),
        make('b', { 'aria-label': text.points(count) }, String(count)));
    }));
  }

  function drawWord() {
    const line = board.querySelector('output');
    if (!line) return;
    line.textContent = word() || '\u00a0';
    board.querySelectorAll('.tile').forEach((tile, place) => {
      tile.setAttribute('aria-pressed', String(laid.includes(place)));
    });
  }

  function drawBoard() {
    const running = isRunning();
    const now = `${state.round?.id} ${running}`;
    if (now === shown) return;
    shown = now;
    if (!running) {
      board.replaceChildren(...between());
      return;
    }
    laid = [];
    told = 0;
    say('');
    const press = (place) => lay(laid.includes(place) ? laid.filter((one) => one !== place) : [...laid, place]);
    board.replaceChildren(
      make('output', { class: 'word', 'aria-label': text.word }),
      make('div', { class: 'tiles', role: 'group', 'aria-label': text.letters }, letters().map((letter, place) =>
        make('button', { class: 'tile', type: 'button', 'aria-pressed': 'false', onclick: () => press(place) },
          letter.toUpperCase()))),
      make('div', { class: 'row' }, make('button', { type: 'button', onclick: () => lay([]) }, text.clear),
        make('button', { type: 'button', class: 'primary', onclick: take }, text.take)));
    drawWord();
  }

  function between() {
    const won = state.round ? winners(state.round, state.words).map((id) => state.players.get(id) ?? '?') : null;
    const choice = (name) => make('label', {}, make('input', {
      type: 'radio', name: 'language', checked: chosen === name, onchange: () => { chosen = name; },
    }), text[name]);
    const begin = async ({ target }) => {
      target.disabled = true;
      await seat.begin(chosen).catch(() => say(text.failed));
      target.disabled = false;
    };
    return [
      won ? make('p', { class: 'won', role: 'status' }, won.length ? text.won(won) : text.nobody) : null,
      state.players.size < 2 ? make('p', { class: 'quiet' }, text.alone) : null,
      make('fieldset', {}, make('legend', {}, text.language), choice('de'), choice('en')),
      make('button', { type: 'button', class: 'primary', onclick: begin }, state.round ? text.again : text.start),
    ].filter(Boolean);
  }

  function drawWords() {
    if (!state.round) return;
    const all = taken(state.round, state.words);
    const last = all.at(-1);
    if (all.length > told && last) say(text.tookIt(state.players.get(last.player) ?? '?', last.word));
    told = all.length;
  }

  function tick() {
    const left = isRunning() ? Math.ceil((endOf(state.round) - seat.now()) / 1000) : 0;
    clock.textContent = left ? String(left) : '';
    clock.style.setProperty('--left', String(left));
    if (left) clock.setAttribute('aria-label', text.seconds(left));
    drawBoard();
  }

  function draw() {
    if (!seat) return;
    if (state.isFull) {
      clearInterval(ticking);
      main.replaceChildren(form(text.full));
      return;
    }
    document.body.toggleAttribute('data-lost', state.isLost);
    if (!isRunning()) shown = ''; // who sits there stands on the board between two rounds
    tick();
    drawPlayers();
    drawWords();
  }

  let ticking;
  seat = await sitDown({ app, table, name }, (now) => {
    state = now;
    draw();
  });
  ticking = setInterval(tick, 200);
  addEventListener('keydown', (event) => {
    if (!isRunning() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') take();
    else if (event.key === 'Backspace') lay(laid.slice(0, -1));
    else if (event.key === 'Escape') lay([]);
    else type(event.key.toLowerCase());
    if (event.key === 'Enter') event.preventDefault();
  });
  main.replaceChildren(make('div', { class: 'table' },
    make('header', {}, make('div', {}, make('h1', {}, text.title), sea), clock),
    players, said, board, make('p', { class: 'lost', role: 'status' }, text.lost)));
  draw();
}

main.replaceChildren(form());
