"""What the program that decodes cannot do, and what it does with videos."""

import ctypes
import os
import pathlib
import re
import socket
import struct
import subprocess

import pytest

from decoder import PICTURES, Decoder, tool
from planted import opened

IDENTIFIER = "ACE5F2B1-1111-4222-8333-123456789ABC"


def test_its_sandbox_refuses_everything_outside():
    done = subprocess.run([PICTURES, "try"], capture_output=True, text=True, timeout=60, check=False, env={})
    print(done.stdout)
    level, *attempts = done.stdout.splitlines()
    assert done.returncode == 0 and len(attempts) == 10
    assert re.fullmatch(r"libvips [\d.]+, Landlock \d+, seccomp, \d+ MB", level)
    assert all(": refused, " in line for line in attempts)


def test_ffmpeg_can_do_nothing_to_other_processes_and_to_files():
    done = subprocess.run([PICTURES, "try", "video"], capture_output=True, text=True, timeout=60, check=False, env={})
    print(done.stdout, done.stderr)
    attempts = done.stdout.splitlines()
    assert done.returncode == 0 and len(attempts) == 15
    # Files are Landlock's to refuse, all else is seccomp's; newer calls are as if there were none.
    assert all(": refused, " in line for line in attempts[:3])
    assert all(line.endswith(": refused, Operation not permitted") for line in attempts[3:-1])
    assert attempts[-1] == "fchmodat2: refused, Function not implemented"


def without_landlock():
    """Gives this process a kernel without Landlock: a filter that says ENOSYS to its first call."""
    lines = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x50000 | 38), (0x06, 0, 0, 0x7fff0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(lines), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0


def test_without_landlock_there_are_pictures_and_no_videos(clip):
    with open(clip, "rb") as file:
        done = subprocess.run([PICTURES, "look"], stdin=file, capture_output=True, text=True, timeout=60, check=False,
                              env={}, preexec_fn=without_landlock)
    assert done.returncode == 1 and not done.stdout
    assert "Landlock is refused" in done.stderr
    with Decoder(preexec_fn=without_landlock) as decoder:
        assert "no Landlock" in decoder.sandbox and "no Landlock" in decoder.video_problem
        assert decoder.make(clip).kind == "video"


def test_a_decoder_that_waits_for_jobs_has_no_rights_left():
    with Decoder() as decoder:
        status = pathlib.Path(f"/proc/{decoder.process.pid}/status").read_text()
        assert "Seccomp:\t2" in status and "NoNewPrivs:\t1" in status
        limits = pathlib.Path(f"/proc/{decoder.process.pid}/limits").read_text()
        assert re.search(r"Max file size +0 ", limits) and re.search(rf"Max address space +{768 << 20} ", limits)
        assert "Landlock" in decoder.sandbox


def test_it_says_how_it_is_used_and_refuses_other_words():
    done = subprocess.run([PICTURES, "nonsense"], capture_output=True, text=True, timeout=60, check=False, env={})
    assert done.returncode == 2 and "decode" in done.stderr
    assert tool("picture", "../x", source="/dev/null")[0] == 1


# MARK: Videos

@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    """Four seconds as a phone writes them: turned, with a place and an identifier."""
    path = tmp_path_factory.mktemp("video") / "IMG_1.MOV"
    flat = path.with_name("flat.mov")
    make(flat, "-metadata", "location=+52.5163+013.3777/", "-metadata", "make=Secret-Make", "-metadata",
         f"com.apple.quicktime.content.identifier={IDENTIFIER}", "-metadata",
         "com.apple.quicktime.creationdate=2026-11-21T18:04:00+0100", "-movflags", "use_metadata_tags")
    subprocess.run(["ffmpeg", "-v", "error", "-i", flat, "-c", "copy", "-map_metadata", "0", "-movflags",
                    "use_metadata_tags", "-metadata:s:v", "rotate=90", path], timeout=60, check=True)
    return path


def make(path, *options, seconds=4, size="1280x720", codec=("-c:v", "libx264", "-preset", "ultrafast")):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc=size={size}:rate=15:duration={seconds}", "-f", "lavfi",
         "-i", f"sine=duration={seconds}", *codec, "-pix_fmt", "yuv420p", *options, str(path)], timeout=60, check=True)


def test_a_video_is_known_by_its_bytes_and_reported_on(clip):
    with Decoder() as decoder:
        made = decoder.make(clip, name="x.jpg")
        assert made.kind == "video" and not made.sizes
    code, report, _ = tool("look", source=clip)
    text = report.decode()
    assert code == 0 and 'codec_type="video"' in text and IDENTIFIER in text
    assert "streams.stream.0.width=" in text and "2026-11-21T18:04:00" in text


