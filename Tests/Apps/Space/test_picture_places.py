"""Metadata of pictures, such as the place, is removed; the pictures are written by a peer, Pillow."""

import io

import pytest
from PIL import ExifTags, Image, ImageOps, PngImagePlugin

UPLOAD = "/api/v1/space/pictures"
ORIENTATION = ExifTags.Base.Orientation
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>53,7.5N</exif:GPSLatitude></x:xmpmeta>'
# Each is somewhere in the files below.
SECRETS = [b"GPSLatitude", b"Nordlicht-Camera", b"53.125", b"xmpmeta", b"at the pier", b"Exif", b"eXIf"]


def taken(orientation=1):
    """EXIF as of a phone: a position, a maker, texts."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif[ExifTags.Base.Make] = "Nordlicht-Camera"
    exif[ExifTags.Base.ImageDescription] = "at the pier 53.125"
    position = exif.get_ifd(ExifTags.IFD.GPSInfo)
    position[ExifTags.GPS.GPSLatitudeRef] = "N"
    position[ExifTags.GPS.GPSLatitude] = (53.0, 7.0, 30.0)
    return exif


def written(kind, **options):
    """A picture of 91 × 67 pixels of many colours."""
    image = Image.effect_noise((91, 67), 80).convert("RGB")
    if options.pop("moves", False):
        options |= {"save_all": True, "append_images": [image.rotate(90), image.rotate(180)]}
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def words():
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "at the pier")
    info.add_itxt("XML:com.adobe.xmp", XMP.decode())
    return info


PICTURES = {
    "jpeg": written("JPEG", exif=taken(), xmp=XMP, comment="at the pier"),
    "turned jpeg": written("JPEG", exif=taken(6), xmp=XMP, icc_profile=b"colours" * 20_000),
    "progressive jpeg": written("JPEG", exif=taken(3), progressive=True, quality=95),
    "jpeg of several": written("MPO", exif=taken(), moves=True),
    "png": written("PNG", exif=taken(), pnginfo=words(), icc_profile=b"colours"),
    "moving png": written("PNG", exif=taken(), moves=True, loop=3),
    "webp": written("WEBP", exif=taken().tobytes(), xmp=XMP),
    "lossless webp": written("WEBP", exif=taken().tobytes(), xmp=XMP, lossless=True, icc_profile=b"colours"),
    "moving webp": written("WEBP", exif=taken().tobytes(), xmp=XMP, moves=True),
    "gif": written("GIF", comment="at the pier", moves=True, loop=2),
}


def pixels(image):
    """All frames, as displayed."""
    frames = []
    for frame in range(getattr(image, "n_frames", 1)):
        image.seek(frame)
        frames.append(ImageOps.exif_transpose(image.convert("RGBA")).tobytes())
    return frames


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_served_without_where_it_was_taken(shared_hub, name):
    hub, sent = shared_hub, PICTURES[name]
    assert any(secret in sent for secret in SECRETS)
    answer = hub.request("PUT", f"{UPLOAD}/logo", {"Authorization": f"Bearer {hub.owner_token}"}, sent)
    assert answer.status == 200, answer.body
    served = hub.request("GET", answer.json["url"]).body
    assert answer.json["size"] == len(served)
    before, after = Image.open(io.BytesIO(sent)), Image.open(io.BytesIO(served))
    if name == "jpeg of several":
        # Of a file with further pictures after its end, the first is kept.
        assert getattr(after, "n_frames", 1) == 1
        assert pixels(after) == pixels(before)[:1]
    else:
        assert pixels(after) == pixels(before)
    for key in ("duration", "loop", "icc_profile"):
        assert after.info.get(key) == before.info.get(key), key
    left = after.getexif()
    assert not left.get_ifd(ExifTags.IFD.GPSInfo)
    turned = before.getexif().get(ORIENTATION, 1) if before.format in ("JPEG", "MPO") else 1
    assert dict(left) == ({} if turned == 1 else {ORIENTATION: turned})
    found = [secret for secret in SECRETS if secret in served]
    assert found == ([] if turned == 1 else [b"Exif"])


def test_what_the_store_keeps_tells_no_place_either(hub_with_space):
    hub = hub_with_space
    sent = written("JPEG", exif=taken(6), xmp=XMP, quality=100, subsampling=0)
    large = Image.effect_noise((900, 700), 80).convert("RGB")
    file = io.BytesIO()
    large.save(file, "JPEG", exif=taken(6), xmp=XMP, quality=95)
    for name, body in [("open", sent), ("closed", file.getvalue())]:
        fields = {"Authorization": f"Bearer {hub.owner_token}"}
        assert hub.request("PUT", f"{UPLOAD}/{name}", fields, body).status == 200
    # Of several hubs the blobs are beside their data folders.
    kept = [path.read_bytes() for path in hub.data.parent.rglob("*") if path.is_file()]
    assert any(len(body) > 100_000 for body in kept)
    for secret in [b"GPSLatitude", b"Nordlicht-Camera", b"53.125", b"xmpmeta"]:
        assert not any(secret in body for body in kept), secret
