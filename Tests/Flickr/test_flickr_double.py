"""The Flickr of tests, asked by somebody else's client, unmodified, and by requests that are wrong."""

import time

import flickrapi
import flickrapi.auth
import pytest
import requests
from flickr import KEY, SECRET, Flickr
from requests_oauthlib import OAuth1


@pytest.fixture
def flickr():
    with Flickr() as double:
        yield double


@pytest.fixture
def client(flickr, monkeypatch):
    """flickrapi, whose only change is the host."""
    monkeypatch.setattr(flickrapi.FlickrAPI, "REST_URL", f"{flickr.base}/services/rest/")
    for name in ("REQUEST_TOKEN", "AUTHORIZE", "ACCESS_TOKEN"):
        url = f"{flickr.base}/services/oauth/{name.lower()}"
        monkeypatch.setattr(flickrapi.auth.OAuthFlickrInterface, f"{name}_URL", url)
    return flickrapi.FlickrAPI(KEY, SECRET, format="parsed-json", store_token=False)


def sign_in(client):
    client.get_request_token(oauth_callback="oob")
    page = requests.get(client.auth_url(perms="read"), timeout=10).text
    client.get_access_token(page.partition("<b>")[2].partition("</b>")[0])


def get(flickr, **query):
    address = f"{flickr.base}/services/rest/"
    return requests.get(address, {"format": "json", "nojsoncallback": "1", "api_key": KEY} | query, timeout=10)


def test_flickrapi_signs_in_by_a_code_and_sees_private_pictures_then(client, flickr):
    ada = flickr.person("ada")
    flickr.visitor = ada
    both = flickr.set(ada, "Both", 2)
    flickr.photos[both.photos[0]].public = False
    flickr.set(ada, "Secret", photos=[flickr.photo(ada, public=False).id])
    assert client.people.findByUsername(username="ada")["user"]["nsid"] == ada.id
    public = client.photosets.getList(user_id=ada.id)["photosets"]["photoset"]
    assert [each["title"]["_content"] for each in public] == ["Both"]
    assert len(client.photosets.getPhotos(photoset_id=both.id, user_id=ada.id)["photoset"]["photo"]) == 1
    sign_in(client)
    assert client.test.login()["user"]["id"] == ada.id
    own = client.photosets.getList(user_id=ada.id)["photosets"]["photoset"]
    assert [each["title"]["_content"] for each in own] == ["Both", "Secret"]
    photos = client.photosets.getPhotos(photoset_id=both.id, user_id=ada.id, extras="url_k,url_o,media")
    assert [photo["ispublic"] for photo in photos["photoset"]["photo"]] == [0, 1]
    assert photos["photoset"]["photo"][0]["width_k"] == 2048
    flickr.revoke(ada)
    with pytest.raises(flickrapi.exceptions.FlickrError, match="98"):
        client.test.login()


def test_flickrapi_walks_a_set_of_several_pages(client, flickr):
    ada = flickr.person()
    whole = flickr.set(ada, "Long", 1203)
    walked = []
    for page in (1, 2, 3):
        answer = client.photosets.getPhotos(photoset_id=whole.id, user_id=ada.id, page=page)["photoset"]
        walked += [photo["id"] for photo in answer["photo"]]
    assert walked == whole.photos
    again = client.photosets.getPhotos(photoset_id=whole.id, user_id=ada.id, page=9)["photoset"]
    assert again["page"] == 3 and [photo["id"] for photo in again["photo"]] == whole.photos[1000:]
    assert flickr.calls["flickr.photosets.getPhotos"] == 4


@pytest.mark.parametrize(("change", "problem"), [
    ({"client_secret": "wrong"}, "signature_invalid"),
    ({"client_key": "0" * 32}, "consumer_key_unknown"),
    ({"timestamp": str(int(time.time()) - 3600)}, "timestamp_refused"),
])
def test_a_wrong_signature_is_refused(flickr, change, problem):
    known = {"client_key": KEY, "client_secret": SECRET, "callback_uri": "oob"}
    answer = requests.get(f"{flickr.base}/services/oauth/request_token", auth=OAuth1(**known | change), timeout=10)
    assert answer.status_code == 401 and answer.text.startswith(f"oauth_problem={problem}")


def test_a_nonce_is_good_once(flickr):
    auth = OAuth1(KEY, SECRET, callback_uri="oob", nonce="same", timestamp=str(int(time.time())))
    address = f"{flickr.base}/services/oauth/request_token"
    assert requests.get(address, auth=auth, timeout=10).status_code == 200
    assert requests.get(address, auth=auth, timeout=10).text == "oauth_problem=nonce_used"


def test_failures_come_as_flickrs_do(flickr):
    ada = flickr.person()
    one = flickr.set(ada, "One", 1)
    asked = {"method": "flickr.photosets.getPhotos", "photoset_id": one.id, "user_id": ada.id}
    assert get(flickr, **asked | {"api_key": "x"}).json()["code"] == 100
    assert get(flickr, method="flickr.no.such").json()["code"] == 112
    assert get(flickr, **asked | {"photoset_id": "1"}).json()["code"] == 1
    flickr.fail("429", method="flickr.photosets.getPhotos")
    assert get(flickr, **asked).status_code == 429
    flickr.fail("html")
    assert get(flickr, **asked).text.startswith("<!DOCTYPE")
    flickr.odd = True
    assert get(flickr, **asked).text.startswith("jsonFlickrApi({")
    assert get(flickr, method="flickr.collections.getTree", user_id=ada.id).text.count("collection") == 1
    flickr.odd, flickr.hourly = False, 0
    assert get(flickr, **asked).status_code == 429


def test_files_are_pictures_until_they_are_deleted_or_replaced(flickr):
    ada = flickr.person()
    photo = flickr.photo(ada, size=(300, 200), withheld=("o",))
    assert sorted(photo.sizes(), key=photo.sizes().get) == ["sq", "t", "q", "s"]
    old = flickr.base + photo.address("q")
    assert requests.get(old, timeout=10).content.startswith(b"\xff\xd8")
    flickr.fail("half", file=photo.id)
    assert not requests.get(old, timeout=10).content.endswith(b"\xff\xd9")
    photo.replace()
    assert requests.get(old, timeout=10).url.endswith("photo_unavailable.png")
    flickr.delete(photo)
    assert requests.get(flickr.base + photo.address("q"), timeout=10).url.endswith("photo_unavailable.png")
    assert flickr.files[photo.id] == 4
