"""Pictures made smaller: ours in its sandbox, beside vipsthumbnail and Pillow, all upright and stripped. One picture at
a time on one core each; the best of some runs, in turn."""

import io
import os
import pathlib
import random
import subprocess
import tempfile
import time

from PIL import Image, ImageCms, ImageFilter, ImageOps

from decoder import Decoder
from figure import Figure

RUNS = 7
# Time beside a peer's: 0.9 and 0.8 of its rate.
BAR = 1 / 0.9
DRAFT_BAR = 1 / 0.8


def figures():
    with tempfile.TemporaryDirectory() as folder:
        small = [photo(pathlib.Path(folder, f"small{number}.jpg"), 1800, 1200, number) for number in range(18)]
        large = [photo(pathlib.Path(folder, f"large{number}.jpg"), 4032, 3024, number) for number in range(6)]
        out = pathlib.Path(folder, "out")
        out.mkdir()
        with Decoder() as decoder:
            yield from compared(decoder, small, large, out)
            yield from memory(decoder)


def compared(decoder, small, large, out):
    size = sum(path.stat().st_size for path in small) // len(small) >> 10
    took = best({"ours": lambda: ours(decoder, small), "vips": lambda: vipsthumbnail(small, out),
                 "pillow": lambda: pillow(small)})
    said = rates(took, len(small))
    yield Figure("pictures, 1800×1200 to 320 px, time beside vipsthumbnail", took["ours"] / took["vips"], "×", BAR,
                 f"{said}; 18 JPEGs of {size} KB")
    yield Figure("pictures, 1800×1200 to 320 px, time beside Pillow", took["ours"] / took["pillow"], "×", BAR, said)
    took = best({"ours": lambda: ours(decoder, large), "pillow": lambda: pillow(large, is_draft=True)})
    yield Figure("pictures, 12 million pixels to 320 px, beside Pillow's draft", took["ours"] / took["pillow"], "×",
                 DRAFT_BAR, rates(took, len(large)))
    both = best({"ours": lambda: ours(decoder, large, (320, 1600))})["ours"] / len(large)
    yield Figure("pictures, 12 million pixels to 320 and 1600 px", both * 1000, "ms")


def memory(decoder):
    status = pathlib.Path(f"/proc/{decoder.process.pid}/status").read_text()
    peak = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) / 1024
    yield Figure("pictures, a decoder's peak memory", peak, "MB", 250)


def photo(path, width, height, seed):
    """Something as hard to compress as a photo: large shapes, and noise like a sensor's; every second one is turned."""
    chance = random.Random(seed)
    rough = Image.frombytes("RGB", (48, 32), chance.randbytes(48 * 32 * 3)).filter(ImageFilter.GaussianBlur(1.5))
    picture = rough.resize((width, height), Image.Resampling.BICUBIC)
    noise = Image.effect_noise((width, height), 24).convert("RGB")
    picture = Image.blend(picture, noise, 0.25)
    exif = Image.Exif()
    exif[0x0112] = [1, 6, 1, 8][seed % 4]
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture.save(path, quality=90, exif=exif, icc_profile=profile)
    return path


def best(ways):
    """The shortest time of each way; they take turns, so that what else the machine does hits all of them."""
    took = {name: [] for name in ways}
    for _ in range(RUNS):
        for name, work in ways.items():
            began = time.perf_counter()
            work()
            took[name].append(time.perf_counter() - began)
    return {name: min(times) for name, times in took.items()}


def rates(took, count):
    return ", ".join(f"{name} {count / seconds:.0f}/s" for name, seconds in took.items())


def ours(decoder, paths, edges=(320,)):
    for path in paths:
        assert len(decoder.make(path, edges).sizes) == len(edges)


def vipsthumbnail(paths, out):
    subprocess.run(
        ["vipsthumbnail", "--size", "320x320>", "-o", f"{out}/%s.jpg[Q=80,strip,optimize_coding]", *paths],
        env=os.environ | {"VIPS_CONCURRENCY": "1"}, timeout=120, check=True)


def pillow(paths, is_draft=False):
    for path in paths:
        picture = Image.open(path)
        # Both decode at a fraction of the size: at least twice the result's, or just above it.
        picture.thumbnail((320, 320), reducing_gap=1.05 if is_draft else 2.0)
        picture = ImageOps.exif_transpose(picture)
        picture.save(io.BytesIO(), "JPEG", quality=80, optimize=True)
