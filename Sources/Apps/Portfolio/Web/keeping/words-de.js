// The words about what is kept on this device, in German.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const de = {
  title: 'Auf diesem Gerät', close: 'Schließen',
  here: (files, size) => `${many(files, 'Datei', 'Dateien')} hier, ${size}`,
  left: (files, size) => `${many(files, 'Datei fehlt', 'Dateien fehlen')} noch, ${size}`,
  nothingLeft: 'Nichts fehlt.',
  free: (used, quota) => `Der Browser gibt bis zu ${quota}; ${used} sind belegt.`,
  persisted: 'Der Browser behält alles, bis du es entfernst.',
  notPersisted: 'Der Browser darf das entfernen, wenn das Gerät voll wird.',
  persist: 'Bitte ihn, es zu lassen',
  refused: 'Er wollte nicht. Es hilft, die Seite zum Home-Bildschirm hinzuzufügen.',
  isKept: 'Bilder im Hintergrund holen', isMobileToo: 'Auch mit mobilen Daten',
  fullText: 'Dieses Gerät ist voll. Was hier ist, bleibt. Mach Platz, oder wähl, welche Galerien zuerst kommen.',
  insecureText: 'Browser behalten Bilder nur bei Adressen mit HTTPS. Die Wand geht, solange der Server da ist.',
  again: 'Noch einmal', check: 'Alles zählen und prüfen', checking: (done, all) => `${done} von ${all} geprüft`,
  checked: (small, large) => `Alles da: ${small} kleine und ${large} große gezählt, jedes mit seiner Prüfsumme.`,
  galleries: 'Welche Galerien zuerst kommen', first: (title) => `${title} zuerst`,
  ofGallery: (kept, count, size) => `${kept} von ${count}, ${size}`,
  failed: (count) => many(count, 'Datei kam nicht an', 'Dateien kamen nicht an'),
  why: { gone: 'der Server hat sie nicht mehr', wrong: 'was kam, war nicht, was der Server hat' },
  sizes: { 320: 'klein', 2048: 'groß', video: 'Video' },
  remove: 'Von diesem Gerät entfernen',
  removeAsk: 'Alle Bilder verlassen dieses Gerät. Der Server hat sie weiterhin.',
  keep: 'Behalten',
  shows: 'Unter einem Bild', show: { title: 'Titel', caption: 'Text', place: 'Ort', date: 'Datum' },
  seconds: 'Sekunden je Bild in der Diaschau',
};
