// The words of the page before the night, and those of all the anchor's pages.

import { dictionary as all, language } from '/anchor/words.js';
import { english } from '/anchor/arm/words-en.js';
import { german } from '/anchor/arm/words-de.js';

export const words = { ...all[language], ...{ en: english, de: german }[language] };
