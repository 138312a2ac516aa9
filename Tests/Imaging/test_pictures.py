"""The program that decodes: what it makes of pictures, and what it leaves out."""

import io
import subprocess

import pytest
from PIL import Image

from decoder import Decoder, progressive_bomb, with_second_target

SECRETS = ["Secret-Owner", "Secret-Serial", "Secret-Comment", "Secret-XMP", "Secret-IPTC", "52.5", "13.4"]
CORNERS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)]


@pytest.fixture(scope="module")
def decoder():
    with Decoder() as decoder:
        yield decoder


def photo(width=1200, height=800):
    """A picture whose four quarters have a colour each, and some noise."""
    picture = Image.new("RGB", (width, height))
    for number, colour in enumerate(CORNERS):
        x, y = number % 2 * width // 2, number // 2 * height // 2
        picture.paste(colour, (x, y, x + width // 2, y + height // 2))
    return picture


def opened(data):
    picture = Image.open(io.BytesIO(data))
    picture.load()
    return picture


def corners(data):
    """The nearest of the four colours in each quarter of a JPEG."""
    picture = opened(data).convert("RGB")
    width, height = picture.size
    points = [picture.getpixel((width * x // 4, height * y // 4)) for y in (1, 3) for x in (1, 3)]
    return [min(range(4), key=lambda number: sum(abs(a - b) for a, b in zip(CORNERS[number], point, strict=True)))
            for point in points]


def save(picture, path, **options):
    picture.save(path, **options)
    return path


def planted(path, tmp_path):
    """Writes into a picture what must not be passed on."""
    small = save(photo(160, 120), tmp_path / "thumbnail.jpg")
    told = subprocess.run(
        ["exiftool", "-q", "-m", "-overwrite_original", "-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-GPSLongitude=13.4",
         "-GPSLongitudeRef=E", "-Artist=Secret-Owner", "-SerialNumber=Secret-Serial", "-XMP:Title=Secret-XMP",
         "-IPTC:City=Secret-IPTC", "-Comment=Secret-Comment", "-DateTimeOriginal=2026:11:21 18:04:00",
         f"-ThumbnailImage<={small}", str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, told.stderr
    return path


def assert_plain(data, tmp_path):
    """A JPEG with nothing but the picture."""
    path = tmp_path / "plain.jpg"
    path.write_bytes(data)
    told = subprocess.run(["exiftool", "-G1", "-s", "-ee", "-a", "-u", str(path)],
                          capture_output=True, text=True, timeout=60, check=True).stdout
    groups = {line[1:line.index("]")] for line in told.splitlines()}
    assert groups <= {"ExifTool", "System", "File", "JFIF", "Composite"}, told
    assert "Comment" not in told
    for secret in SECRETS[:5]:
        assert secret.encode() not in data
    assert data.endswith(b"\xff\xd9")


def test_all_eight_orientations_come_out_upright(decoder, tmp_path):
    # The turn that brings the stored picture upright.
    turns = {1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
             4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_270,
             7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_90}
    back = {6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
    for orientation, turn in turns.items():
        stored = photo()
        if turn is not None:
            stored = stored.transpose(back.get(orientation, turn))
        exif = Image.Exif()
        exif[0x0112] = orientation
        path = save(stored, tmp_path / f"{orientation}.jpg", exif=exif, quality=90)
        made = decoder.make(path, (320, 1600))
        assert (made.width, made.height) == (1200, 800), orientation
        assert opened(made.sizes[320]).size == (320, 213), orientation
        # Never enlarged.
        assert opened(made.sizes[1600]).size == (1200, 800), orientation
        assert corners(made.sizes[320]) == corners(made.sizes[1600]) == [0, 1, 2, 3], orientation
        assert 15 < len(made.placeholder) < 26


@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "heic", "tiff"])
def test_nothing_but_the_picture_is_passed_on(decoder, tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    if kind == "heic":
        heic(photo(), path)
    else:
        save(photo(), path)
    planted(path, tmp_path)
    assert any(secret.encode() in path.read_bytes() for secret in SECRETS)
    made = decoder.make(path, (320, 1600))
    assert made.kind == "photo" and made.taken == ("2026-11-21T18:04:00" if kind != "tiff" else made.taken)
    for data in made.sizes.values():
        assert_plain(data, tmp_path)
    assert corners(made.sizes[320]) == [0, 1, 2, 3]


def test_a_preview_is_written_anew(decoder, tmp_path):
    path = planted(save(photo(600, 400), tmp_path / "a.jpg", quality=70), tmp_path)
    made = decoder.make(path.read_bytes(), ())
    assert list(made.sizes) == [480] and len(made.sizes[480]) <= 40 << 10
    assert_plain(made.sizes[480], tmp_path)
    noise = Image.effect_noise((480, 480), 200).convert("RGB")
    made = decoder.make(save(noise, tmp_path / "noise.jpg", quality=95).read_bytes(), ())
    assert len(made.sizes[480]) <= 40 << 10
    with pytest.raises(ValueError, match="not a picture"):
        decoder.make(save(photo(), tmp_path / "a.png"), ())


def test_colours_of_a_wide_profile_become_srgb(decoder, tmp_path):
    """The red of Display P3 is outside of sRGB: taken as it is, it would be a duller one than converted."""
    profile = subprocess.run(
        ["vips", "icc_export", str(save(photo(), tmp_path / "plain.png")), str(tmp_path / "wide.jpg[Q=95]"),
         "--output-profile", "p3"], capture_output=True, timeout=60, check=False)
    assert profile.returncode == 0, profile.stderr
    stored = opened((tmp_path / "wide.jpg").read_bytes()).getpixel((100, 100))
    made = opened(decoder.make(tmp_path / "wide.jpg").sizes[320]).getpixel((40, 40))
    assert stored[0] < 240 and made[0] > 248, (stored, made)


def test_transparency_becomes_white(decoder, tmp_path):
    path = save(Image.new("RGBA", (400, 300), (0, 0, 0, 0)), tmp_path / "a.png")
    assert opened(decoder.make(path).sizes[320]).getpixel((10, 10)) == (255, 255, 255)


def test_grey_palette_and_sixteen_bits_are_pictures_too(decoder, tmp_path):
    for mode, name in [("L", "grey.jpg"), ("P", "palette.gif"), ("LA", "grey.png"), ("CMYK", "cmyk.jpg"),
                       ("I;16", "deep.png"), ("1", "bits.png")]:
        picture = Image.new("I;16", (500, 400), 30000) if mode == "I;16" else photo(500, 400).convert(mode)
        made = decoder.make(save(picture, tmp_path / name))
        assert opened(made.sizes[320]).size == (320, 256), name


# MARK: Broken and wicked files

@pytest.mark.parametrize("kind", ["jpg", "png", "gif", "webp", "heic"])
def test_a_file_that_was_cut_is_no_picture_and_the_next_one_is(decoder, tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    noise = Image.effect_noise((900, 600), 80).convert("RGB")
    heic(noise, path) if kind == "heic" else save(noise, path)
    whole = path.read_bytes()
    for part in (len(whole) // 2, len(whole) // 10, 40, 12):
        path.write_bytes(whole[:part])
        try:
            made = decoder.make(path, name=f"a.{kind}")
        except ValueError as error:
            assert error.args[0] == "not a picture"
        else:
            assert made.kind == "other" and not made.sizes, part
    path.write_bytes(whole)
    assert opened(decoder.make(path).sizes[320]).size == (320, 213)


def test_random_changes_of_real_files_end_in_an_answer(tmp_path):
    """A decoder that dies of one is started anew, as the hub does."""
    import random
    chance = random.Random(19)
    files = [save(photo(300, 200), tmp_path / name).read_bytes() for name in ("a.jpg", "a.png", "a.gif", "a.webp")]
    heic(photo(300, 200), tmp_path / "a.heic")
    files.append((tmp_path / "a.heic").read_bytes())
    with Decoder() as decoder:
        for _ in range(300):
            data = bytearray(chance.choice(files))
            for _ in range(chance.choice([1, 3, 20])):
                data[chance.randrange(len(data))] = chance.randrange(256)
            try:
                decoder.make(bytes(data), (320,))
            except ValueError as error:
                assert error.args[0] in ("not a picture", "too large")
        assert decoder.make(files[0]).kind == "photo"


def test_pictures_of_too_many_pixels_are_refused_at_once(decoder, tmp_path):
    whole = bytearray(save(photo(64, 64), tmp_path / "a.jpg").read_bytes())
    place = whole.index(b"\xff\xc0") + 5
    for size in (b"\xff\xff\xff\xff", b"\xff\x00\xff\x00"):
        whole[place:place + 4] = size
        with pytest.raises(ValueError) as error:
            decoder.make(bytes(whole))
        assert error.value.args[0] in ("too large", "not a picture")
    with pytest.raises(ValueError, match="too large"):
        decoder.make(progressive_bomb(20000))


def test_a_picture_that_needs_too_much_memory_ends_without_it(tmp_path):
    (tmp_path / "bomb.jpg").write_bytes(progressive_bomb(14000))
    with Decoder() as decoder:
        with pytest.raises(ValueError, match="not a picture"):
            decoder.make(tmp_path / "bomb.jpg")
        assert decoder.make(save(photo(), tmp_path / "a.jpg")).kind == "photo"


def test_a_polyglot_of_html_and_gif_leaves_as_a_picture(decoder, tmp_path):
    html = b"<script>alert(1)</script>"
    path = save(photo(), tmp_path / "a.gif", comment=html)
    path.write_bytes(path.read_bytes() + html)
    made = decoder.make(path, name="x.html")
    assert made.kind == "photo" and html not in made.sizes[320]
    path.write_bytes(b"<!doctype html>" + html)
    assert decoder.make(path, name="x.jpg").kind == "other"
    path.write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    assert decoder.make(path, name="x.svg").kind == "other"


def test_raw_files_and_others_are_kept_as_they_are(decoder, tmp_path):
    path = save(photo(), tmp_path / "a.tiff")
    assert decoder.make(path, name="DSC_0001.NEF").kind == "raw"
    assert decoder.make(path, name="scan.tiff").kind == "photo"
    assert decoder.make(b"%PDF-1.7\n", name="a.pdf").kind == "other"
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(ValueError, match="not a picture"):
        decoder.make(tmp_path / "empty")


# MARK: HEIC

def heic(picture, path):
    save(picture, path.with_suffix(".png"))
    subprocess.run(["heif-enc", "-q", "60", "-o", str(path), str(path.with_suffix(".png"))],
                   capture_output=True, timeout=60, check=True)


def test_a_heic_whose_gain_map_belongs_to_two_pictures_opens(decoder, tmp_path):
    picture = photo()
    picture.putalpha(255)
    heic(picture, tmp_path / "plain.heic")
    (tmp_path / "phone.heic").write_bytes(with_second_target((tmp_path / "plain.heic").read_bytes()))
    before = (tmp_path / "phone.heic").read_bytes()
    made = decoder.make(tmp_path / "phone.heic")
    assert (made.width, made.height) == (1200, 800) and corners(made.sizes[320]) == [0, 1, 2, 3]
    # The original is as it was: what was changed was the decoder's copy.
    assert (tmp_path / "phone.heic").read_bytes() == before
