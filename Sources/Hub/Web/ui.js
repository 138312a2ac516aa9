// Signals, templates and custom elements: all that our pages need of a framework.
//
//   const count = signal(0);
//   element('bell-count', () => html`<button @click=${() => count.set(count() + 1)}>${count} bells</button>`);
//
// A value in a template is inserted once; a function (every signal is one) is followed, and only the text, attribute or
// list in its place is updated when it changes. Attribute placeholders are whole and unquoted: class=${name}; `.name`
// sets a property, `@name` adds an event listener.

let reader = null; // the running computed value or effect, which records its sources
let owner = null; // the clean-up functions of the scope being created
const due = new Set();
let around = (draw) => draw();

/** Sets what runs each redraw, which is passed to it: see /focus.js. */
export const drawWithin = (wrap) => { around = wrap; };

/** A value that can be read by calling it, set with `set`, and read without being followed with `peek`. */
export function signal(value) {
  const source = { version: 0, readers: new Set(), refresh() {} };
  const read = () => (note(source), value);
  read.peek = () => value;
  read.set = (next) => {
    if (Object.is(next, value)) return;
    value = next;
    source.version += 1;
    for (const one of [...source.readers]) one.stale();
  };
  return read;
}

/**
 * A value computed from others, only when it is read and something has changed; an equal result counts as no change.
 */
export function computed(compute) {
  let value;
  let dirty = true;
  const source = { version: 0, readers: new Set(), refresh };
  const node = {
    sources: new Map(),
    stale() {
      if (dirty) return;
      dirty = true;
      for (const one of [...source.readers]) one.stale();
    },
  };
  function refresh() {
    if (!dirty) return;
    if (source.version === 0 || changed(node)) {
      const next = follow(node, compute);
      if (source.version === 0 || !Object.is(next, value)) {
        value = next;
        source.version += 1;
      }
    }
    dirty = false;
  }
  owner?.push(() => {
    release(node);
    source.version = 0; // readers get it computed again
    dirty = true;
  });
  const read = () => (refresh(), note(source), value);
  read.peek = () => (refresh(), value);
  return read;
}

/** Runs now, and again after each change of its sources; returns a function that ends it. */
export function effect(run) {
  const children = [];
  const node = {
    sources: new Map(),
    stale() {
      if (due.size === 0) queueMicrotask(() => around(flush));
      due.add(node);
    },
    run() {
      end(children);
      follow(node, () => within(children, run));
    },
  };
  const stop = () => {
    due.delete(node);
    release(node);
    end(children);
  };
  owner?.push(stop);
  node.run();
  return stop;
}

/** Adds a clean-up function to the effect or element being created. */
export const ending = (undo) => owner?.push(undo);

/** Listens to events of a target, as long as the effect or element being created. */
export function listening(target, names, act) {
  for (const name of names) target.addEventListener(name, act);
  ending(() => { for (const name of names) target.removeEventListener(name, act); });
}

function flush() {
  for (const node of due) { // a Set's iteration includes entries added meanwhile
    due.delete(node);
    try {
      if (changed(node)) node.run();
    } catch (error) { // one failing view must not stop the others
      queueMicrotask(() => { throw error; });
    }
  }
}

function note(source) {
  if (!reader) return;
  if (!reader.sources.has(source)) reader.sources.set(source, source.version);
  source.readers.add(reader);
}

function changed(node) {
  for (const [source, version] of node.sources) {
    source.refresh();
    if (source.version !== version) return true;
  }
  return false;
}

function follow(node, run) {
  release(node);
  const before = reader;
  reader = node;
  try { return run(); } finally { reader = before; }
}

function release(node) {
  for (const source of node.sources.keys()) source.readers.delete(node);
  node.sources.clear();
}

function within(endings, run) {
  const before = owner;
  owner = endings;
  try { return run(); } finally { owner = before; }
}

/**
 * Runs with its own cleanup and without tracking: signals read while a row or an element is made do not concern its
 * maker.
 */
function apart(endings, run) {
  const before = reader;
  reader = null;
  try { return within(endings, run); } finally { reader = before; }
}

function end(endings) {
  for (const undo of endings.splice(0)) undo();
}

const templates = new WeakMap();

/** A template as a document fragment, with its placeholders filled and followed. */
export function html(strings, ...values) {
  if (!templates.has(strings)) templates.set(strings, prepare(strings));
  const { template, names } = templates.get(strings);
  const fragment = document.importNode(template.content, true); // imported, so that custom elements are upgraded
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT);
  const holes = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeType === Node.COMMENT_NODE) {
      if (node.data.startsWith('hole-')) holes.push([node, Number(node.data.slice(5))]);
    } else {
      const marked = node.getAttributeNames().filter((name) => name.startsWith('hole-'));
      for (const name of marked) holes.push([node, Number(name.slice(5))]);
    }
  }
  for (const [node, index] of holes) {
    if (names[index]) attribute(node, names[index], values[index], index);
    else content(node, values[index]);
  }
  return fragment;
}