def test_a_picture_of_a_video_tells_nothing_and_of_none_beyond_its_end(clip, tmp_path):
    code, picture, error = tool("picture", "1", source=clip)
    assert code == 0 and picture.startswith(b"\xff\xd8\xff"), error
    assert b"Secret" not in picture and b"52.5" not in picture
    short = tmp_path / "short.mp4"
    make(short, seconds=0.4)
    assert tool("picture", "1", source=short)[1] == b""
    assert tool("picture", "0", source=short)[1].startswith(b"\xff\xd8\xff")


def test_a_picture_of_a_video_has_the_proportions_that_one_sees(tmp_path):
    """A camcorder's film of 16:9 has 720 by 576 pixels, which are no squares."""
    path = tmp_path / "tape.mp4"
    make(path, "-vf", "setsar=64/45", seconds=1, size="720x576")
    assert 'sample_aspect_ratio="64:45"' in tool("look", source=path)[1].decode()
    code, picture, error = tool("picture", "0", source=path)
    assert code == 0 and opened(picture).size == (1024, 576), error


def test_a_film_of_an_old_compact_camera_is_one(tmp_path):
    path = tmp_path / "MVI_1.AVI"
    make(path, "-pix_fmt", "yuvj420p", "-c:a", "pcm_u8", "-ar", "11025", seconds=1, size="640x480",
         codec=("-c:v", "mjpeg"))
    with Decoder() as decoder:
        assert decoder.make(path, name="MVI_1.AVI").kind == "video"
    assert tool("picture", "0", source=path)[1].startswith(b"\xff\xd8\xff")
    with open(tmp_path / "out.mp4", "w+b") as target:
        code, _, error = tool("convert", source=path, target=target)
        assert code == 0 and os.fstat(target.fileno()).st_size > 1000, error


def test_a_film_of_a_camcorder_is_one_of_whole_pictures(tmp_path):
    """AVCHD: packets of 192 bytes, and neighbouring lines of a picture are of two moments."""
    path, out = tmp_path / "00001.MTS", tmp_path / "out.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=black:size=640x360:rate=30:duration=2", "-f", "lavfi",
         "-i", "sine=duration=2", "-vf", "geq=lum='255*lt(X,16*N)':cb=128:cr=128,tinterlace=interleave_top", "-c:v",
         "libx264", "-preset", "ultrafast", "-g", "7", "-flags", "+ildct+ilme", "-x264opts", "tff=1", "-c:a", "ac3",
         "-f", "mpegts", "-mpegts_m2ts_mode", "1", path], timeout=60, check=True)
    with Decoder() as decoder:
        assert decoder.make(path, name="00001.MTS").kind == "video"
    with open(out, "w+b") as target:
        code, _, error = tool("convert", source=path, target=target)
    assert code == 0, error
    assert [line.split(",")[0] for line in probed(out, "codec_name,width")] == ["h264", "aac"]
    for film in (path, out):
        made = opened(tool("picture", "1", source=film)[1]).convert("L")
        edges = [next(x for x in range(640) if made.getpixel((x, y)) < 128) for y in range(100, 120)]
        assert max(edges) - min(edges) < 8 and 300 < edges[0] < 600, edges


def probed(path, entries):
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", f"stream={entries}", "-of", "csv=p=0", path],
        capture_output=True, text=True, timeout=60, check=True).stdout.split()
    return [line.strip(",") for line in told]


def test_a_video_and_a_picture_of_it_have_its_colours(tmp_path):
    """Films of 720 lines and more tell their colours by BT.709, and iPhones' HDR films by HLG."""
    linear = ("format=gbrp,setparams=color_primaries=bt709:color_trc=bt709:colorspace=gbr:range=pc,"
              "zscale=t=linear:npl=203")
    kinds = [
        ("bt709", "bt709", "bt709", "scale=out_color_matrix=bt709,format=yuv420p", (), 8),
        ("bt2020", "arib-std-b67", "bt2020nc", f"{linear},format=gbrpf32le,zscale=p=2020,"
         "zscale=t=arib-std-b67:m=2020_ncl:r=limited:npl=203,format=yuv420p10le", ("hdr",), 20)]
    for primaries, transfer, matrix, filters, words, most in kinds:
        path = tmp_path / f"{primaries}.mp4"
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=c=0xd03020:size=320x178:rate=5:duration=1", "-vf",
             filters, "-color_primaries", primaries, "-color_trc", transfer, "-colorspace", matrix,
             "-c:v", "libx264", "-preset", "ultrafast", path], timeout=60, check=True)
        assert f'color_transfer="{transfer}"' in tool("look", source=path)[1].decode()
        code, picture, error = tool("picture", "0", *words, source=path)
        assert code == 0, error
        with open(tmp_path / "out.mp4", "w+b") as target:
            code, _, error = tool("convert", *words, source=path, target=target)
        assert code == 0, error
        # A film of today, as every browser shows it.
        assert probed(target.name, "color_space,color_transfer,color_primaries") == ["bt709,bt709,bt709"]
        shown = tool("picture", "0", source=target.name)[1]
        for made in (opened(one).getpixel((100, 100)) for one in (picture, shown)):
            assert all(abs(a - b) <= most for a, b in zip(made, (0xd0, 0x30, 0x20), strict=True)), (transfer, made)


