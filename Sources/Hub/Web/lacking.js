// An older browser is told so (/navigation.js).

/** The features of Docs/browsers.md that this browser lacks. */
export const lacking = (scope = globalThis) => [
  ['customElements', () => scope.customElements?.define],
  ['indexedDB', () => scope.indexedDB],
  ['dialog', () => scope.HTMLDialogElement?.prototype?.showModal],
  ['timeout', () => scope.AbortSignal?.timeout],
  ['mixed colours', () => scope.CSS?.supports?.('color', 'color-mix(in srgb, red, blue)')],
].filter(([, has]) => !has()).map(([name]) => name);
