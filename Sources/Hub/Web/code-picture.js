// A QR code as the address of a picture. The library that draws it is loaded when one is wanted.

export async function pictureOf(link) {
  const { drawQRCode } = await import('/qrcode.js');
  const code = drawQRCode(0, 'M'); // the smallest size that fits
  code.addData(link, 'Byte');
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let y = 0; y < count; y += 1) {
    for (let x = 0; x < count; x += 1) if (code.isDark(y, x)) path += `M${x + 4} ${y + 4}h1v1h-1z`;
  }
  const side = count + 8; // with four light modules around it, as the standard demands
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`
    + `<path fill="#fff" d="M0 0h${side}v${side}h-${side}z"/><path d="${path}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
