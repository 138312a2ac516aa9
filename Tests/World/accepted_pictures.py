"""The same for pictures (accepted.py): albums and portfolios."""

import io

from accepted import Accepted, accepted, last, numbers
from PIL import Image

from png import png
from uploads import PART, TUS, metadata

ALBUMS, PORTFOLIOS = "/api/v1/albums", "/api/v1/portfolios"
BYTES = png(20, 20)
# For all bytes at once, by PATCH and by POST.
WHOLE = TUS | {"Upload-Offset": "0", "X-HTTP-Method-Override": "PATCH"}


def jpeg():
    file = io.BytesIO()
    Image.new("RGB", (40, 30)).save(file, "JPEG")
    return file.getvalue()


def each(path, *methods):
    return [f"{method} {path}" for method in methods]


# Albums

@accepted(f"POST {ALBUMS}/join", f"POST {ALBUMS}/look")
def album_link(asker, caller):
    return Accepted({"secret": asker.join_secret})


@accepted(f"PATCH {ALBUMS}/{{id}}/people/{{guest}}")
def new_guest(asker, caller):
    secret = last(asker.must("host", "GET", asker.album)["join_url"])
    asker.must("stranger", "POST", f"{ALBUMS}/join", {"secret": secret, "name": "Mo"})
    people = asker.must("host", "GET", f"{asker.album}/people")["people"]
    return Accepted({"state": "removed"}, guest=next(one["id"] for one in people if one["name"] == "Mo"
                                                     and one["state"] == "in"))


@accepted(*(f"GET {ALBUMS}/{{id}}/pictures/{{picture}}/{part}" for part in ("sound", "video")))
def film(asker, caller):
    return Accepted(picture=asker.film)


@accepted(f"POST {ALBUMS}/{{id}}/pictures/{{picture}}/restore")
def removed_picture(asker, caller):
    who = "guest" if caller == "guest" else "host"
    made = asker.send(who, png(20, 20, next(numbers)))
    asker.ask(who, "DELETE", f"{asker.album}/pictures/{made}")
    return Accepted(picture=made)


@accepted(f"POST {ALBUMS}/{{id}}/realtime/auth")
def album_channel(asker, caller):
    return Accepted({"socket_id": "1234.5678", "channel_name": f"private-albums-{asker.who['album']['id']}"})


@accepted(f"POST {ALBUMS}/{{id}}/uploads")
def new_album_upload(asker, caller):
    return Accepted((PART, b""), fields=TUS | {"Upload-Length": str(len(BYTES))})


@accepted(*each(f"{ALBUMS}/{{id}}/uploads/{{upload}}", "DELETE", "HEAD"))
def begun_album_upload(asker, caller):
    return Accepted(fields=TUS, upload=last(asker.upload("host" if caller == "host" else "guest", len(BYTES))))


@accepted(*each(f"{ALBUMS}/{{id}}/uploads/{{upload}}", "PATCH", "POST"))
def sent_album_upload(asker, caller):
    begun = begun_album_upload(asker, caller)
    return Accepted((PART, BYTES), fields=WHOLE, **begun.known)


@accepted(f"PUT {ALBUMS}/{{id}}/uploads/{{upload}}/preview")
def preview(asker, caller):
    return Accepted(("image/jpeg", jpeg()), **begun_album_upload(asker, caller).known)


# Portfolios

def own(asker):
    """The portfolio of uploads, and the address of one of its galleries."""
    id = asker.who["portfolio"]["own"]
    return id, f"{PORTFOLIOS}/{id}"


def new_gallery(asker):
    return asker.must("owner", "POST", f"{own(asker)[1]}/galleries", {"title": "Moor"})["id"]


def begun(asker, gallery, content=BYTES):
    """The address of an upload to it."""
    named = {"Upload-Length": str(len(content)), "Upload-Metadata": metadata(gallery=gallery, filename="moor.png")}
    return asker.ask("owner", "POST", f"{own(asker)[1]}/uploads", None, TUS | named)[0]["Location"]


def portfolio_picture(asker):
    """A new picture: the ids of its gallery and its own."""
    gallery, content = new_gallery(asker), png(20, 20, next(numbers))
    fields = TUS | {"Upload-Offset": "0", "Content-Type": PART}
    kept = asker.ask("owner", "PATCH", begun(asker, gallery, content), content, fields)[0]
    return gallery, kept["Eightbells-Picture"]


@accepted(f"POST {PORTFOLIOS}/{{id}}/galleries")
def gallery_wish(asker, caller):
    return Accepted({"title": "Weddings"}, id=own(asker)[0])


