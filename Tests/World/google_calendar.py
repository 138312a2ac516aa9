"""A server that answers as the Google Calendar API (version 3) is documented to: events.list with an API key.

Written from the reference of events.list and the guides "Synchronize resources efficiently", "Recurring events" and
"Handle API errors" at developers.google.com/workspace/calendar/api. What it does:

- pages end where it likes: a short or an empty page with a nextPageToken is not the last one; nextSyncToken stands on
  the last page alone; a page token belongs to the question that gave it
- singleEvents=false tells series once, with their rules; exceptions follow as events with recurringEventId and
  originalStartTime; those that are cancelled are told even without showDeleted, and may have no other fields
- with a sync token everything that changed is told, deleted events included; parameters that contradict it are 400; a
  token that is too old, or none of its own, is 410
- errors are {"error": {"errors": [{"domain", "reason", "message"}], "code", "message"}}
"""

import base64
import copy
import datetime
import json
import threading
import urllib.parse

from local_server import LocalServer, QuietHandler

KEY = "AIzaSyTestKeyThatNobodyMaySee-0123456789"
LARGEST_PAGE = 2500
# Parameters that are not allowed with a sync token.
NOT_WITH_SYNC = {"iCalUID", "orderBy", "privateExtendedProperty", "q", "sharedExtendedProperty", "timeMin", "timeMax",
                 "updatedMin"}


class Failure(Exception):
    def __init__(self, status, domain, reason, message, headers=None, details=None):
        super().__init__(message)
        self.status, self.domain, self.reason, self.message = status, domain, reason, message
        self.headers = headers or {}
        self.details = details


def rate_limit(**headers):
    return Failure(403, "usageLimits", "rateLimitExceeded", "Rate Limit Exceeded", headers)


class Calendar:
    """One calendar: its events, and the order of their changes."""

    def __init__(self, summary, zone):
        self.summary = summary
        self.zone = zone
        self.events = {}
        self.changes = []
        # Sync tokens before this change have expired.
        self.oldest = 0

    def put(self, id, **fields):
        """Makes an event, or changes fields of one."""
        event = self.events.get(id) or {
            "kind": "calendar#event", "id": id, "status": "confirmed", "iCalUID": f"{id}@google.com", "sequence": 0,
            "htmlLink": f"https://www.google.com/calendar/event?eid={id}", "created": "2026-01-01T10:00:00.000Z",
            "creator": {"email": "somebody@example.org"}, "eventType": "default",
            "organizer": {"displayName": self.summary, "self": True}, "reminders": {"useDefault": True}}
        self.events[id] = event | {"updated": "2026-01-02T10:00:00.123Z", "status": "confirmed"} | fields
        self.changes.append(id)
        return self.events[id]

    def delete(self, id):
        """A deleted event: only its identifier is guaranteed."""
        self.events[id] = {"kind": "calendar#event", "id": id, "status": "cancelled"}
        self.changes.append(id)

    def change_instance(self, series, original, **fields):
        """Makes an exception of a series."""
        id = f"{series}_{compact(original)}"
        fields = {"start": original, "end": original} | fields
        return self.put(id, recurringEventId=series, originalStartTime=original,
                        iCalUID=f"{series}@google.com", **fields)

    def cancel_instance(self, series, original):
        """"guaranteed to have values for the id, recurringEventId and originalStartTime fields populated"."""
        id = f"{series}_{compact(original)}"
        self.events[id] = {"kind": "calendar#event", "id": id, "status": "cancelled", "recurringEventId": series,
                           "originalStartTime": original}
        self.changes.append(id)

    def forget_tokens(self):
        self.oldest = len(self.changes) + 1
        self.changes.append("")


def compact(time):
    if "date" in time:
        return time["date"].replace("-", "")
    return datetime.datetime.fromisoformat(time["dateTime"]).astimezone(datetime.UTC).strftime("%Y%m%dT%H%M%SZ")


