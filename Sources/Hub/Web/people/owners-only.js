// The card for people who may not see an owners' page, with a link to sign in.

import { element, html } from '/ui.js';
import { may, session } from '/session.js';
import { language, told } from '/people/told.js';

export const dictionary = {
  en: {
    title: 'This page is for owners.',
    stranger: 'Sign in as one, and it opens.',
    other: (name, role) => `You are signed in as ${name}, ${role}. An owner can give you another role, on “People”.`,
    signIn: 'Sign in',
    signInAnew: 'Sign in as somebody else',
  },
  de: {
    title: 'Diese Seite ist für die Leitung.',
    stranger: 'Melde dich als Leitung an, dann öffnet sie sich.',
    other: (name, role) => `Du bist als ${name} angemeldet, ${role}. Die Leitung kann dir unter „Leute“ eine andere `
      + 'Rolle geben.',
    signIn: 'Anmelden',
    signInAnew: 'Als jemand anderes anmelden',
  },
};

const words = dictionary[language];

element('hub-owners-only', () => html`${() => {
  const known = session();
  if (known === undefined || may('hub.manage')) return '';
  return html`<section class="card for-owners"><h1>${words.title}</h1>
    <p>${known ? words.other(known.person.name, told.roles[known.person.role]) : words.stranger}</p>
    <p class="row"><a class="button primary" href="/join">${known ? words.signInAnew : words.signIn}</a></p>
    </section>`;
}}`);
