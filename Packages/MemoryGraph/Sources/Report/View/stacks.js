// Call stacks: the system's calls in grey, the program's own with their lines, which an editor can open.

import { graph } from './data.js';
import { button, element } from './elements.js';
import { words } from './words.js';

const editors = {
  '': '', vscode: 'vscode://file{file}:{line}', zed: 'zed://file{file}:{line}',
  idea: 'idea://open?file={file}&line={line}', other: '',
};
// Only stored where the browser permits it for files.
const kept = (name, value) => {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name) ?? '';
  } catch { return value ?? ''; }
};
let pattern = kept('memory-editor');

/** An address for the reader's editor; never one that the browser would run or open itself. */
export function editorLink(file, line) {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(pattern)?.[1].toLowerCase();
  if (!scheme || ['javascript', 'data', 'vbscript', 'blob', 'file', 'about'].includes(scheme)) return undefined;
  const path = file.split('/').map(encodeURIComponent).join('/');
  return pattern.replaceAll('{file}', () => path).replaceAll('{line}', () => String(line));
}

/** A line of the sources: with a link into the editor, and a button that copies it. */
export function place(file, line) {
  const text = `${file}:${line}`;
  const link = editorLink(file, line);
  const name = text.split('/').slice(-1)[0];
  return element('span', { class: 'place' },
    link ? element('a', { href: link, title: text }, name) : element('code', { title: text }, name),
    button(words.copy, async (event) => {
      const { target } = event;
      await copyText(text);
      target.textContent = words.copied;
      setTimeout(() => { target.textContent = words.copy; }, 1500);
    }, { class: 'copy', 'aria-label': `${words.copy}: ${text}` }));
}

/** Not every browser has a clipboard for files; copying a selection works in all. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.body.appendChild(element('textarea', { class: 'offscreen' }));
    field.value = text;
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

function chooser() {
  const known = Object.entries(editors).find(([name, link]) => link === pattern && name !== 'other')?.[0] ?? 'other';
  const named = { 'aria-label': words.pattern, placeholder: words.pattern };
  const other = element('input', { type: 'text', value: pattern, ...named });
  other.hidden = known !== 'other';
  const names = { '': words.noEditor, vscode: 'VS Code', zed: 'Zed', idea: 'IntelliJ IDEA', other: words.other };
  const choice = element('select', { onchange: () => {
    other.hidden = choice.value !== 'other';
    if (other.hidden) use(editors[choice.value]);
    else other.focus();
  } }, ...Object.keys(editors).map((name) => element('option', { value: name }, names[name])));
  choice.value = known;
  other.addEventListener('change', () => use(other.value));
  return element('p', { class: 'editor' }, element('label', {}, `${words.openWith} `, choice), other);
}

let refresh = () => {};
export function whenEditorChanges(then) { refresh = then; }
function use(link) {
  pattern = kept('memory-editor', link);
  refresh();
}

/** A stack by its number; nothing without one. */
export function stackOf(title, number) {
  const stack = graph.stacks?.[number];
  if (!stack) return [];
  const frames = stack.map((one) => graph.frames[one]);
  return [
    element('h3', {}, title),
    element('ol', { class: 'stack' }, ...frames.map(([name, image, own, file, line]) => element(
      'li', { class: own ? 'own' : 'system', title: image }, element('span', {}, name),
      own && file ? place(file, line) : ''))),
    frames.some(([, , own, file]) => own && file) ? chooser() : '',
  ];
}

/** The allocation of the first of the blocks that has a stack. */
export function whereOf(nodes) {
  const node = nodes.find((one) => graph.allocatedAt?.[one]);
  return node === undefined ? [] : stackOf(words.allocated, graph.allocatedAt[node] - 1);
}
