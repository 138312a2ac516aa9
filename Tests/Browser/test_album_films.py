"""Videos, live photos, recordings, music and raw files in an album, with the real hub."""

import io
import json
import pathlib
import shutil
import subprocess

import pytest
from album_page import Album, choose, jpeg, join
from hub import eventually
from page import pages, wait_until
from uploads import Guest
from uploads import join as join_hub

IDENTIFIER = "0F3C1B9A-0000-4000-8000-1234567890AB"
SECRETS = ["52.5163", "Quimby", IDENTIFIER]
SHOWN = "[...document.querySelectorAll('.cell')].filter((one) => !one.hidden)"
VIDEO = "document.querySelector('.pswp video')"


@pytest.fixture
def open_page(camera):
    with pages(camera) as open_page:
        yield open_page


@pytest.fixture
def album(hub):
    if not shutil.which("ffmpeg"):
        pytest.fail("ffmpeg is missing: bin/install test")
    return Album(hub, "--open")


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A film of three seconds as a phone writes it, with its place, its owner and a live photo's identifier. It has
    few pictures a second, since the hub makes a smaller one of it in each test."""
    path = tmp_path_factory.mktemp("films") / "IMG_0001.MOV"
    place = {"com.apple.quicktime.location.ISO6709": "+52.5163+013.3777/", "artist": "Quimby",
             "com.apple.quicktime.content.identifier": IDENTIFIER}
    words = [word for key, value in place.items() for word in ("-metadata", f"{key}={value}")]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=10:d=3", "-f", "lavfi", "-i",
         "sine=d=3", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", *words,
         "-movflags", "use_metadata_tags", path], check=True)
    return path.read_bytes()


def mov(film):
    return {"name": "IMG_0001.MOV", "mimeType": "video/quicktime", "buffer": film}


def played(album):
    """The one picture with its video, once it is made."""
    eventually(lambda: any("video" in one for one in album.pictures()), seconds=30)
    return next(one for one in album.pictures() if "video" in one)


def fetched(album, path, **fields):
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return album.hub.request("GET", path, {"Authorization": f"Bearer {album.host}"} | named)


def tells(body, tmp_path):
    """Secrets that are left in a file."""
    path = pathlib.Path(tmp_path) / "served"
    path.write_bytes(body)
    told = subprocess.run(["exiftool", "-G1", "-s", "-ee", path], capture_output=True, text=True, check=True).stdout
    return [one for one in SECRETS if one in told or one.encode() in body]


def open_first(page):
    wait_until(page, f"{SHOWN}.some((one) => one.classList.contains('is-there'))")
    page.evaluate(f"{SHOWN}[0].click()")
    page.wait_for_selector(".pswp--open album-viewer-bar .viewer-who")


def test_a_video_plays_on_the_whole_screen_in_pieces_and_tells_nothing(album, open_page, film, tmp_path):
    page = join(open_page(), album)
    choose(page, [mov(film)])
    one = played(album)
    assert (one["kind"], round(one["seconds"])) == ("video", 3)
    whole = fetched(album, one["video"])
    assert whole.headers["Content-Type"] == "video/mp4" and len(whole.body) < 3 * 4_500_000 / 8
    assert tells(film, tmp_path) == SECRETS and tells(whole.body, tmp_path) == []
    part = fetched(album, one["video"], Range="bytes=100-199")
    assert (part.status, part.body) == (206, whole.body[100:200])
    page.wait_for_selector(".stamp:has-text('just now'), .stamp:has-text('▶ 0:03')")
    open_first(page)
    wait_until(page, f"{VIDEO}?.currentTime > 0.3 && {VIDEO}.videoHeight === 720")
    assert page.evaluate(f"{VIDEO}.clientWidth === innerWidth"), "as wide as the phone"
    page.evaluate(f"{VIDEO}.currentTime = 2.5")  # asks for a later piece
    wait_until(page, f"{VIDEO}.ended")


def ada(album):
    return Guest(album.hub, {"id": album.id}, join_hub(album.hub, {"join_url": album.url}, "Ada"))


def test_a_video_plays_in_firefox(album, film, firefox):
    ada(album).send(film, filename="IMG_0001.MOV", filetype="video/quicktime")
    one = played(album)
    firefox.open(album.url)
    firefox.wait("document.querySelector('.join button')")
    firefox.run("document.querySelector('.join button').click();")
    firefox.wait("document.querySelector('.cell.is-there')")
    firefox.run("document.querySelector('.cell.is-there').click();")
    firefox.wait(VIDEO)
    firefox.run(f"{VIDEO}.muted = true; await {VIDEO}.play(); {VIDEO}.currentTime = 2.5;")  # nobody has touched it
    firefox.wait(f"{VIDEO}.ended")
    assert one["video"] in firefox.run(f"return {VIDEO}.src;")


def test_the_wall_plays_films_silently_and_recordings_after_a_touch(album, film, firefox, tmp_path):
    album.change(plays_sound=True)
    guest = ada(album)
    picture = guest.send(film, filename="IMG_0001.MOV", filetype="video/quicktime")
    played(album)
    sound = tmp_path / "sound.webm"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=2", "-c:a", "libopus", sound], check=True)
    guest.send(sound.read_bytes(), sound_of=picture)
    eventually(lambda: "url" in album.pictures()[0].get("sound", {}), seconds=30)
    firefox.open(album.url.replace("/album#", "/album/wall#"))
    firefox.wait("document.querySelector('.arriving video.is-there')?.currentTime > 0.3")
    assert firefox.run("return document.querySelector('.arriving video').muted;") is True
    firefox.wait("document.querySelector('.wall-sound')?.innerText.includes('Touch the screen once')")
    button = firefox("WebDriver:FindElement", using="css selector", value=".wall-sound")["value"]
    firefox("WebDriver:ElementClick", id=next(iter(button.values())))
    firefox.wait("!document.querySelector('.wall-sound')")
    assert firefox.console(album.hub.url) == []


def test_the_camera_takes_a_video_with_sound(album, open_page):
    page = join(open_page(), album)
    page.click(".take-bar .primary")
    page.wait_for_selector(".shutter:not([disabled])")
    page.click(".camera-modes button:has-text('Video')")
    page.wait_for_selector(".shutter[data-mode=film]:not([disabled])")
    page.click(".shutter")
    page.wait_for_selector(".camera-count[aria-live=off]:has-text('58 s left')")  # its microphone would hear them
    page.click(".shutter")
    page.wait_for_selector(".camera-done img")
    page.click(".camera-done")
    one = played(album)
    assert one["kind"] == "video" and one["seconds"] >= 1.5
    body = fetched(album, one["video"]).body
    streams = json.loads(subprocess.run(
        ["ffprobe", "-v", "error", "-show_streams", "-of", "json", "-"], input=body, capture_output=True,
        check=True).stdout)["streams"]
    assert {stream["codec_name"] for stream in streams} == {"h264", "aac"}


def test_a_live_photo_is_one_picture_whose_moment_plays_while_it_is_held(album, open_page, film):
    page = join(open_page(reduced_motion="reduce"), album)  # held as soon as it is open
    choose(page, [jpeg(1) | {"name": "IMG_0001.JPG"}, mov(film)])
    played(album)
    assert len(album.pictures()) == 2, "both originals are kept"
    wait_until(page, f"{SHOWN}.length === 1 && {SHOWN}[0].classList.contains('is-there')")
    open_first(page)
    page.wait_for_selector(".viewer-told:has-text('hold the picture')")
    middle = page.viewport_size["width"] / 2, page.viewport_size["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    wait_until(page, "document.querySelector('.viewer-live')?.currentTime > 0.2")
    page.mouse.up()
    page.wait_for_selector(".viewer-live", state="detached")
    assert page.locator(".pswp--open").count() == 1, "holding is no tap"
    page.click(".viewer-key:has-text('Play the moment')")
    wait_until(page, "document.querySelector('.viewer-live')?.currentTime > 0.2")
    page.click(".viewer-key:has-text('Take back')")
    page.click(".viewer-key:has-text('Take it out')")
    eventually(lambda: album.pictures() == [])
    page.wait_for_selector("h1:focus")  # nothing is left where the keys were


def test_a_picture_gets_a_piece_of_music_and_a_recording(album, open_page):
    page = join(open_page(), album)
    choose(page, [jpeg(1)])
    eventually(lambda: [one["state"] for one in album.pictures()] == ["shown"], seconds=20)
    open_first(page)
    page.click(".viewer-key:has-text('Add a sound')")
    page.fill("#music-title", "Air, humming")  # h is the key of hearts elsewhere
    page.fill("#music-address", "https://music.example/air")
    page.click(".viewer-sound button:has-text('Save')")
    page.wait_for_selector("a.viewer-key[href='https://music.example/air']:has-text('Air, humming')")
    assert album.pictures()[0]["hearts"] == 0
    page.click(".viewer-key:has-text('Sound')")
    page.click(".viewer-sound button:has-text('Add a sound')")
    page.wait_for_selector(".viewer-sound .sound-left:has-text('8 s')")
    page.context.set_offline(True)
    page.click(".viewer-sound button:has-text('Stop')")
    page.wait_for_selector(".viewer-sound :text('Recorded. It is sent by itself.')")
    page.context.set_offline(False)
    eventually(lambda: "url" in album.pictures()[0].get("sound", {}), seconds=30)
    page.keyboard.press("Escape")
    page.wait_for_selector(".viewer-key:has-text('Listen')")


def test_a_recording_is_kept_when_its_sheet_is_closed(album, open_page):
    page = join(open_page(), album)
    page.context.set_offline(True)
    choose(page, [jpeg(1)])
    page.click(".queue-cells li[data-state=waits] button")
    page.evaluate("""() => {
      const { getUserMedia } = MediaDevices.prototype;
      MediaDevices.prototype.getUserMedia = async function () {
        MediaDevices.prototype.getUserMedia = getUserMedia;
        throw new DOMException('Requested device not found', 'NotFoundError');
      };
    }""")
    page.click(".queue-sheet button:has-text('Add a sound')")
    page.wait_for_selector(".queue-sheet .note:has-text('No sound was recorded.')")
    page.click(".queue-sheet button:has-text('Add a sound')")
    page.wait_for_selector(".queue-sheet .sound-left:has-text('8 s')")
    page.keyboard.press("Escape")
    page.wait_for_selector(".queue-sheet", state="hidden")
    page.context.set_offline(False)
    eventually(lambda: ["url" in one.get("sound", {}) for one in album.pictures()] == [True], seconds=30)


def test_a_raw_file_is_kept_and_its_guest_and_hosts_see_its_name(album, open_page):
    raw = io.BytesIO(b"II*\0\x10\0\0\0CR\x02\0" + bytes(2_000_000))
    page, other = join(open_page(), album), join(open_page(), album)
    choose(page, [{"name": "IMG_0001.CR2", "mimeType": "image/x-canon-cr2", "buffer": raw.getvalue()}])
    eventually(lambda: [one["kind"] for one in album.pictures()] == ["raw"], seconds=20)
    page.wait_for_selector(".cell-file:has-text('IMG_0001.CR2, 2 MB')")
    choose(page, [jpeg(1)])
    wait_until(other, f"{SHOWN}.length === 1 && {SHOWN}[0].classList.contains('is-there')")
    assert other.locator(".cell-file:visible").count() == 0, "nobody else"
    # A host who hides it sees it go.
    host = open_page()
    host.goto(f"{album.hub.url}/album/host#id={album.id}&token={album.host}")
    host.click("dialog button:has-text('Become a host')")
    host.wait_for_selector(".cell-file:has-text('IMG_0001.CR2')")
    [raw_one] = [one["id"] for one in album.pictures() if one["kind"] == "raw"]
    assert album.hub.patch(f"{album.path}/pictures/{raw_one}", album.host, {"state": "hidden"})[0] in (200, 204)
    host.wait_for_selector(".cell-file", state="hidden")