class GoogleCalendar(LocalServer):
    """Serves until it leaves its `with` block."""

    def __init__(self):
        self.calendars = {}
        self.asked = []
        # The sizes of the next pages, the last one for ever; a 0 is an empty page that is followed by others.
        self.page_sizes = [250]
        # Failures to answer with (None: none this time), and bodies to answer with instead, in order.
        self.failures = []
        self.bodies = []
        self._questions = {}
        self._lock = threading.Lock()
        super().__init__(self._handler())
        self.base = f"{self.url}/calendar/v3"

    def calendar(self, id="ours@group.calendar.google.com", summary="Our programme", zone="Europe/Berlin"):
        self.calendars[id] = Calendar(summary, zone)
        return self.calendars[id]

    # events.list

    def list(self, id, query):
        key = query.get("key")
        if key is None:
            raise Failure(403, "global", "forbidden", "Method doesn't allow unregistered callers (callers without "
                          "established identity). Please use API Key or other form of API consumer identity.")
        if key != KEY:
            raise Failure(400, "global", "badRequest", "API key not valid. Please pass a valid API key.", details=[
                {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID",
                 "domain": "googleapis.com"}])
        if id not in self.calendars:
            raise Failure(404, "global", "notFound", "Not Found")
        calendar = self.calendars[id]
        size = min(LARGEST_PAGE, int(query.get("maxResults", 250)))
        if size < 1:
            raise Failure(400, "global", "invalid", "Invalid value for maxResults")
        if "pageToken" in query:
            return self.page(calendar, query, *self.question(query))
        if "syncToken" in query:
            items = self.changed(calendar, query)
        else:
            # Cancelled events are left out, but cancelled exceptions are needed.
            items = [event for event in calendar.events.values()
                     if event["status"] != "cancelled" or "recurringEventId" in event]
        return self.page(calendar, query, copy.deepcopy(items), 0, len(calendar.changes))

    def changed(self, calendar, query):
        if wrong := NOT_WITH_SYNC & set(query):
            raise Failure(400, "global", "badRequest", f"Sync token cannot be used with {', '.join(sorted(wrong))}.")
        if query.get("showDeleted") == "false" or query.get("singleEvents", "false") != "false":
            raise Failure(400, "global", "badRequest", "The parameters are not those of the initial question.")
        gone = Failure(410, "calendar", "fullSyncRequired",
                       "Sync token is no longer valid, a full sync is required.")
        try:
            seen = int(base64.urlsafe_b64decode(query["syncToken"]).removeprefix(b"sync:"))
        except ValueError:
            raise gone from None
        if seen < calendar.oldest:
            raise gone
        ids = dict.fromkeys(id for id in calendar.changes[seen:] if id)
        return [calendar.events[id] for id in ids]

    def question(self, query):
        known = self._questions.get(query["pageToken"])
        rest = {name: value for name, value in query.items() if name != "pageToken"}
        if known is None or known[0] != rest:
            raise Failure(400, "global", "invalid", "Invalid Value")
        return known[1:]

    def page(self, calendar, query, items, first, upto):
        size = self.page_sizes.pop(0) if len(self.page_sizes) > 1 else self.page_sizes[0]
        size = min(size, LARGEST_PAGE, int(query.get("maxResults", 250)))
        answer = {"kind": "calendar#events", "etag": f'"p{upto}"', "summary": calendar.summary, "description": "",
                  "updated": "2026-01-02T10:00:00.123Z", "timeZone": calendar.zone, "accessRole": "reader",
                  "defaultReminders": [], "items": items[first:first + size]}
        if first + size < len(items):
            token = f"page-{len(self._questions)}"
            rest = {name: value for name, value in query.items() if name != "pageToken"}
            self._questions[token] = (rest, items, first + size, upto)
            answer["nextPageToken"] = token
        else:
            # "=" in it, as Google's tokens have: it has to be escaped in an address.
            answer["nextSyncToken"] = base64.urlsafe_b64encode(b"sync:%d" % upto).decode()
        return answer

    # HTTP

    def answer(self, path):
        address = urllib.parse.urlsplit(path)
        query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        with self._lock:
            self.asked.append(query)
            if self.failures and (failure := self.failures.pop(0)):
                raise failure
            if self.bodies:
                return self.bodies.pop(0)
            parts = address.path.split("/")
            if parts[:4] != ["", "calendar", "v3", "calendars"] or parts[5:] != ["events"]:
                raise Failure(404, "global", "notFound", "Not Found")
            return json.dumps(self.list(urllib.parse.unquote(parts[4]), query)).encode()

    def _handler(self):
        world = self

        class Handler(QuietHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # an answer in two parts would take 40 ms
            timeout = 60

            def do_GET(self):
                headers = {}
                try:
                    status, body = 200, world.answer(self.path)
                except Failure as failure:
                    status, headers = failure.status, failure.headers
                    error = {"errors": [{"domain": failure.domain, "reason": failure.reason,
                                         "message": failure.message}],
                             "code": status, "message": failure.message}
                    if failure.details:
                        error["details"] = failure.details
                    body = json.dumps({"error": error}).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=UTF-8")
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(body)

        return Handler
