// A second screen that shows what is chosen here, and nothing else: a window of its own, put on the other screen where
// the browser can.

import { signal } from '/ui.js';
import { channelNamed } from '/keep.js';
import { largeOf, smallOf } from '/portfolio/wall/plan.js';

const PAGE = '/portfolio/screen';
export const CHANNEL = 'eightbells-portfolio-screen';
export const NOTHING = 'nothing'; // in the place of a picture

/** The window's place: the first screen that this page is not on. */
async function otherScreen() {
  if (!window.screen.isExtended || !window.getScreenDetails) return '';
  try {
    const { screens, currentScreen } = await window.getScreenDetails();
    const other = screens.find((one) => one !== currentScreen);
    return other ? `left=${other.availLeft},top=${other.availTop},width=${other.availWidth},height=${
      other.availHeight}` : '';
  } catch {
    return ''; // not allowed: one moves the window oneself
  }
}

export class Presenter {
  isOn = signal(false);
  isBlocked = signal(false);
  #channel = null;
  #window = null;
  #picture = null;
  #plate = null;

  async start() {
    this.#channel ??= channelNamed(CHANNEL);
    this.isBlocked.set(!this.#channel);
    if (!this.#channel) return;
    this.#channel.onmessage = ({ data }) => {
      // It says both when it was loaded anew, and so it does when this page was, and has opened it once more.
      if (data === 'over') this.isOn.set(false);
      if (data !== 'here' || !this.#window || this.#window.closed) return; // nothing, or another tab's
      this.isOn.set(true);
      this.#tell();
    };
    this.#window = window.open(PAGE, 'portfolio-screen', `popup,${await otherScreen() || 'width=1280,height=800'}`);
    this.isBlocked.set(!this.#window);
    this.isOn.set(Boolean(this.#window));
  }

  stop() {
    this.#channel?.postMessage(null);
    this.#window?.close();
    this.#channel?.close();
    this.#channel = null;
    this.isOn.set(false);
  }

  /** Shows a picture there, with the lines of its plate; null for none. */
  show(picture, plate) {
    [this.#picture, this.#plate] = [picture, plate];
    if (this.isOn.peek()) this.#tell();
  }

  #tell() {
    const picture = this.#picture;
    this.#channel?.postMessage(!picture ? NOTHING : {
      src: largeOf(picture), small: smallOf(picture), title: this.#plate?.title ?? '',
      rest: (this.#plate?.rest ?? []).map(({ text }) => text),
    });
  }
}