def test_a_video_becomes_h264_of_720_lines_with_its_index_first(clip, tmp_path):
    path = tmp_path / "out.mp4"
    with open(path, "w+b") as target:
        # A file without a name, as the hub's are until they are complete.
        os.unlink(path)
        code, _, error = tool("convert", source=clip, target=target)
        assert code == 0, error
        target.seek(0)
        data = target.read()
    assert data.index(b"moov") < data.index(b"mdat")
    for secret in (b"Secret", b"52.5", b"+013", IDENTIFIER.encode(), b"Lavf"):
        assert secret not in data
    path.write_bytes(data)
    told = probed(path, "codec_name,width,height")
    assert told[0] in ("h264,1280,720", "h264,720,1280") and told[1].startswith("aac")


@pytest.mark.parametrize("name", ["a.mp3", "a.m4a", "a.ogg", "a.wav", "a.webm", "a.mov"])
def test_a_sound_is_written_anew_and_tells_nothing(tmp_path, name):
    path, out = tmp_path / name, tmp_path / "out.m4a"
    secrets = ["title=Secret-Title", "artist=Secret-Artist", "comment=Secret-Comment", "location=+52.5163+013.3777/"]
    named = [word for secret in secrets for word in ("-metadata", secret)]
    pictures = ["-f", "lavfi", "-i", "testsrc=size=64x64:rate=5:duration=70"] if name == "a.mov" else []
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=70", *pictures, *named, path],
                   timeout=60, check=True)
    if name in ("a.m4a", "a.mov"):
        subprocess.run(["exiftool", "-q", "-overwrite_original", "-Keys:GPSCoordinates=52.5163 13.3777 30",
                        "-UserData:GPSCoordinates=52.5163 13.3777 30", "-XMP:Creator=Secret-XMP", path],
                       timeout=60, check=True)
    # The test is worth something only if the places are there before.
    assert b"Secret" in path.read_bytes()
    with open(out, "w+b") as target:
        code, _, error = tool("sound", source=path, target=target)
    data = out.read_bytes()
    assert code == 0, error
    assert data.index(b"moov") < data.index(b"mdat")
    for secret in (b"Secret", b"52.5", b"+013", b"Lavf", b"Lavc", b"uuid"):
        assert secret not in data
    # The list of titles and the like is empty.
    assert data.count(b"ilst") == data.count(b"\0\0\0\x08ilst")
    told = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name:format=duration", "-of", "csv=p=0", out],
        capture_output=True, text=True, timeout=60, check=True).stdout.split()
    assert told[0] == "aac" and len(told) == 2 and 59 < float(told[1]) < 60.2


def test_what_has_no_sound_is_no_sound(tmp_path):
    path = tmp_path / "a.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=5:duration=1", path],
                   timeout=60, check=True)
    with open(tmp_path / "out", "w+b") as target:
        code, _, error = tool("sound", source=path, target=target)
    assert code != 0 and error


@pytest.mark.parametrize("kind", ["hls", "concat", "cut", "nonsense"])
def test_files_that_point_elsewhere_or_are_broken_are_refused(clip, tmp_path, kind):
    path = tmp_path / "a.mp4"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.5)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/a.ts"
        path.write_bytes({
            "hls": f"#EXTM3U\n#EXTINF:10,\n{address}\n".encode(),
            "concat": b"ffconcat version 1.0\nfile /etc/passwd\n",
            "cut": clip.read_bytes()[:3000],
            "nonsense": clip.read_bytes()[:40] + os.urandom(4000),
        }[kind])
        for words in (["look"], ["picture", "0"]):
            code, output, error = tool(*words, source=path)
            assert code != 0 and not output and "root:" not in error, error
        with open(tmp_path / "out.mp4", "w+b") as target:
            assert tool("convert", source=path, target=target)[0] != 0
        with pytest.raises(TimeoutError):
            listener.accept()


def test_ffmpeg_is_shut_in_too(clip, tmp_path):
    """The same process, its program replaced by one that looks around: only libraries can be read."""
    trace = tmp_path / "trace"
    subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=socket,seccomp,prctl,landlock_restrict_self,execve",
                    PICTURES, "look"], stdin=open(clip, "rb"), capture_output=True, timeout=60, check=False, env={})
    text = trace.read_text()
    closed, started = text.index("landlock_restrict_self"), text.index("ffprobe")
    assert closed < text.index("PR_SET_SECCOMP") < started
    assert not re.search(r"socket\(.*\) = \d", text[started:])
