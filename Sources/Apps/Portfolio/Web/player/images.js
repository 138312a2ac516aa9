// Pictures as elements show them: object addresses of their files, and their placeholders.

import { bytesOf, colourOf, decode } from '/pictures/thumbhash.js';

/** The placeholder as the address of a picture that has the proportions of the real one. */
export function placeholderOf({ placeholder, width: wide, height: high }) {
  const hash = placeholder ? bytesOf(placeholder) : null;
  if (!hash) return '';
  const { width, height, pixels } = decode(hash);
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  const scaled = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide || 3}" height="${high || 2}" viewBox="0 0 1 1"
    preserveAspectRatio="none"><image href="${canvas.toDataURL()}" width="1" height="1" preserveAspectRatio="none"/>
    </svg>`;
  return `data:image/svg+xml,${encodeURIComponent(scaled)}`;
}

/** Tells 'again' when what could not be had may be had now. */
export class Images extends EventTarget {
  #small = new Map(); // promises of addresses, by picture and version

  constructor(source) {
    super();
    this.source = source;
  }

  again() { this.dispatchEvent(new Event('again')); }

  /** The address of a small picture, which stays. */
  small(picture) {
    const key = `${picture.id} ${picture.version}`;
    if (!this.#small.has(key)) {
      const coming = this.source.file(picture, '320').then((file) => URL.createObjectURL(file));
      coming.catch(() => this.#small.delete(key));
      this.#small.set(key, coming);
    }
    return this.#small.get(key);
  }

  /**
   * Shows a picture's file in an `<img>`; its address is let go of as soon as it is loaded. Resolved with false if only
   * the small one could be had.
   */
  async show(image, picture) {
    const large = await this.source.file(picture, '2048').catch(() => null);
    const file = large ?? await this.source.file(picture, '320');
    const address = URL.createObjectURL(file);
    try {
      image.src = address;
      await image.decode();
    } finally {
      URL.revokeObjectURL(address);
    }
    return large !== null;
  }
}

/** Fills small pictures when they come near the screen. */
export class Thumbs {
  #pictures = new Map();
  #missed = new Map();

  constructor(images, root = null) {
    this.images = images;
    this.observer = new IntersectionObserver((seen) => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) this.#fill(target);
    }, { root, rootMargin: '400px' });
    images.addEventListener('again', () => {
      const missed = [...this.#missed];
      this.#missed.clear();
      for (const [key, picture] of missed) this.#watch(key, picture);
    });
  }

  /** A key with a picture: `label` names it, `press` is called when it is chosen. */
  make(picture, label, press) {
    const key = Object.assign(document.createElement('button'), { type: 'button', className: 'thumb' });
    const image = Object.assign(new Image(), { alt: '', draggable: false, decoding: 'async' });
    key.setAttribute('aria-label', label);
    key.style.setProperty('--ar', picture.width > 0 && picture.height > 0
      ? Math.min(4, Math.max(0.4, picture.width / picture.height)) : 1.5);
    key.style.backgroundColor = colourOf(picture);
    key.append(image);
    key.addEventListener('click', press);
    this.#watch(key, picture);
    return key;
  }

  #watch(key, picture) {
    this.#pictures.set(key, picture);
    this.observer.observe(key);
  }

  async #fill(key) {
    this.observer.unobserve(key);
    const picture = this.#pictures.get(key);
    this.#pictures.delete(key);
    if (!picture) return;
    const address = await this.images.small(picture).catch(() => '');
    if (address) key.firstElementChild.src = address;
    else this.#missed.set(key, picture);
  }

  /** Begins anew: all that was made before is no longer shown. */
  clear() {
    this.observer.disconnect();
    this.#pictures.clear();
    this.#missed.clear();
  }
}
