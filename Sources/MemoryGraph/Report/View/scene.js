// The picture of a finding, or of what is around an object.

import { full } from './draw.js';
import { picture } from './layout.js';
import { farthest, storyAround, storyOfFinding } from './story.js';

const context = document.createElement('canvas').getContext('2d');
const textWidth = (text) => {
  context.font = `600 14px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
};

/** @param shown { finding } or { around }, with `unfolded`. */
export function sceneOf(shown, camera) {
  const { finding, around, unfolded } = shown;
  const aspect = camera.width / camera.height;
  if (finding) return picture(storyOfFinding(finding, unfolded), textWidth, aspect);
  // As many circles around an object as can be read; what unfolds later does not take them away.
  for (let circles = shown.circles ?? farthest; ; circles -= 1) {
    const made = picture(storyAround(around, unfolded, circles), textWidth, aspect);
    if (circles > 1 && !shown.circles && camera.fitting(made.bounds) < full) continue;
    shown.circles = circles;
    return made;
  }
}