@accepted(f"DELETE {PORTFOLIOS}/{{id}}/galleries/{{gallery}}")
def gallery(asker, caller):
    return Accepted(id=own(asker)[0], gallery=new_gallery(asker))


@accepted(f"DELETE {PORTFOLIOS}/{{id}}/galleries/{{gallery}}/pictures/{{picture}}",
          f"DELETE {PORTFOLIOS}/{{id}}/pictures/{{picture}}",
          f"GET {PORTFOLIOS}/{{id}}/files/{{picture}}/original")
def picture(asker, caller):
    gallery, picture = portfolio_picture(asker)
    return Accepted(id=own(asker)[0], gallery=gallery, picture=picture)


@accepted(f"PATCH {PORTFOLIOS}/{{id}}/galleries/{{gallery}}/pictures/{{picture}}")
def moved(asker, caller):
    return Accepted({"before": None}, **picture(asker, caller).known)


@accepted(f"GET {PORTFOLIOS}/{{id}}/files/{{picture}}/video")
def portfolio_film(asker, caller):
    return Accepted(id=own(asker)[0], picture=asker.portfolio_film)


@accepted(*(f"GET /api/v1/sent/{{sent}}/files/{{picture}}/{size}" for size in ("original", "video")))
def sent_film(asker, caller):
    token = {"Sent-Token": asker.sent_film[1]} if caller == "link" else {}
    return Accepted(sent=asker.sent_film[0], picture=asker.portfolio_film, fields=token)


@accepted(f"POST {PORTFOLIOS}/flickr/consents")
def consent_wish(asker, caller):
    return Accepted({})


@accepted(f"POST {PORTFOLIOS}/flickr/consents/{{token}}")
def consent(asker, caller):
    token, verifier = asker.consent()
    return Accepted({"verifier": verifier, "name": f"From there {next(numbers)}"}, token=token)


@accepted(f"GET {PORTFOLIOS}/{{id}}/contacts")
def at_flickr(asker, caller):
    return Accepted(id=asker.at_flickr)


@accepted(f"POST {PORTFOLIOS}/{{id}}/uploads")
def new_upload(asker, caller):
    named = {"Upload-Length": "4", "Upload-Metadata": metadata(gallery=new_gallery(asker), filename="moor.png")}
    return Accepted((PART, b""), fields=TUS | named, id=own(asker)[0])


@accepted(*each(f"{PORTFOLIOS}/{{id}}/uploads/{{upload}}", "DELETE", "HEAD"))
def begun_upload(asker, caller):
    return Accepted(fields=TUS, id=own(asker)[0], upload=last(asker.unfinished(
        "owner", "upload to the portfolio", lambda: begun(asker, new_gallery(asker)))))


@accepted(*each(f"{PORTFOLIOS}/{{id}}/uploads/{{upload}}", "PATCH", "POST"))
def sent_upload(asker, caller):
    begun = begun_upload(asker, caller)
    return Accepted((PART, BYTES), fields=WHOLE, **begun.known)


@accepted(f"POST {PORTFOLIOS}/{{id}}/sent", f"PATCH {PORTFOLIOS}/{{id}}/sent/{{sent}}")
def sent_wish(asker, caller):
    return Accepted({"title": "For you", "pictures": [asker.shown["picture"]]}, sent=new_sent(asker))


def new_sent(asker, **more):
    wish = {"title": "For you", "pictures": [asker.shown["picture"]]} | more
    return asker.must("owner", "POST", f"{PORTFOLIOS}/{asker.who['portfolio']['id']}/sent", wish)["id"]


@accepted(f"POST {PORTFOLIOS}/{{id}}/sent/{{sent}}/file")
def sent_file(asker, caller):
    return Accepted({"passphrase": "a long passphrase", "size": 640})


@accepted(f"POST {PORTFOLIOS}/{{id}}/sent/{{sent}}/mail")
def sent_mail(asker, caller):
    return Accepted({"to": ["client@example.org"], "language": "de"}, sent=new_sent(asker))


@accepted(f"POST {PORTFOLIOS}/{{id}}/shares")
def share(asker, caller):
    return Accepted({"picture": asker.shown["picture"]})


@accepted("GET /portfolio/embed/{share}")
def embedded(asker, caller):
    path = f"{PORTFOLIOS}/{asker.who['portfolio']['id']}"
    return Accepted(share=asker.must("owner", "POST", f"{path}/shares", {"gallery": asker.shown["gallery"]})["id"])
