// The menu of a block: by a right click, a long press or the menu key.

import { addressOf, callsOf, isLeaked, typeOf } from './data.js';
import { $, button, element } from './elements.js';
import { copyText, editorLink } from './stacks.js';
import { words } from './words.js';

const longPress = 550; // milliseconds
const still = 10; // pixels that a finger may move meanwhile

/** The program's own call that allocated a block, as [file, line]; undefined if unknown. */
function allocationOf(node) {
  const frame = callsOf(node).find(([, , own, file]) => own && file);
  return frame && [frame[3], frame[4]];
}

/** Opens a line in the reader's editor, or copies it where none is chosen. */
function openLine([file, line]) {
  const link = editorLink(file, line);
  if (link) element('a', { href: link }).click();
  else copyText(`${file}:${line}`);
}

function entries(node, actions) {
  const line = (name, at) => [at ? `${name}: ${at[0].split('/').pop()}:${at[1]}` : `${name}: ${words.notKnown}`,
    at && (() => openLine(at))];
  return [
    line(words.definition, typeOf(node).defined), line(words.allocation, allocationOf(node)),
    [words.centre, () => actions.centre(node)],
    [isLeaked(node) ? words.whyLeaked : words.why, () => actions.why(node)],
    [words.copyAddress, () => copyText(addressOf(node))],
  ];
}

let close = () => {};

function openMenu(node, x, y, actions, canvas) {
  close();
  const menu = $('menu');
  const items = entries(node, actions).map(([text, does]) => button(text, () => {
    if (!does) return;
    close();
    does();
  }, { role: 'menuitem', ...(does ? {} : { 'aria-disabled': 'true' }) }));
  menu.replaceChildren(...items);
  menu.hidden = false;
  menu.setAttribute('aria-label', `${typeOf(node).name} ${addressOf(node)}`);
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
  menu.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
  const outside = (event) => { if (!menu.contains(event.target)) close(); };
  addEventListener('pointerdown', outside, true);
  close = () => {
    removeEventListener('pointerdown', outside, true);
    menu.hidden = true;
    close = () => {};
    canvas.focus({ preventScroll: true });
  };
  items[0].focus();
}

function key(event) {
  const items = [...$('menu').children];
  const at = items.indexOf(document.activeElement);
  const to = {
    ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - 1) % items.length, Home: 0, End: items.length - 1,
  }[event.key];
  if (to !== undefined) items[to].focus();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (event.key !== 'Enter' && event.key !== ' ') return;
  event.stopPropagation();
  if (event.key !== 'Enter' && event.key !== ' ') event.preventDefault();
}

/**
 * @param blockAt the block at a place of the picture; undefined without one.
 * @param chosen the chosen block and its place on the screen, as [node, x, y]; undefined without one.
 * @param actions { centre, why }: the page's actions for a block.
 */
export function startMenu(canvas, blockAt, chosen, actions) {
  $('menu').addEventListener('keydown', key);
  const openAt = ({ clientX, clientY }) => {
    const frame = canvas.getBoundingClientRect();
    const node = blockAt(clientX - frame.left, clientY - frame.top);
    if (node !== undefined) openMenu(node, clientX, clientY, actions, canvas);
    return node !== undefined;
  };
  canvas.addEventListener('contextmenu', (event) => {
    if (!$('menu').hidden || openAt(event)) event.preventDefault();
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
    const found = chosen();
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    openMenu(...found, actions, canvas);
  });
  // Not every browser reports a long press as a menu.
  let timer;
  const stop = () => clearTimeout(timer);
  canvas.addEventListener('pointerdown', (down) => {
    stop();
    if (down.pointerType !== 'touch' || !down.isPrimary) return;
    const move = (event) => {
      if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > still) stop();
    };
    canvas.addEventListener('pointermove', move);
    const end = () => {
      stop();
      for (const name of ['pointerup', 'pointercancel']) canvas.removeEventListener(name, end);
      canvas.removeEventListener('pointermove', move);
    };
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, end);
    timer = setTimeout(() => { if ($('menu').hidden) openAt(down); }, longPress);
  });
}
