// Copies a text for somebody to paste elsewhere.

/** Safari lets a page copy while something is pressed, and no longer when the hub has answered: it gets a promise. */
async function copyPromised(text) {
  const blob = text.then((known) => new Blob([known], { type: 'text/plain' }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
  } catch (error) {
    await text; // throws why there is none
    throw error;
  }
}

/**
 * Resolved once the text, or the one that is promised, is copied: over plain HTTP, where pages have no clipboard, in
 * the older way.
 */
export async function copyText(text) {
  if (navigator.clipboard && globalThis.ClipboardItem && text instanceof Promise) return copyPromised(text);
  const value = await text;
  if (navigator.clipboard) return navigator.clipboard.writeText(value);
  const before = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value, className: 'visually-hidden' });
  (before?.closest('dialog') ?? document.body).append(field); // beside an open dialogue nothing can be selected
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  before?.focus({ preventScroll: true });
  if (!isDone) throw new DOMException('nothing was copied', 'NotAllowedError');
}
