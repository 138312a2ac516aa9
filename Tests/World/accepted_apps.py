"""The same for apps (accepted.py): channels in Pusher's manner, objects in Parse's."""

import urllib.parse

from accepted import UPGRADE, Accepted, accepted, numbers
from png import png

CONSOLE = "/api/v1/apps/{id}/objects/classes/{class}"
# What a hook's address must be; nobody is asked there.
HOOK = "http://127.0.0.1:9/"
PASSWORD = {"username": "Bo", "password": "a long one"}


def word():
    return {"word": f"Boje {next(numbers)}", "round": 1}


def new_word(asker):
    return asker.must("master", "POST", "/parse/classes/Word", word())["objectId"]


@accepted(f"POST {CONSOLE}")
def object_wish(asker, caller):
    return Accepted(word())


@accepted(*(f"{method} {CONSOLE}/{{object}}" for method in ("DELETE", "GET", "PUT")))
def kept_object(asker, caller):
    return Accepted({"round": next(numbers)}, object=new_word(asker))


@accepted(*(f"DELETE /api/v1/apps/{{id}}/objects/{part}/{{class}}" for part in ("purge", "schemas")))
def kept_class(asker, caller):
    return Accepted(**{"class": asker.other_class()})


@accepted("POST /api/v1/apps/{id}/objects/schemas/{class}")
def class_wish(asker, caller):
    return Accepted({"fields": {"title": {"type": "String"}}}, **{"class": f"Made{next(numbers)}"})


@accepted("GET /app/{key}", "GET /app/{key}/{more}")
def socket(asker, caller):
    return Accepted(query="protocol=7", fields=UPGRADE, key=asker.secrets["key"])


@accepted("POST /apps/{app}/batch_events")
def batch(asker, caller):
    return Accepted({"batch": [{"name": "a", "data": "{}", "channel": "table"}]})


@accepted("POST /apps/{app}/events")
def pushed(asker, caller):
    return Accepted({"name": "a", "data": "{}", "channels": ["table"]})


@accepted("POST /apps/{app}/channels/{channel}/events")
def pushed_in_the_old_manner(asker, caller):
    return Accepted({"a": 1}, query="name=a", channel="table")


@accepted("GET /apps/{app}/channels/{channel}/users")
def present(asker, caller):
    return Accepted(channel="presence-table")


# Parse: a client that has only POST names the method it means in the body.

def meant(method, **body):
    return Accepted({"_method": method} | body)


@accepted("POST /parse/aggregate/{class}")
def sums(asker, caller):
    return meant("GET", pipeline=[{"$group": {"_id": "$word"}}])


@accepted("POST /parse/classes/{class}/{id}")
def object_by_post(asker, caller):
    return meant("PUT", round=next(numbers)).at(id=new_word(asker))


@accepted("POST /parse/config", "POST /parse/hooks/key", "POST /parse/serverInfo")
def asked_by_post(asker, caller):
    return meant("GET")


@accepted("POST /parse/purge/{class}")
def purged(asker, caller):
    return meant("DELETE").at(**{"class": asker.other_class()})


@accepted("POST /parse/schemas/{class}")
def schema(asker, caller):
    return Accepted({"fields": {"title": {"type": "String"}}}).at(**{"class": f"Made{next(numbers)}"})


@accepted("PUT /parse/schemas/{class}")
def changed_schema(asker, caller):
    return Accepted({"fields": {f"field{next(numbers)}": {"type": "String"}}}).at(**{"class": asker.other_class()})


@accepted("POST /parse/channels/auth")
def channel(asker, caller):
    return Accepted({"socket_id": "12.34", "channel_name": "presence-table"})


@accepted("GET /parse/files/{app}/{name}", "DELETE /parse/files/{name}")
def file(asker, caller):
    made = asker.must("master", "POST", "/parse/files/a.png", png(8, 8), {"Content-Type": "image/png"})
    return own(asker, caller, Accepted(app=asker.who["app"]["application_id"], name=made["name"]))


@accepted("POST /parse/functions/{name}")
def function(asker, caller):
    return Accepted({"player": "Ann"}, name=new_function(asker))


def new_function(asker):
    name = f"hello{next(numbers)}"
    asker.must("master", "POST", "/parse/hooks/functions", {"functionName": name, "url": f"{asker.elsewhere}/function"})
    return name


@accepted(*(f"{method} /parse/hooks/functions/{{name}}" for method in ("GET", "PUT")))
def function_hook(asker, caller):
    return Accepted({"url": HOOK}, name=new_function(asker))


@accepted("POST /parse/hooks/functions/{name}")
def function_hook_by_post(asker, caller):
    return meant("PUT", url=HOOK).at(name=new_function(asker))


@accepted(*(f"{method} /parse/hooks/triggers/{{class}}/{{trigger}}" for method in ("GET", "PUT")))
def trigger(asker, caller):
    return Accepted({"url": HOOK}).at(**new_trigger(asker))


