// For browsers without modules, which load nothing else of ours: says so, in words that need nothing new.
(function () {
  var german = /^de/i.test(navigator.language || '');
  var note = document.createElement('p');
  note.className = 'note';
  note.appendChild(document.createTextNode(german
    ? 'Dieser Browser ist zu alt f\u00fcr diese Seite. Ein neuerer zeigt sie. Das Schild als Daten: '
    : 'This browser is too old for this page. A newer one shows it. The sign as data: '));
  var link = document.createElement('a');
  link.href = '/api/v1/space/state';
  link.appendChild(document.createTextNode('/api/v1/space/state'));
  note.appendChild(link);
  document.body.insertBefore(note, document.body.firstChild);
}());