function prepare(strings) {
  const names = [];
  let markup = '';
  strings.forEach((text, index) => {
    markup += text;
    if (index === strings.length - 1) return;
    const inside = markup.lastIndexOf('<') > markup.lastIndexOf('>');
    const name = inside ? /([@.]?[\w:-]+)=$/.exec(markup)?.[1] : undefined;
    if (inside && !name) throw new SyntaxError(`A hole in a tag must be a whole, unquoted attribute: ${text}`);
    names.push(name);
    markup = name ? `${markup.slice(0, -name.length - 1)}hole-${index}` : `${markup}<!--hole-${index}-->`;
  });
  const template = document.createElement('template');
  template.innerHTML = markup;
  return { template, names };
}

function attribute(node, name, value, index) {
  node.removeAttribute(`hole-${index}`);
  if (name[0] === '@') return node.addEventListener(name.slice(1), value);
  const put = (now) => {
    if (name[0] === '.') node[name.slice(1)] = now;
    else if (now === false || now === null || now === undefined) node.removeAttribute(name);
    // ARIA's states are words: an empty one says nothing.
    else node.setAttribute(name, now === true ? name.startsWith('aria-') || '' : now);
  };
  if (typeof value === 'function') effect(() => put(value()));
  else put(value);
}

const fragmentOf = (value) => {
  if (value instanceof Node) return value;
  if (!Array.isArray(value)) return document.createTextNode(value ?? '');
  const all = document.createDocumentFragment();
  all.append(...value.map(fragmentOf));
  return all;
};

function content(mark, value) {
  if (value?.each) return list(mark, value);
  if (typeof value !== 'function') return mark.replaceWith(fragmentOf(value));
  const start = document.createComment('');
  mark.before(start);
  effect(() => {
    const next = fragmentOf(value());
    const only = start.nextSibling;
    if (next.nodeType === Node.TEXT_NODE && only.nodeType === Node.TEXT_NODE && only.nextSibling === mark) {
      only.data = next.data; // changed text keeps its node: less work, and a selection survives
      return;
    }
    const between = () => nodes(start.nextSibling, mark);
    keepingFocus(between(), () => {
      for (const node of between()) node.remove();
      mark.before(next);
    }, between);
  });
}

function nodes(from, until) {
  const all = [];
  for (let node = from; node !== until; node = node.nextSibling) all.push(node);
  return all;
}

/**
 * Draws something anew; what had the focus in the nodes `before` gives it to that which says the same in `after()`.
 * Whoever goes by the keyboard, or has a page read aloud, would begin at its top again.
 */
function keepingFocus(before, draw, after) {
  const focused = document.activeElement;
  if (!focused || focused === document.body || !before.some((node) => node.contains(focused))) return draw();
  const says = saidBy(focused);
  const alike = (roots) => roots.filter((node) => node.nodeType === Node.ELEMENT_NODE)
    .flatMap((node) => [node, ...node.querySelectorAll(focused.localName)]).filter((one) => saidBy(one) === says);
  const place = alike(before).indexOf(focused);
  draw();
  const found = alike(after());
  (found[place] ?? found.at(-1))?.focus({ preventScroll: true });
}

const saidBy = (node) => [
  node.localName, node.id, ...['name', 'href', 'aria-label'].map((name) => node.getAttribute(name)), node.textContent,
].join('\n');

/** A keyed list: a row with the same item object keeps its element. `view` returns one element. */
export const each = (items, key, view) => ({ each: items, key, view });

function list(mark, { each: items, key, view }) {
  const rows = new Map();
  ending(() => { for (const row of rows.values()) end(row.endings); });
  effect(() => {
    const wanted = items();
    const gone = new Set(rows.keys());
    let next = mark;
    for (const item of [...wanted].reverse()) {
      const id = key(item);
      gone.delete(id);
      const before = rows.get(id);
      let row = before;
      if (before?.item !== item) {
        if (before) end(before.endings);
        row = { item, endings: [] };
        row.element = apart(row.endings, () => view(item)).firstElementChild;
        rows.set(id, row);
      }
      if (row.element.nextSibling !== next) {
        keepingFocus(before ? [before.element] : [], () => {
          if (before !== row) before?.element.remove();
          next.parentNode.insertBefore(row.element, next);
        }, () => [row.element]);
      }
      next = row.element;
    }
    for (const id of gone) {
      drop(rows.get(id));
      rows.delete(id);
    }
  });
}

function drop(row) {
  end(row.endings);
  row.element.remove();
}

/**
 * Defines a custom element: `setup(host)` returns its content; it is called when the element enters the page, and
 * cleaned up when it leaves.
 */
export function element(tag, setup) {
  customElements.define(tag, class extends HTMLElement {
    #endings = [];
    #alive = false;

    connectedCallback() {
      if (this.#alive) return;
      this.#alive = true;
      this.replaceChildren(apart(this.#endings, () => setup(this)));
    }

    disconnectedCallback() {
      queueMicrotask(() => { // an element that is only moved is connected again by now
        if (this.isConnected) return;
        this.#alive = false;
        end(this.#endings);
      });
    }
  });
}

/** Adds a style sheet, unless the page has it. Resolved also without it: the content is more than its looks. */
export const styled = (href) => new Promise((resolve) => {
  let link = document.querySelector(`link[rel="stylesheet"][href="${href}"]`);
  if (link?.sheet) return void resolve();
  if (!link) {
    link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    document.head.append(link);
  }
  link.addEventListener('load', resolve);
  link.addEventListener('error', resolve);
});
