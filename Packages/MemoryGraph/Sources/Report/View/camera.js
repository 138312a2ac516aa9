// The part of the world in the picture, moved by wheel, mouse, fingers and keys, smoothly unless the reader prefers
// reduced motion.

const frame = 16; // milliseconds
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** `x` and `y` are the point in the picture's middle; `scale` is the pixels of one unit of the world. */
export class Camera {
  x = 0;
  y = 0;
  scale = 1;
  width = 1;
  height = 1;
  #goal = null;
  #from = null;

  /** Pixels at the picture's edges that are covered by other elements. */
  covered = { top: 0, bottom: 0 };
  /** The largest and the smallest scale. */
  most = 8;
  least = 0.001;

  constructor(draw) { this.draw = draw; }

  get isMoving() { return this.#goal !== null; }
  toScreen(x, y) { return [(x - this.x) * this.scale + this.width / 2, (y - this.y) * this.scale + this.height / 2]; }
  toWorld(x, y) { return [(x - this.width / 2) / this.scale + this.x, (y - this.height / 2) / this.scale + this.y]; }

  move(goal, milliseconds = 260) {
    if (milliseconds && !still.matches) {
      this.#goal = { ...goal, milliseconds };
      this.#from = { x: this.x, y: this.y, scale: this.scale, start: undefined };
    } else {
      this.#goal = null;
      [this.x, this.y, this.scale] = [goal.x, goal.y, goal.scale];
    }
    this.draw();
  }

  /** One frame of a movement; the scale changes at a constant ratio, and the point under the finger stays there. */
  step(now) {
    if (!this.#goal) return;
    const [from, to] = [this.#from, this.#goal];
    from.start ??= now - frame; // turning the wheel restarts the movement in every frame
    const passed = Math.min((now - from.start) / to.milliseconds, 1);
    const eased = 1 - (1 - passed) ** 3;
    this.scale = from.scale * (to.scale / from.scale) ** eased;
    const isSame = Math.abs(to.scale / from.scale - 1) < 1e-6;
    const part = isSame ? eased : (1 / this.scale - 1 / from.scale) / (1 / to.scale - 1 / from.scale);
    this.x = from.x + (to.x - from.x) * part;
    this.y = from.y + (to.y - from.y) * part;
    if (passed === 1) this.#goal = null;
    else this.draw();
  }

  /** Around a point of the picture, in pixels. */
  zoom(factor, at = [this.width / 2, this.height / 2], milliseconds = 140) {
    const goal = this.#goal ?? this;
    const scale = Math.min(Math.max(goal.scale * factor, this.least), this.most);
    const [dx, dy] = [at[0] - this.width / 2, at[1] - this.height / 2];
    this.move({
      x: goal.x + dx / goal.scale - dx / scale, y: goal.y + dy / goal.scale - dy / scale, scale,
    }, milliseconds);
  }

  /** Moves by pixels. */
  pan(dx, dy, milliseconds = 0) {
    const goal = this.#goal && milliseconds ? this.#goal : this;
    this.move({ x: goal.x + dx / goal.scale, y: goal.y + dy / goal.scale, scale: goal.scale }, milliseconds);
  }

  /** Resizes to the canvas, in device pixels; returns true if that has changed. */
  resize(canvas) {
    const ratio = Math.min(devicePixelRatio, 2);
    const { clientWidth, clientHeight } = canvas;
    if (!clientWidth || (clientWidth === this.width && clientHeight === this.height)) return false;
    [canvas.width, canvas.height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    [this.width, this.height] = [clientWidth, clientHeight];
    return true;
  }

  /** The scale at which all of the bounds are visible; a small picture is not enlarged beyond `largest`. */
  fitting(bounds, largest = 1.25) {
    const { top, bottom } = this.covered;
    return Math.min(this.width / bounds.width, (this.height - top - bottom) / bounds.height, largest);
  }

  /** Shows all of the bounds. */
  fit(bounds, milliseconds = 0, largest = 1.25) {
    const { top, bottom } = this.covered;
    const scale = this.fitting(bounds, largest);
    this.least = Math.min(scale / 2, 0.2);
    const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2];
    this.move({ x, y: y + (bottom - top) / 2 / scale, scale }, milliseconds);
  }
}

/** Handles wheel, mouse and fingers. `click`, `doubleClick` and `hover` receive the point in pixels. */
export function steer(canvas, camera, { click, doubleClick, hover }) {
  const fingers = new Map();
  let moved = 0;
  let last = { time: 0, x: 0, y: 0 };
  const place = (event) => {
    const frame = canvas.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), place(event));
  }, { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    fingers.set(event.pointerId, event);
    moved = fingers.size > 1 ? Infinity : 0;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') hover(...place(event));
      return;
    }
    fingers.set(event.pointerId, event);
    const other = [...fingers.values()].find((one) => one.pointerId !== event.pointerId);
    moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
    if (other) {
      const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
      const [[ax, ay], [bx, by]] = [place(event), place(other)];
      camera.pan((before.clientX - event.clientX) / 2, (before.clientY - event.clientY) / 2);
      camera.zoom(distance(event) / distance(before), [(ax + bx) / 2, (ay + by) / 2], 0);
    } else if (moved > 4) {
      canvas.classList.add('moving');
      camera.pan(before.clientX - event.clientX, before.clientY - event.clientY);
    }
  });
  const release = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    canvas.classList.remove('moving');
    // A drag that ends on a block is not a click on it.
    if (event.type !== 'pointerup' || moved > 4) return;
    const [x, y] = place(event);
    const isSecond = event.timeStamp - last.time < 400 && Math.hypot(x - last.x, y - last.y) < 24;
    last = isSecond ? { time: 0, x, y } : { time: event.timeStamp, x, y };
    if (isSecond) doubleClick(x, y);
    else click(x, y);
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
}
