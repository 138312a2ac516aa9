// Copies a text for somebody to paste elsewhere.

/** Resolved once the text is copied: over plain HTTP, where pages have no clipboard, in the older way. */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, className: 'visually-hidden' });
  (before?.closest('dialog') ?? document.body).append(field); // beside an open dialogue nothing can be selected
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  before?.focus({ preventScroll: true });
  if (!isDone) throw new Error('nothing was copied');
}
