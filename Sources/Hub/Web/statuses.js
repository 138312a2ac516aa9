// Statuses that come with their text, which not all browsers tell a screen reader of (Firefox does not): /spoken.js
// says them. It is loaded behind all else, and what a page begins with is no news.

const LATER = 1_500; // milliseconds

setTimeout(() => import('/spoken.js').then(({ sayStatuses }) => sayStatuses()).catch(() => {}), LATER);
