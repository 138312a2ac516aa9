// Why something is not as it should be, in German, by the codes that the hub gives its reasons; {name} is one of the
// reason's values. English readers read the hub's own sentence. A test sees to it that no code is without words.

export const reasons = {
  // Whatever is fetched
  'address-unusable': 'Die Adresse ist nicht zu gebrauchen',
  'question-unusable': 'So lässt sie sich nicht abfragen',
  'not-public': 'Sie liegt nicht im öffentlichen Internet. Anderswo darf nur liegen, was die Leitung einträgt und die '
    + 'Einstellung reachable_networks erlaubt',
  'address-refused': '{address} liegt nicht im öffentlichen Internet; die Einstellung reachable_networks erlaubt auch '
    + 'andere, etwa reachable_networks = {address}',
  'unknown-host': 'Den Namen dieses Servers gibt es nicht',
  'unreachable': 'Der Server dort ist nicht erreichbar',
  'insecure': 'Mit dem Server dort kommt keine sichere Verbindung zustande',
  'redirects': 'Der Server dort leitet immer nur weiter',
  'answer-broken': 'Die Antwort bricht ab oder ist nicht zu verstehen',
  'answer-late': 'In {seconds} s kam keine vollständige Antwort',
  'answer-stalled': 'In {seconds} s kam kaum ein Byte',
  'answer-too-large': 'Die Antwort ist größer als {megabytes} MB',
  'header-too-large': 'Der Kopf der Antwort ist größer als {kilobytes} KB',
  'transfer-cancelled': 'Die Abfrage wurde abgebrochen',
  'server-answered': 'Der Server dort antwortete mit {status}',
  'in-others-words': '{reason} ({words})',
  'in-words-alone': '{words}',

  // Files on the hub's machine
  'not-uploaded': 'Dafür wurde noch keine Datei hochgeladen',
  'no-file-here': 'Die Adresse nennt keine Datei auf diesem Rechner',
  'file-outside': 'Die Datei liegt weder im Datenordner noch in einem Ordner von calendar_folders',
  'no-regular-file': 'Das ist keine gewöhnliche Datei',
  'file-too-large': 'Die Datei hat {bytes} Bytes; bis zu {limit} gehen',
  'file-missing': 'Die Datei gibt es nicht',
  'file-forbidden': 'Der Benutzer, unter dem der Server läuft, darf die Datei nicht lesen',
  'file-unreadable': 'Die Datei ist nicht zu lesen: {words}',

  // Google
  'google-late': 'Nach {seconds} s waren noch nicht alle Seiten da',
  'google-too-large': 'Die Seiten sind zusammen größer als {megabytes} MB',
  'google-circle': 'Die Seiten verweisen im Kreis aufeinander',
  'google-too-many-pages': 'Es sind mehr als {limit} Seiten',
  'google-too-old': 'Der letzte Stand ist zu alt, um von ihm aus weiterzumachen',
  'google-too-often': 'Google möchte seltener gefragt werden',
  'google-unknown-key': 'Google kennt den Schlüssel nicht',
  'google-forbidden': 'Mit diesem Schlüssel lässt Google ihn nicht lesen',
  'google-no-calendar': 'Google hat keinen öffentlichen Kalender mit dieser ID',
  'google-redirect': 'Der Server leitet an eine andere Adresse weiter',
  'google-status': '{reason} (Status {status})',
  'google-said': '{reason} (Status {status}: {words})',
  'google-no-list': 'Die Antwort ist keine Liste von Terminen, wie events.list der Google-Calendar-API sie gibt',
  'google-too-many-events': 'Er hat mehr als {limit} Termine',

  // Calendars
  'calendar-empty': 'Der Kalender ist leer. Es braucht eine iCalendar-Datei (sie beginnt mit BEGIN:VCALENDAR)',
  'calendar-other': 'Das ist kein Kalender, sondern etwas anderes. Es braucht eine iCalendar-Datei in UTF-8 (sie '
    + 'beginnt mit BEGIN:VCALENDAR)',
  'calendar-cut-off': 'Der Kalender bricht ab: Was in Zeile {line} beginnt ({component}), hat kein Ende',
  'calendar-too-large': 'Der Kalender hat {bytes} Bytes; bis zu {limit} gehen',
  'calendar-too-many-events': 'Der Kalender hat mehr als {limit} Termine (bis Zeile {line})',

  // What was left out of a calendar
  'event-left-out': '„{title}“ (UID {uid}, Zeile {line}) wurde weggelassen: {reason}',
  'event-problem': '„{title}“ (UID {uid}, Zeile {line}): {reason}',
  'line-left-out': 'Zeile {line} wurde weggelassen: Sie ist keine Eigenschaft',
  'component-open': 'Zeile {line} beendet {component}, während darin {inner} noch offen ist',
  'one-private': '1 Termin ist als privat gekennzeichnet und wird nicht gezeigt',
  'some-private': '{count} Termine sind als privat gekennzeichnet und werden nicht gezeigt',
  'more-warnings': '{count} weitere Hinweise zu diesem Kalender stehen hier nicht',
  'series-cut-short': '„{title}“ (UID {uid}) wiederholt sich zu oft: Es stehen nicht alle Termine da, höchstens '
    + '{limit} von einer Reihe',
  'answer-full': 'Der Kalender „{calendar}“ wurde nicht zu Ende gelesen: Es sind mehr Termine, als eine Antwort fasst',

  // One event
  'unreadable-property': '{name} ist „{value}“ und nicht zu lesen',
  'left-out-from-there': '{reason}; das wird von da an weggelassen',
  'too-many-properties': 'er hat zu viele Eigenschaften, die übrigen fehlen',
  'no-start': 'DTSTART fehlt',
  'no-value': '{name} hat keinen Wert',
  'no-time': '{name} ist „{value}“, und das ist weder Datum noch Zeit der Jahre {first} bis {last}',
  'too-many-dates': 'er hat mehr als {limit} Werte in RDATE und EXDATE',
  'rule-left-out': '{reason}; die Regel wird weggelassen',
  'dates-left-out': '{reason}; Termine fehlen darum',
  'exceptions-left-out': '{reason}; Ausnahmen fehlen darum',
  'length-left-out': '{reason}; die Dauer fehlt darum',
  'duration-too-long': 'DURATION ist länger als {days} Tage',

  // Its rule
  'rule-too-long': 'die Regel „{rule}“ ist zu lang; bis zu {limit} Bytes gehen',
  'rule-unreadable': 'die Regel „{rule}“ ist nicht zu lesen',
  'rule-too-often': 'die Regel „{rule}“ wiederholt zu oft; stündlich geht, bei ganzen Tagen täglich',
  'rule-hourly-days': 'die Regel „{rule}“ ist stündlich, und mit BYMONTH, BYMONTHDAY, BYYEARDAY und BYWEEKNO geht das '
    + 'nicht',
  'rule-hourly-interval': 'die Regel „{rule}“ ist stündlich, und dann geht INTERVAL oder BYHOUR, nicht beides',
  'rule-not-yearly': 'die Regel „{rule}“ ist nicht jährlich, und BYWEEKNO und BYYEARDAY gehen nur dann',
  'rule-weekly': 'die Regel „{rule}“ ist wöchentlich, und mit BYMONTHDAY geht das nicht',
  'rule-scale': 'die Regel „{rule}“ braucht RSCALE=GREGORIAN und SKIP=OMIT, oder keines von beiden',
  'rule-number': 'in der Regel „{rule}“ ist eine Zahl zu groß',
  'rule-number-limit': 'in der Regel „{rule}“ ist {name} zu groß; bis zu {limit} geht',
  'rule-weekdays': 'in der Regel „{rule}“ gehen neben BYYEARDAY nur Wochentage ohne Zahl',
  'rule-times': 'die Regel „{rule}“ zählt {count} Zeiten auf; bis zu {limit} gehen an einem Tag, bei stündlichen in '
    + 'einer Stunde',
  'rule-never': 'die Regel „{rule}“ trifft auf keinen Tag zu',

  // Its zone
  'zone-unknown': 'die Zeitzone „{zone}“ ist nicht bekannt; es gehen IANA-Namen wie Europe/Berlin, und was der '
    + 'Kalender selbst in VTIMEZONE beschreibt',
  'zone-empty': 'VTIMEZONE „{zone}“ hat weder STANDARD noch DAYLIGHT',
  'zone-incomplete': 'in VTIMEZONE „{zone}“ fehlt DTSTART, TZOFFSETFROM oder TZOFFSETTO',
  'zone-restless': 'VTIMEZONE „{zone}“ wechselt zu oft',
  'zone-problem': 'VTIMEZONE „{zone}“ {reason}',
  'zone-part-unreadable': 'hat {name} „{value}“, und das ist nicht zu lesen',
  'zone-part-date': 'hat ein RDATE, das nicht zu lesen ist',
  'zone-part-rule': 'hat eine Regel, die nicht geht: {reason}',

  // Other spaces
  'no-json-object': 'Dort liegt kein JSON-Objekt',
  'no-spaceapi': 'Dort liegt kein SpaceAPI-Dokument: „space“ fehlt',

  // Pictures
  'picture-cut-off': 'Das Bild bricht ab.',
  'picture-empty': 'Das Bild hat keine Bildpunkte.',
  'picture-broken': 'Das Bild ist innen beschädigt.',
  'picture-headless': 'Dem Bild fehlt der Kopf.',
  'picture-segment': 'Dem Bild fehlt die Länge eines Abschnitts.',
  'picture-too-large': 'Das Bild hat {width} × {height} Bildpunkte; bis zu {millions} Millionen gehen, und {side} auf '
    + 'einer Seite.',

  // Fields of forms
  'not-accepted': 'Das geht hier nicht.',
  'field-missing': 'Das fehlt noch.',
  'field-empty': 'Hier muss etwas stehen.',
  'field-too-long': 'Das sind {count} Zeichen; höchstens {limit} gehen.',
  'field-length': 'Das sind {count} Zeichen; 1 bis {limit} gehen.',
  'field-no-line': 'Hier geht eine Zeile Text von höchstens {limit} Zeichen.',
  'field-no-number': 'Hier geht eine Zahl von {first} bis {last}.',
  'field-no-pair': 'Es braucht beide Zahlen oder keine.',
  'field-no-address': '„{seen}“ ist keine Adresse, die mit https:// oder http:// beginnt.',
  'field-no-color': 'Eine Farbe sieht so aus: #0b5585',
  'field-no-zone': 'Die Zeitzone „{seen}“ gibt es nicht. Eine heißt so: Europe/Berlin',
  'field-no-time': 'Das ist keine Zeit. Eine sieht so aus: 23:00',
  'field-unreachable': 'Mindestens ein Weg ist nötig: IRC, Telefon, E-Mail oder Twitter.',
  'field-no-people': 'Hier geht eine Liste von 1 bis {limit} Leuten.',
  'calendars-too-many': 'Es sind {count} Kalender; höchstens {limit} gehen.',
  'calendar-twice': 'Diesen Kalender gibt es in der Liste schon.',
  'calendar-address': 'Es braucht eine Adresse, die mit https://, http:// oder file: beginnt.',
  'calendar-folder': 'Diese Datei darf der Server nicht lesen, nur welche im Datenordner (file:NAME.ics) und in den '
    + 'Ordnern von calendar_folders.',
  'google-word': 'Hier gehen höchstens {limit} Buchstaben, Ziffern und Zeichen, ohne Leerzeichen.',
  'followed-address': 'Es braucht die Adresse einer spaceapi.json, die mit https:// oder http:// beginnt.',
};
