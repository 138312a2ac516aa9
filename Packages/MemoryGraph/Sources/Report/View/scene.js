// The picture of a finding, or of an object's surroundings.

import { picture } from './layout.js';
import { limits, storyAround, storyOfFinding } from './story.js';

const context = document.createElement('canvas').getContext('2d');
const widths = new Map();
const textWidth = (text) => {
  if (!widths.has(text)) {
    context.font = `600 14px ${getComputedStyle(document.body).fontFamily}`;
    widths.set(text, context.measureText(text).width);
  }
  return widths.get(text);
};

const readable = 0.8; // a scale at which names are readable at arm's length
const opened = 0.62; // the same for a picture with unfolded groups
const pages = [12, 8, 6, 4];
const mostTried = 60; // the most boxes of a picture that may be readable

/**
 * The largest picture that is readable in the window; what unfolds later does not fold other groups.
 * @param shown { finding } or { around }, with `unfolded`.
 */
export function sceneOf(shown, camera) {
  const { finding, around, unfolded } = shown;
  const story = (limit) => (
    finding ? storyOfFinding(finding, unfolded, limit) : storyAround(around, unfolded, limit));
  const draw = (limit) => picture(story(limit), textWidth, (bounds) => camera.fitting(bounds));
  // For unfolded groups, as many members as are readable.
  const tried = shown.limit ? pages.filter((page) => page <= shown.limit.page).map((page) => ({ ...shown.limit, page }))
    : limits;
  let best;
  for (const limit of tried) {
    if (limit !== tried.at(-1) && story(limit).boxes.length > mostTried) continue;
    const scene = draw(limit);
    const scale = camera.fitting(scene.bounds);
    if (!best || scale > best.scale * 1.05) best = { limit, scene, scale };
    if (scale >= (shown.limit ? opened : readable)) break;
  }
  shown.limit ??= best.limit;
  return best.scene;
}
