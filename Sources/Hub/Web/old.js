// For browsers without modules, which load none of our other scripts: shows a message, in old JavaScript. A page with
// its content as data, too, links to that.
(function () {
  var german = /^de/i.test(navigator.language || '');
  var note = document.createElement('p');
  var data = document.querySelector('link[rel="alternate"][type="application/json"]');
  note.className = 'note';
  note.appendChild(document.createTextNode(german
    ? 'Dieser Browser ist zu alt f\u00fcr diese Seite. Ein neuerer zeigt sie. '
    : 'This browser is too old for this page. A newer one shows it. '));
  if (data) {
    var link = document.createElement('a');
    link.href = data.getAttribute('href');
    link.appendChild(document.createTextNode(link.href));
    note.appendChild(link);
  }
  document.body.insertBefore(note, document.body.firstChild);
}());
