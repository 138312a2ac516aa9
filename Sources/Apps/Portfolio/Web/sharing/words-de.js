// The words about sharing a picture or a gallery, in German.

export const de = {
  title: 'Teilen', close: 'Schließen', hub: 'Als Seite auf diesem Server', source: 'Als Seite bei der Quelle',
  hubText: 'Wer den Link hat, sieht das Bild, Titel und Beschreibung, bis du ihn zurücknimmst.',
  isPrivate: 'Dieses Bild ist bei seiner Quelle privat: Andere sehen es nicht, weder dort noch hier.',
  frame: 'Diese Galerie auf deiner Webseite',
  frameText: 'Setz das in deine Seite. Was bei der Quelle privat ist, fehlt darin; Flickr erlaubt 30 Bilder auf '
    + 'einmal, die übrigen kommen beim Blättern.',
  number: 'Bilder auf einmal', size: 'Größe', sizes: { small: 'klein', medium: 'mittel', large: 'groß' },
  text: 'Zum Kopieren', send: 'Verschicken', copy: 'Kopieren', copied: 'Kopiert.', takeBack: 'Zurücknehmen',
};
