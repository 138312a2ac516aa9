"""Pictures, videos and sounds that tell a lot about who made them, and what of it a file still says."""

import io
import re
import subprocess
import uuid

from PIL import Image

SECRETS = ["Secret-Owner", "Secret-Serial", "Secret-Comment", "Secret-XMP", "Secret-IPTC", "52.5", "13.4"]
CORNERS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0)]
# The groups of exiftool that say nothing of a file's origin.
PLAIN = {"ExifTool", "System", "File", "JFIF", "Composite"}
EXIF_DETAILS, MAKER_NOTES = 0x8769, 0x927c

# Orientations of EXIF: the turn that brings a stored picture upright, and its inverse.
_T = Image.Transpose
TURNS = {1: None, 2: _T.FLIP_LEFT_RIGHT, 3: _T.ROTATE_180, 4: _T.FLIP_TOP_BOTTOM, 5: _T.TRANSPOSE, 6: _T.ROTATE_270,
         7: _T.TRANSVERSE, 8: _T.ROTATE_90}
BACK = TURNS | {6: _T.ROTATE_90, 8: _T.ROTATE_270}


def run(*words):
    told = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, (words, told.stderr)
    return told.stdout


def photo(width=1200, height=800):
    """A picture whose four quarters have a colour each."""
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
    """The nearest of the four colours in each quarter of a JPEG: [0, 1, 2, 3] if it is upright."""
    picture = opened(data).convert("RGB")
    width, height = picture.size
    points = [picture.getpixel((width * x // 4, height * y // 4)) for y in (1, 3) for x in (1, 3)]
    return [min(range(4), key=lambda number: sum(abs(a - b) for a, b in zip(CORNERS[number], point, strict=True)))
            for point in points]


def save(picture, path, **options):
    picture.save(path, **options)
    return path


def turned(picture, orientation):
    """A picture as it is stored with this orientation, and the EXIF that says so."""
    back = BACK[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    return picture if back is None else picture.transpose(back), exif


def heic(picture, path):
    save(picture, path.with_suffix(".png"))
    run("heif-enc", "-q", "60", "-o", path, path.with_suffix(".png"))
    return path


def planted(path, folder):
    """Writes into a picture what must not be passed on: a place, names, a serial number, a small picture."""
    small = save(photo(160, 120), folder / "thumbnail.jpg")
    run("exiftool", "-q", "-m", "-overwrite_original", "-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-GPSLongitude=13.4",
        "-GPSLongitudeRef=E", "-Artist=Secret-Owner", "-SerialNumber=Secret-Serial", "-XMP:Title=Secret-XMP",
        "-IPTC:City=Secret-IPTC", "-Comment=Secret-Comment", "-DateTimeOriginal=2026:11:21 18:04:00",
        f"-ThumbnailImage<={small}", path)
    return path


def apple_notes(pair):
    """Apple's notes with a content identifier, as an iPhone writes them for both halves of a live photo."""
    def big(number, width):
        return number.to_bytes(width)

    head = b"Apple iOS\0\0\1MM"
    entry = big(1, 2) + big(0x11, 2) + big(2, 2) + big(len(pair) + 1, 4)
    return head + entry + big(len(head) + len(entry) + 8, 4) + bytes(4) + pair.encode() + b"\0"


def live_photo(folder):
    """Both halves of a live photo, of which each says where and with what: (a JPEG, a MOV, their identifier)."""
    pair = str(uuid.uuid4()).upper()
    exif = Image.Exif()
    exif[0x010f] = "Secret-Make"
    exif.get_ifd(EXIF_DETAILS)[MAKER_NOTES] = apple_notes(pair)
    still = planted(save(photo(), folder / "IMG_1.JPG", exif=exif), folder)
    clip = video(folder / "IMG_1.MOV", f"com.apple.quicktime.content.identifier={pair}")
    return still, clip, pair


def video(path, *more, seconds=2):
    """A clip as a phone writes it, with a place, a make, and a time."""
    words = ["location=+52.5163+013.4000/", "make=Secret-Make", "title=Secret-Owner", "comment=Secret-Comment",
             "com.apple.quicktime.creationdate=2026-11-21T18:04:00+0100", *more]
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc=size=320x240:rate=10:duration={seconds}", "-f",
        "lavfi", "-i", f"sine=duration={seconds}", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
        *(part for word in words for part in ("-metadata", word)), "-movflags", "use_metadata_tags", path)
    run("exiftool", "-q", "-overwrite_original", "-Keys:GPSCoordinates=52.5163 13.4 30", "-XMP:Creator=Secret-XMP",
        "-UserData:GPSCoordinates=52.5163 13.4 30", path)
    return path


def sound(path):
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=duration=2", "-metadata", "title=Secret-Owner",
        "-metadata", "comment=Secret-Comment", path)
    run("exiftool", "-q", "-overwrite_original", "-Keys:GPSCoordinates=52.5163 13.4 30", "-XMP:Creator=Secret-XMP",
        path)
    return path


def told(data, path):
    """All that exiftool finds in a file: lines of a group and a name with its value."""
    path.write_bytes(data)
    return run("exiftool", "-G1", "-s", "-ee", "-a", "-u", "-api", "largefilesupport=1", path).splitlines()


def assert_plain(data, folder):
    """A JPEG with nothing but the picture."""
    lines = told(data, folder / "plain.jpg")
    groups = {line[1:line.index("]")] for line in lines}
    assert groups <= PLAIN, lines
    assert not any("Comment" in line for line in lines)
    for secret in SECRETS[:5]:
        assert secret.encode() not in data
    assert data.endswith(b"\xff\xd9")


# Words that a video or a sound needs to be played; places, names and times have other words.
_PLAYED = re.compile(
    r"\[(?:QuickTime|Track\d+)\]\s+(?:MajorBrand|MinorVersion|CompatibleBrands|MediaData\w+|MovieHeaderVersion|"
    r"TimeScale|Duration|Preferred\w+|Matrix\w*|Preview\w+|Poster\w+|Selection\w+|CurrentTime|NextTrackID|Track\w+|"
    r"Media\w+|Image(?:Width|Height)|GraphicsMode|Free(?= *: .Binary data 0 bytes)|OpColor|"
    r"Compressor\w*|Source\w+|XResolution|YResolution|BitDepth|PixelAspect\w+|"
    r"BufferSize|MaxBitrate|AverageBitrate|VideoFrameRate|Handler\w*|Balance|Audio\w+|Color\w+|Transfer\w+|"
    r"MatrixCoefficients|VideoFullRangeFlag|CreateDate|ModifyDate|AVCConfiguration|ChunkOffset|SyncSampleTable|"
    r"Sample\w+|TimeToSampleTable|CompositionTimeToSample|Unknown\w+)\s*: .*")


def assert_only_played(data, path):
    """An MP4 with nothing but what players need, and without a time."""
    lines = [line for line in told(data, path) if line[1:line.index("]")] not in PLAIN]
    others = [line for line in lines if not _PLAYED.fullmatch(line)]
    assert others == [], others
    for line in lines:
        assert "Date" not in line or line.endswith(" 0000:00:00 00:00:00"), line
    for secret in (*SECRETS[:5], "Secret-Make", "+52.5", "+013", "Lavf"):
        assert secret.encode() not in data, secret
