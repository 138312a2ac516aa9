// A gallery on the wall: its name, how many pictures it has, and the pictures. Its elements are used for one gallery
// after the other.

import { hashOf } from '/portfolio/view/plate.js';
import { Film } from '/portfolio/wall/film.js';

const make = (tag, className) => Object.assign(document.createElement(tag), { className });

export class Strip {
  gallery = null;
  portfolio = null;

  /** `wall` gives measures, words and pictures; see Wall. */
  constructor(wall) {
    this.wall = wall;
    this.element = make('section', 'gallery');
    this.head = document.createElement('h3');
    [this.name, this.count, this.kept] = [make('a', 'gallery-name'), make('small', ''), make('span', 'part-kept')];
    this.group = make('span', 'gallery-group');
    this.head.append(this.group, this.name, this.count, this.kept);
    this.film = new Film({
      open: (index) => wall.open(this.portfolio.id, this.gallery.id, this.film.pictures[index]?.id),
      labelOf: (picture, index) => wall.labelOf(picture, index, this.film.pictures.length),
      keyed: (key) => wall.keyed(this, key),
    });
    this.element.append(this.head, this.film.box);
    this.film.box.addEventListener('scroll', () => {
      if (this.gallery) wall.places.set(this.key, this.film.box.scrollLeft);
    }, { passive: true });
  }

  get key() { return `${this.portfolio.id}/${this.gallery.id}`; }

  /**
   * `group` is the name of what begins with this gallery; empty within it. An element that `hasMoved` is scrolled back,
   * since it forgets where it was.
   */
  bind(portfolio, gallery, top, group, hasMoved) {
    const isOther = this.gallery?.id !== gallery.id || this.portfolio?.id !== portfolio.id;
    if (isOther) this.film.active = -1;
    Object.assign(this, { portfolio, gallery });
    this.element.hidden = false;
    this.element.style.transform = `translateY(${top}px)`;
    this.group.textContent = group;
    this.name.textContent = gallery.title;
    this.count.textContent = this.wall.countOf(gallery);
    this.film.box.setAttribute('aria-label', this.wall.stripLabel(gallery));
    this.fill(isOther || hasMoved);
    this.tellKept();
  }

  /** Shows the gallery's pictures, if they are known by now; with `isBack`, scrolled as they were last. */
  fill(isBack = true) {
    const { library, measures, places } = this.wall;
    const pictures = library.pictures(this.portfolio.id, this.gallery.id);
    this.film.box.setAttribute('aria-busy', String(!pictures));
    if (!pictures) library.load(this.portfolio.id, this.gallery.id);
    this.name.href = hashOf(this.portfolio.id, this.gallery.id, pictures?.[0]?.id ?? '');
    this.film.wide = this.wall.wide;
    this.film.show(pictures ?? [], { ...measures, left: isBack ? places.get(this.key) ?? 0 : undefined });
  }

  tellKept() { this.kept.textContent = this.wall.keptOf(this.portfolio, this.gallery); }

  free() {
    this.element.hidden = true;
    this.film.clear();
    this.gallery = null;
  }
}
