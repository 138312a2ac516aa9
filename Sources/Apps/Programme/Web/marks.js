// Further marks on rows: favourites, and notes that other modules add. Rows are updated when any of these change.

import { effect } from '/ui.js';
import { favourites } from '/programme/favourites-list.js';
import { programmeWords as words } from '/programme/programme-words.js';
import { words as listWords } from '/programme/words.js';

const HEART = 'M12 20.3C7.3 16.4 3.5 13 3.5 9.1A4.6 4.6 0 0 1 8.1 4.5c1.6 0 3 .8 3.9 2.1.9-1.3 2.3-2.1 3.9-2.1a4.6 '
  + '4.6 0 0 1 4.6 4.6c0 3.9-3.8 7.3-8.5 11.2z';

const template = document.createElement('template');
template.innerHTML = `<button type="button" class="heart" aria-pressed="false"><svg viewBox="0 0 24 24"
  aria-hidden="true"><path d="${HEART}"/></svg></button>`;

/** The heart that marks an event; `day` tells it from the same event's on other days. */
export function heartButton(event, day) {
  const button = template.content.firstChild.cloneNode(true);
  button.setAttribute('aria-label', words.favourite(event.title || listWords.untitled, day));
  button.event = event;
  press(button);
  return button;
}

function press(heart) {
  const isKept = String(favourites.peek().has(heart.event.id));
  if (heart.getAttribute('aria-pressed') !== isKept) heart.setAttribute('aria-pressed', isKept);
}

/** The sources of notes on a row: functions of the event that return elements. */
const sources = [];

function stamp(row) {
  if (row.heart) press(row.heart);
  const notes = sources.flatMap((source) => source(row.event));
  if (notes.length || row.notes.firstChild) row.notes.replaceChildren(...notes);
}

/** Adds the heart and the notes to a row of this day. */
export function mark(row, isPart, day) {
  row.notes = document.createElement('span');
  row.notes.className = 'event-notes';
  row.querySelector('.event-what').append(row.notes);
  if (!isPart) {
    row.heart = heartButton(row.event, day);
    row.append(row.heart);
  }
  stamp(row);
}

/** Adds a source of notes; `follow` reads the signals that it depends on. */
export function addNotes(source, follow) {
  sources.push(source);
  followRows(follow);
}

function followRows(follow) {
  effect(() => {
    follow();
    for (const row of document.getElementsByClassName('event-item')) stamp(row);
    for (const heart of document.getElementsByClassName('heart')) press(heart);
  });
}

followRows(favourites);

let early = []; // the events whose hearts were pressed before that could be stored
let toggle = (event) => early.push(event);

/** Sets the function that makes an event a favourite, or no longer one. */
export function onHearts(act) {
  toggle = act;
  early.forEach(act);
  early = [];
}

document.addEventListener('click', ({ target }) => {
  const heart = target.closest?.('.heart');
  if (!heart) return;
  heart.classList.add('heart-pressed'); // animated only when pressed, not when drawn
  toggle(heart.event);
});
