// The space's sections of the owner's form (/settings/place/settings.js).

import { forget } from '/keep.js';
import { followedPart } from '/space/settings/followed.js';
import { fetchPictures, lookPart } from '/space/settings/looks.js';
import { contactPart, hoursPart } from '/space/settings/people.js';
import { urlPart } from '/space/settings/url.js';
import { words } from '/space/settings/words.js';

const { sections: titles } = words;

/** The site, and the other ways. */
function reachPart(known, errors) {
  const parts = [urlPart(known, errors), contactPart(known, errors)];
  return {
    view: () => parts.map((part) => part.view()),
    take: (...given) => parts.forEach((part) => part.take(...given)),
    fieldOf: (name) => parts.reduce((found, part) => part.fieldOf?.(found) ?? found, name),
  };
}

export const settings = {
  at: '/api/v1/space/settings',
  lead: words.lead,
  fields: words.fields,
  before: fetchPictures,
  saved: () => forget('space'),
  sections: [
    { order: 10, title: titles.look, part: lookPart },
    { order: 30, title: titles.contact, part: reachPart },
    { order: 40, title: titles.hours, part: hoursPart },
    { order: 70, part: followedPart },
  ],
};
