"""How is the video made that keeps screens awake? Two black seconds, a silent sound track: python -m tests.silent_video.

It needs the package ``av``, which nothing else does. Browsers keep the screen awake for a video with sound alone, so silence is
recorded too.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
FILE = CHECKOUT / "static" / "media" / "awake.mp4"
SECONDS = 2
SIDE = 16  # pixels
RATE = 8000  # samples of sound a second


def main() -> None:
    """Write the file."""
    import av

    FILE.parent.mkdir(exist_ok=True)
    with av.open(str(FILE), "w", options={"movflags": "+faststart"}) as film:
        picture = film.add_stream("libx264", rate=Fraction(2, 1), options={"crf": "40", "preset": "veryslow"})
        picture.width = picture.height = SIDE
        picture.pix_fmt = "yuv420p"
        sound = film.add_stream("aac", rate=RATE, layout="mono")
        sound.bit_rate = 8000
        for number in range(2 * SECONDS):
            frame = av.VideoFrame(SIDE, SIDE, "gray")
            frame.planes[0].update(bytes(frame.planes[0].buffer_size))
            frame.pts = number
            film.mux(picture.encode(frame))
        film.mux(picture.encode(None))
        silence = av.AudioFrame("fltp", "mono", RATE * SECONDS)
        silence.planes[0].update(bytes(silence.planes[0].buffer_size))
        silence.sample_rate = RATE
        silence.pts = 0
        resampler = av.AudioResampler(format="fltp", layout="mono", rate=RATE, frame_size=1024)
        for part in (*resampler.resample(silence), *resampler.resample(None)):
            film.mux(sound.encode(part))
        film.mux(sound.encode(None))
    print(f"{FILE.relative_to(CHECKOUT)}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
