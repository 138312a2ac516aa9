// The links at the foot of pages that strangers see: to the owner's legal notice and privacy page.

import { html } from '/ui.js';
import { language } from '/shell-words.js';

export const dictionary = {
  en: { legal_notice: 'Legal notice', privacy: 'Privacy' },
  de: { legal_notice: 'Impressum', privacy: 'Datenschutz' },
};
const words = dictionary[language];

/** The names of the addresses that are given in `known`. */
export const legalNames = (known) => Object.keys(words).filter((name) => known?.[name]);

/** A link for each address that `known()` has, as the hub's place and its manifest name them. */
export const legalLinks = (known) => html`${() => legalNames(known()).map((name) =>
  html`<a href=${known()[name]}>${words[name]}</a>`)}`;