@accepted("POST /parse/hooks/triggers/{class}/{trigger}")
def trigger_by_post(asker, caller):
    return meant("PUT", url=HOOK).at(**new_trigger(asker))


def trigger_wish(asker):
    return {"className": asker.other_class(), "triggerName": "afterSave", "url": f"{asker.elsewhere}/trigger"}


@accepted("POST /parse/hooks/triggers")
def trigger_elsewhere(asker, caller):
    return Accepted(trigger_wish(asker))


def new_trigger(asker):
    wish = trigger_wish(asker)
    asker.must("master", "POST", "/parse/hooks/triggers", wish)
    return {"class": wish["className"], "trigger": wish["triggerName"]}


def installation(asker):
    return asker.must("master", "POST", "/parse/installations", {
        "installationId": f"00000000-0000-4000-8000-{next(numbers):012}", "deviceType": "ios"})["objectId"]


@accepted(*(f"{method} /parse/installations/{{id}}" for method in ("DELETE", "GET", "PUT")))
def kept_installation(asker, caller):
    return Accepted({"badge": 1}, id=installation(asker))


@accepted("POST /parse/installations/{id}")
def installation_by_post(asker, caller):
    return meant("PUT", badge=1).at(id=installation(asker))


def role(asker):
    return asker.must("master", "POST", "/parse/roles", {
        "name": f"crew{next(numbers)}", "ACL": {"*": {"read": True}}})["objectId"]


@accepted(*(f"{method} /parse/roles/{{id}}" for method in ("DELETE", "GET", "PUT")))
def kept_role(asker, caller):
    return Accepted({"note": "x"}, id=role(asker))


@accepted("POST /parse/roles/{id}")
def role_by_post(asker, caller):
    return meant("PUT", note="x").at(id=role(asker))


def user(asker):
    """The id of a user, the same one until a caller has removed it: to keep a password costs a third of a second."""
    if asker.status_of("master", "GET", f"/parse/users/{asker.kept.get('user')}") != 200:
        asker.kept["user"] = asker.must("app", "POST", "/parse/users", PASSWORD)["objectId"]
    return asker.kept["user"]


def new_address(asker):
    """The user's new address, to which a mail has gone that asks whether it is right."""
    address = f"ada{next(numbers)}@example.org"
    asker.must("master", "PUT", f"/parse/users/{user(asker)}", {"email": address})
    return address


@accepted("GET /parse/login", "GET /parse/verifyPassword")
def password_in_address(asker, caller):
    user(asker)
    return Accepted(query=urllib.parse.urlencode(PASSWORD))


@accepted("POST /parse/login", "POST /parse/verifyPassword")
def password(asker, caller):
    user(asker)
    return Accepted(PASSWORD)


@accepted("POST /parse/loginAs")
def another(asker, caller):
    return Accepted({"userId": user(asker)})


@accepted("POST /parse/requestPasswordReset", "POST /parse/verificationEmailRequest")
def mail(asker, caller):
    return Accepted({"email": new_address(asker)})


@accepted("GET /apps/account/{token}", "POST /apps/account/{token}")
def link_in_a_mail(asker, caller):
    return Accepted(token=asker.linked_in_mail("/apps/account/", new_address(asker)))


@accepted("POST /parse/users")
def new_user(asker, caller):
    return Accepted({"username": f"user{next(numbers)}", "password": "a long one"})


@accepted("DELETE /parse/users/{id}", "GET /parse/users/{id}", "PUT /parse/users/{id}")
def own_user(asker, caller):
    return own(asker, caller, Accepted({"note": "x"}))


@accepted("POST /parse/users/{id}")
def own_user_by_post(asker, caller):
    return own(asker, caller, meant("PUT", note="x"))


def own(asker, caller, wish):
    """Of a user, who asks by a new session where a user does."""
    id = user(asker)
    session = asker.must("master", "POST", "/parse/loginAs", {"userId": id})["sessionToken"]
    wish.fields = {"X-Parse-Session-Token": session} if caller == "user" else {}
    return wish.at(id=id, session=session)


@accepted("POST /parse/sessions", "POST /parse/upgradeToRevocableSession")
def session(asker, caller):
    return own(asker, caller, Accepted({}))


@accepted(*(f"{method} /parse/sessions/{{id}}" for method in ("DELETE", "GET", "PUT")))
def own_session(asker, caller):
    return of_session(asker, caller, Accepted({"note": "x"}))


@accepted("POST /parse/sessions/{id}")
def own_session_by_post(asker, caller):
    return of_session(asker, caller, meant("PUT", note="x"))


def of_session(asker, caller, wish):
    own(asker, caller, wish)
    session = {"X-Parse-Session-Token": wish.known["session"]}
    return wish.at(id=asker.must("app", "GET", "/parse/sessions/me", None, session)["objectId"])
