// Saves a file to the device: by its share sheet on a phone, where an app on the home screen has no downloads.

/** Offers a file to be saved. To be called within a tap, with the file ready. */
export async function saveFile(file, { to = navigator, isTouch = matchMedia('(pointer: coarse)').matches } = {}) {
  if (isTouch && to.canShare?.({ files: [file] })) {
    try {
      return void await to.share({ files: [file] });
    } catch (error) {
      if (error.name === 'AbortError') return; // one has changed one's mind
    }
  }
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
