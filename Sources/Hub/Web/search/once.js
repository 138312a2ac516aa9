// What is searched, kept while somebody goes on typing.

import { session } from '/session.js';

const FRESH = 300_000; // milliseconds: a page of the search may stay open all day

/** A function that asks once, and again after some minutes, after a failure, and for another person. */
export function once(ask) {
  let asked;
  return () => {
    const whose = session.peek()?.person?.id;
    const isKept = asked && asked.whose === whose && Date.now() - asked.at < FRESH;
    if (!isKept) asked = { whose, at: Date.now(), answer: ask() };
    const mine = asked;
    mine.answer.catch(() => { if (asked === mine) asked = undefined; });
    return mine.answer;
  };
}
