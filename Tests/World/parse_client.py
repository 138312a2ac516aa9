"""A small client of Parse's REST API, for tests."""

import http.client
import json
import urllib.parse


class Refused(Exception):
    """An answer that tells an error."""

    def __init__(self, status, answer):
        super().__init__(f"{status} {answer}")
        self.status, self.answer, self.code = status, answer, answer.get("code")


class Parse:
    """Somebody who asks for the objects of an app: with the master key, or with the key of pages."""

    def __init__(self, port, app, master=False, session=None, **headers):
        self.port, self.app, self.line = port, app, None
        self.headers = {"X-Parse-Application-Id": app["application_id"]}
        if master:
            self.headers["X-Parse-Master-Key"] = app["master_key"]
        else:
            self.headers["X-Parse-REST-API-Key"] = app["rest_key"]
        if session:
            self.headers["X-Parse-Session-Token"] = session
        self.headers |= headers

    def ask(self, method, path, body=None, **parameters):
        """The answer's JSON; raises `Refused` for an error."""
        if parameters:
            path += "?" + urllib.parse.urlencode({
                name: value if isinstance(value, str) else json.dumps(value) for name, value in parameters.items()})
        content, headers = None, dict(self.headers)
        if body is not None:
            content, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        if self.line is None:
            self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            self.line.request(method, f"/parse/{path}", content, headers)
            answer = self.line.getresponse()
            text = answer.read()
        except OSError:
            self.line = None
            raise
        self.fields = answer.headers
        told = json.loads(text)
        if answer.status >= 400:
            raise Refused(answer.status, told)
        return told

    def create(self, name, /, **fields):
        return self.ask("POST", f"classes/{name}", fields)["objectId"]

    def get(self, name, id, /, **parameters):
        return self.ask("GET", f"classes/{name}/{id}", **parameters)

    def find(self, name, /, **parameters):
        return self.ask("GET", f"classes/{name}", **parameters)["results"]

    def update(self, name, id, /, **fields):
        return self.ask("PUT", f"classes/{name}/{id}", fields)

    def delete(self, name, id, /):
        return self.ask("DELETE", f"classes/{name}/{id}")

    def code(self, *words, **parameters):
        """Parse's number of the error with which a request is refused; None if it is not."""
        try:
            self.ask(*words, **parameters)
        except Refused as refusal:
            return refusal.code if refusal.code is not None else refusal.status
        return None


def pointer(name, id):
    return {"__type": "Pointer", "className": name, "objectId": id}
