"""The methods of Flickr's API that its double knows, each as its page at flickr.com/services/api describes it."""

LARGEST_PAGE = 500
LAST_PAGE = 10_000
# By their names: functions of the double, the question, and the id of who asks.
METHODS = {}

LABELS = {"sq": "Square", "q": "Large Square", "t": "Thumbnail", "s": "Small", "n": "Small 320", "m": "Medium",
          "z": "Medium 640", "c": "Medium 800", "l": "Large", "h": "Large 1600", "k": "Large 2048", "o": "Original"}


class Failure(Exception):
    """An answer of the API that is a failure: HTTP 200 with a code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


def method(name):
    def register(function):
        METHODS[name] = function
        return function
    return register


def content(text):
    return {"_content": text}


def paged(items, query, largest=LARGEST_PAGE):
    """The items of a page and the numbers about it. Past the last page, that one comes again."""
    size = max(1, min(largest, int(query.get("per_page") or largest)))
    pages = max(1, -(-len(items) // size))
    page = min(max(1, int(query.get("page") or 1)), pages, LAST_PAGE)
    numbers = {"page": page, "pages": pages, "perpage": size, "per_page": size, "total": len(items)}
    return items[(page - 1) * size:page * size], numbers


@method("flickr.test.echo")
def echo(flickr, query, viewer):
    return {name: content(value) for name, value in query.items() if not name.startswith("oauth_")}


@method("flickr.test.login")
def login(flickr, query, viewer):
    person = signed_in(flickr, viewer)
    return {"user": {"id": person.id, "username": content(person.username)}}


def signed_in(flickr, viewer):
    if viewer is None:
        raise Failure(99, "User not logged in / Insufficient permissions")
    return flickr.people[viewer]


@method("flickr.people.findByUsername")
def find_by_username(flickr, query, viewer):
    for person in flickr.people.values():
        if person.username == query["username"]:
            return {"user": {"id": person.id, "nsid": person.id, "username": content(person.username)}}
    raise Failure(1, "User not found")


@method("flickr.urls.lookupUser")
def lookup_user(flickr, query, viewer):
    name = query["url"].rstrip("/").rsplit("/", 1)[-1]
    for person in flickr.people.values():
        if name in (person.alias, person.id):
            return {"user": {"id": person.id, "username": content(person.username)}}
    raise Failure(1, "User not found")


@method("flickr.people.getInfo")
def person_info(flickr, query, viewer):
    person = flickr.user(query["user_id"])
    return {"person": {
        "id": person.id, "nsid": person.id, "ispro": 1, "path_alias": person.alias,
        "username": content(person.username), "realname": content(person.username.title()),
        "photosurl": content(f"https://www.flickr.com/photos/{person.alias}/"),
        "photos": {"count": content(str(sum(photo.owner == person.id for photo in flickr.photos.values())))}}}


@method("flickr.contacts.getList")
def contacts(flickr, query, viewer):
    return contact_list(flickr, query, signed_in(flickr, viewer))


@method("flickr.contacts.getPublicList")
def public_contacts(flickr, query, viewer):
    return contact_list(flickr, query, flickr.user(query["user_id"]))


def contact_list(flickr, query, person):
    found, numbers = paged(person.contacts, query, largest=1000)
    entries = [{"nsid": id, "username": flickr.people[id].username, "iconserver": 1, "friend": 0} for id in found]
    return {"contacts": numbers | {"contact": entries}}


@method("flickr.photosets.getList")
def set_list(flickr, query, viewer):
    person = flickr.user(query.get("user_id") or signed_in(flickr, viewer).id)
    sets = [flickr.sets[id] for id in person.sets]
    seen = [each for each in sets if viewer == person.id or not each.photos or flickr.visible_photos(each, viewer)]
    found, numbers = paged(seen, query)
    return {"photosets": numbers | {"cancreate": int(viewer == person.id),
                                    "photoset": [set_entry(flickr, each, viewer) for each in found]}}


def set_entry(flickr, each, viewer):
    photos = flickr.visible_photos(each, viewer)
    videos = sum(photo.media == "video" for photo in photos)
    primary = photos[0] if photos else None
    return {
        "id": each.id, "owner": each.owner, "primary": primary.id if primary else "0",
        "secret": primary.secret if primary else "", "server": "65535", "farm": 66,
        "photos": len(photos) - videos, "videos": videos, "count_photos": len(photos) - videos,
        "count_videos": videos, "title": content(each.title), "description": content(each.description),
        "count_views": "0", "count_comments": "0", "can_comment": 0, "visibility_can_see_set": 1,
        "date_create": "1790000000", "date_update": str(each.updated)}


@method("flickr.collections.getTree")
def collection_tree(flickr, query, viewer):
    person = flickr.user(query.get("user_id") or signed_in(flickr, viewer).id)

    def node(number, title, parts):
        entry = {"id": f"{person.id.partition('@')[0]}-{number}", "title": title, "description": "",
                 "iconlarge": "/images/collection_default_l.gif"}
        sets = [flickr.sets[part] for part in parts if isinstance(part, str)]
        inner = [node(f"{number}{place}", *part) for place, part in enumerate(parts) if not isinstance(part, str)]
        if sets:
            entry["set"] = [{"id": each.id, "title": each.title, "description": each.description} for each in sets]
        return entry | ({"collection": inner} if inner else {})

    tree = [node(place, *each) for place, each in enumerate(person.collections, 1)]
    # Without any, the key is missing.
    return {"collections": {"collection": tree} if tree else {}}


@method("flickr.photosets.getPhotos")
def set_photos(flickr, query, viewer):
    person = flickr.user(query["user_id"], code=2)
    each = flickr.sets.get(query["photoset_id"])
    photos = flickr.visible_photos(each, viewer) if each and each.owner == person.id else []
    # A set of private pictures cannot be told from one that is not there.
    if each is None or each.owner != person.id or (each.photos and not photos):
        raise Failure(1, "Photoset not found")
    if query.get("media", "all") != "all":
        photos = [photo for photo in photos if f"{photo.media}s" == query["media"]]
    found, numbers = paged(photos, query)
    extras = set(filter(None, query.get("extras", "").split(",")))
    entries = [photo_entry(flickr, photo, extras) | {"isprimary": str(int(photo is photos[0]))} for photo in found]
    return {"photoset": numbers | {"id": each.id, "primary": photos[0].id if photos else "0", "owner": person.id,
                                   "ownername": person.username, "title": each.title, "photo": entries}}


def photo_entry(flickr, photo, extras):
    entry = {"id": photo.id, "secret": photo.secret, "server": "65535", "farm": 66, "title": photo.title,
             "ispublic": int(photo.public), "isfriend": 0, "isfamily": 0}
    width, height = photo.size
    known = {
        "description": {"description": content(photo.description)}, "license": {"license": str(photo.license)},
        "date_upload": {"dateupload": "1795000000"}, "last_update": {"lastupdate": "1795000001"},
        "date_taken": {"datetaken": photo.taken, "datetakengranularity": 0, "datetakenunknown": "0"},
        "geo": {"latitude": photo.place[0], "longitude": photo.place[1], "accuracy": "16", "context": 0},
        "o_dims": {"o_width": str(width), "o_height": str(height)}, "media": {"media": photo.media,
                                                                             "media_status": "ready"},
        "original_format": {"originalsecret": photo.secret[::-1], "originalformat": "jpg"},
        "path_alias": {"pathalias": flickr.people[photo.owner].alias}}
    for name in extras & set(known):
        entry |= known[name]
    for letter, (width, height) in photo.sizes().items():
        if f"url_{letter}" in extras:
            entry |= {f"url_{letter}": flickr.base + photo.address(letter), f"width_{letter}": width,
                      f"height_{letter}": str(height)}
    return entry


def seen_photo(flickr, query, viewer):
    photo = flickr.photos.get(query["photo_id"])
    if photo is None or not (flickr.visible(photo, viewer) or not photo.deleted
                             and query.get("secret") == photo.secret):
        raise Failure(1, "Photo not found")
    return photo


@method("flickr.photos.getInfo")
def photo_info(flickr, query, viewer):
    photo = seen_photo(flickr, query, viewer)
    return {"photo": {"id": photo.id, "secret": photo.secret, "server": "65535", "title": content(photo.title),
                      "description": content(photo.description), "media": photo.media,
                      "visibility": {"ispublic": int(photo.public), "isfriend": 0, "isfamily": 0}}}


@method("flickr.photos.getSizes")
def photo_sizes(flickr, query, viewer):
    photo = seen_photo(flickr, query, viewer)
    sizes = [{"label": LABELS[letter], "width": width, "height": str(height), "media": "photo",
              "source": flickr.base + photo.address(letter)} for letter, (width, height) in photo.sizes().items()]
    if photo.video:
        sizes.append({"label": "Site MP4", "width": "640", "height": "360", "media": "video",
                      "source": f"{flickr.base}/play/site/{photo.id}_{photo.secret}.mp4"})
    return {"sizes": {"canblog": 0, "canprint": 0, "candownload": 1, "size": sizes}}
