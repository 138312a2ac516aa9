"""Calendars written by the tests, line by line."""


def event(uid, start, *lines, title="An event", end=None, zone=None):
    """A VEVENT. `start` and `end` as iCalendar writes them: a date, or a date and time."""
    def time(name, value):
        if len(value) == 8:
            return f"{name};VALUE=DATE:{value}"
        return f"{name};TZID={zone}:{value}" if zone else f"{name}:{value}"

    return [
        "BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", time("DTSTART", start),
        *([time("DTEND", end)] if end else []), f"SUMMARY:{title}", *lines, "END:VEVENT"]


def calendar(*events, name=None):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Eightbells//Tests//EN"]
    lines += [f"X-WR-CALNAME:{name}"] if name else []
    for one in events:
        lines += one
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def exported(count=1000):
    """A calendar such as public services export: own zone definition, folded lines, HTML, alarms, unknown fields."""
    lines = ["BEGIN:VCALENDAR", "PRODID:-//Example Inc//Example Calendar 70.9054//EN", "VERSION:2.0",
             "CALSCALE:GREGORIAN", "METHOD:PUBLISH", "X-WR-CALNAME:Exported", "X-WR-TIMEZONE:Europe/Berlin",
             "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "X-LIC-LOCATION:Europe/Berlin",
             "BEGIN:DAYLIGHT", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "TZNAME:GMT+2", "DTSTART:19700329T020000",
             "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT",
             "BEGIN:STANDARD", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "TZNAME:GMT+1", "DTSTART:19701025T030000",
             "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE"]
    for number in range(count):
        day = f"2026{number % 12 + 1:02}{number % 28 + 1:02}"
        html = (f"<b>Evening {number}</b><br>Bring tools\\, tea and patience\\; see "
                f'<a href="https://a.example/{number}">')
        lines += ["BEGIN:VEVENT", f"DTSTART;TZID=Europe/Berlin:{day}T{number % 4 + 18}0000",
                  f"DTEND;TZID=Europe/Berlin:{day}T220000", "DTSTAMP:20260101T120000Z",
                  f"UID:{number}abcdef0123456789@example.com", "CLASS:PUBLIC", "CREATED:20250101T120000Z",
                  *folded(f"DESCRIPTION:{html}the page</a>\\nÄpfel 🍏"), "LAST-MODIFIED:20250102T120000Z",
                  "LOCATION:Main hall\\, ground floor", f"SEQUENCE:{number % 3}", "STATUS:CONFIRMED",
                  f"SUMMARY:Evening {number}", "TRANSP:OPAQUE", "X-UNKNOWN;A=\"b:c;d\":e",
                  "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P0DT0H10M0S", "DESCRIPTION:This is a reminder",
                  "END:VALARM", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def folded(line):
    """RFC 5545 section 3.1: at most 75 octets a line, and no character cut."""
    lines, rest = [], line
    while rest:
        room = 75 if not lines else 74
        piece = rest.encode()[:room].decode(errors="ignore")
        lines.append(piece if not lines else " " + piece)
        rest = rest[len(piece):]
    return lines
