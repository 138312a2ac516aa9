"""The templates of /ui.js need a document, so they are tested where there is one."""

import pytest


@pytest.fixture
def page(browser, demo_hub):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(15_000)
    page.goto(demo_hub.url)
    yield page
    context.close()


def run(page, body):
    """Runs `body` with the kit's names, a box in the page, and `settled`, which waits for the effects, and for
    the focus that comes near with the next frame."""
    return page.evaluate(f"""async () => {{
      const {{ computed, each, effect, element, ending, html, signal }} = (await import('/shell.js')).$ui;
      await import('/focus.js');
      const settled = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const box = document.body.appendChild(document.createElement('div'));
      {body}
    }}""")


def test_text_attributes_properties_and_listeners(page):
    assert run(page, """
      const name = signal('Ada');
      const off = signal(true);
      let pressed = 0;
      const press = () => { pressed += 1; };
      box.append(html`<p class=${name} hidden=${off} .title=${() => name() + '!'} @click=${press}>Ahoy ${name}</p>`);
      const p = box.querySelector('p');
      const now = () => [p.textContent, p.className, p.hidden, p.title];
      p.click();
      const before = now();
      name.set('Grace');
      off.set(false);
      await settled();
      return [before, now(), pressed];
    """) == [["Ahoy Ada", "Ada", True, "Ada!"], ["Ahoy Grace", "Grace", False, "Grace!"], 1]


def test_values_are_text_never_markup(page):
    assert run(page, """
      box.append(html`<p>${'<b>bold</b>'} ${() => '<i>'}</p>`);
      return box.textContent;
    """) == "<b>bold</b> <i>"


def test_a_keyed_list_moves_rows_and_keeps_them(page):
    assert run(page, """
      const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id }));
      const items = signal([a, b, c]);
      const ended = [];
      const row = ({ id }) => { ending(() => ended.push(id)); return html`<li>${id}</li>`; };
      box.append(html`<ul>${each(items, ({ id }) => id, row)}</ul>`);
      const first = box.querySelector('li');
      items.set([c, a]);
      await settled();
      const order = box.textContent;
      const same = box.querySelectorAll('li')[1] === first;
      items.set([c, { id: 'a' }, b]);
      await settled();
      return [order, same, box.textContent, box.querySelectorAll('li')[1] === first, ended];
    """) == ["ca", True, "cab", False, ["b", "a"]]


def test_who_goes_by_the_keyboard_keeps_the_place_when_it_is_drawn_anew(page):
    assert run(page, """
      const focused = () => document.activeElement.getAttribute('href');
      const names = signal(['a', 'b', 'b']);
      box.append(html`<ul>${() => names().map((name) =>
        html`<li><a href=${name}>${name}</a><button>Remove</button></li>`)}</ul><a href="#">else</a>`);
      const found = [];
      const draw = async (next) => { names.set(next); await settled(); found.push(focused()); };
      box.querySelectorAll('a')[1].focus();
      await draw(['x', 'a', 'b', 'b']);
      found.push([...box.querySelectorAll('a')].indexOf(document.activeElement));
      await draw(['x']);
      box.querySelector('[href="#"]').focus();
      await draw(['y']);
      return found;
    """) == ["b", 2, "x", "#"]


def test_the_focus_stays_in_the_row_of_its_item(page):
    assert run(page, """
      const items = signal(['a', 'b'].map((id) => ({ id })));
      box.append(html`${each(items, ({ id }) => id, ({ id }) => html`<p data-id=${id}><button>Remove</button></p>`)}`);
      box.querySelector('[data-id=b] button').focus();
      const found = [];
      for (const next of [['c', 'a', 'b'], ['b', 'c', 'a'], ['a', 'c']]) {
        items.set(next.map((id) => ({ id })));
        await settled();
        found.push(document.activeElement.closest('p')?.dataset.id ?? null);
      }
      const [a, c] = items.peek();
      box.querySelector('[data-id=a] button').focus();
      items.set([c, a]); // the same row elsewhere
      await settled();
      return [...found, document.activeElement.closest('p').dataset.id];
    """) == ["b", "b", "a", "a"]


def test_the_focus_of_what_goes_comes_to_what_is_near(page):
    assert run(page, """
      const items = signal(['a', 'b', 'c']);
      const [isOpen, isOff, isShown] = [signal(false), signal(false), signal(true)];
      box.append(html`<section><h2>Things</h2>
        <ul>${() => items().map((id) => html`<li><button>Name</button><button>${id}</button></li>`)}</ul>
        <div>${() => (isOpen() ? html`<div><button>Close</button></div>` : html`<form><input name="new"></form>`)}</div>
        <p><button id="up" disabled=${isOff}>Up</button><button>Down</button></p>
        <article hidden=${() => !isShown()}><button id="in">In</button></article></section>`);
      const found = [];
      const after = async (selector, change) => {
        box.querySelector(selector).focus();
        change();
        await settled();
        found.push(document.activeElement.textContent);
      };
      await after('li:nth-child(2) :last-child', () => items.set(['a', 'c'])); // the row that took its place
      await after('li:nth-child(2) :last-child', () => items.set(['a'])); // the row before
      await after('li :last-child', () => items.set([])); // no row is left
      isOpen.set(true);
      await settled();
      await after('div button', () => isOpen.set(false)); // a field: it would open a phone's keyboard
      await after('#up', () => isOff.set(true));
      await after('#in', () => isShown.set(false));
      return found;
    """) == ["c", "a", "Things", "Things", "Down", "Things"]


def test_the_focus_is_nobody_elses_to_move(page):
    assert run(page, """
      const isOn = signal(true);
      box.append(html`<h2>Things</h2><a href="#here">here</a>${() => (isOn() ? html`<button>Go</button>` : '')}
        <input id="own">`);
      const own = box.querySelector('#own');
      box.querySelector('button').focus();
      isOn.set(false);
      requestAnimationFrame(() => own.focus()); // as forms do that show their error
      const seen = [];
      box.addEventListener('focusin', ({ target }) => seen.push(target.localName));
      await settled();
      isOn.set(true);
      await settled();
      isOn.set(false);
      await settled();
      return [document.activeElement.id, seen];
    """) == ["own", ["input"]]


def test_what_a_changing_part_made_ends_with_it(page):
    assert run(page, """
      const on = signal(true);
      const text = signal('x');
      let reads = 0;
      box.append(html`${() => (on() ? html`<b>${() => { reads += 1; return text(); }}</b><i></i>` : '')}`);
      on.set(false);
      await settled();
      const empty = box.children.length;
      text.set('y');
      await settled();
      return [empty, reads];
    """) == [0, 1]


def test_an_element_ends_when_it_leaves_and_begins_again_when_it_returns(page):
    assert run(page, """
      const log = [];
      element('test-element', () => { log.push('begin'); ending(() => log.push('end')); return html`<p>here</p>`; });
      const it = document.createElement('test-element');
      box.append(it);
      document.body.append(it);
      await settled();
      const moved = [...log];
      it.remove();
      await settled();
      box.append(it);
      return [moved, log, it.textContent];
    """) == [["begin"], ["begin", "end", "begin"], "here"]
