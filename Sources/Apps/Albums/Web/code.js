// A QR code, drawn in the browser: what is in it, the secret of an album, need not go to the hub once more.

import { html } from '/ui.js';

/** The code as an element, for an address. The library that draws it is loaded when it is wanted. */
export async function codeOf(address, label) {
  const { drawQRCode } = await import('/qrcode.js');
  const code = drawQRCode(0, 'M'); // the smallest size that fits
  code.addData(address, 'Byte');
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let y = 0; y < count; y += 1) {
    for (let x = 0; x < count; x += 1) if (code.isDark(y, x)) path += `M${x + 4} ${y + 4}h1v1h-1z`;
  }
  const side = count + 8; // with four light modules around it, as the standard demands
  return html`<svg viewBox=${`0 0 ${side} ${side}`} role="img" aria-label=${label} shape-rendering="crispEdges"><path
    fill="#fff" d=${`M0 0h${side}v${side}h-${side}z`} /><path fill="#0a1119" d=${path} /></svg>`;
}
