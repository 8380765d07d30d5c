#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists recordings of spoken digits with their names, and joins them to longer recordings.

    python3 generate.py --data DIR [--output DIR] [--seed N] [--train N] [--valid N] [--test N]

DIR/train.tsv and DIR/test.tsv have a header and lines 'path TAB digit TAB speaker', with paths of WAV files (16 bits,
one channel, 8,000 samples per second) in DIR. Writes NAME.list and NAME.txt (the recordings and the names of their
digits), NAME being train, valid (200 of the training recordings) and test, and joined/NAME.list and .txt: recordings
of three to six digits of a speaker with 0.05 to 0.3 seconds of silence between them.
"""

import argparse
import os
import random
import wave

NAMES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
RATE = 8000
VALIDATION = 200  # recordings of train.tsv
FEWEST, MOST = 3, 6  # digits of a joined recording
SHORTEST, LONGEST, LAST = 0.05, 0.3, 0.1  # seconds of silence between digits, and after the last one


def rows_of(path):
    """(recording, digit, speaker) of each line."""
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines][1:]


def samples_of(path):
    with wave.open(path) as recording:
        shape = recording.getframerate(), recording.getnchannels(), recording.getsampwidth()
        if shape != (RATE, 1, 2):
            raise SystemExit("{}: expected 8,000 samples per second of 16 bits in one channel".format(path))
        return recording.readframes(recording.getnframes())


def silence(seconds):
    return bytes(2 * int(RATE * seconds))


def write_joined(folder, rows, count, chooser, data):
    """Joins recordings of a speaker, drawn anew for each of `count` results."""
    os.makedirs(folder, exist_ok=True)
    speakers = {}
    for recording, digit, speaker in rows:
        speakers.setdefault(speaker, []).append((recording, digit))
    with open(folder + ".list", "w", encoding="utf-8") as paths, open(folder + ".txt", "w", encoding="utf-8") as texts:
        for number in range(count):
            speaker, digits = chooser.choice(sorted(speakers)), chooser.randint(FEWEST, MOST)
            samples, text = b"", []
            for _ in range(digits):
                recording, digit = chooser.choice(speakers[speaker])
                samples += silence(chooser.uniform(SHORTEST, LONGEST)) + samples_of(os.path.join(data, recording))
                text.append(NAMES[int(digit)])
            name = "{}.wav".format(number)
            with wave.open(os.path.join(folder, name), "wb") as joined:
                joined.setnchannels(1)
                joined.setsampwidth(2)
                joined.setframerate(RATE)
                joined.writeframes(samples + silence(LAST))
            paths.write("{}/{}\n".format(os.path.basename(folder), name))
            texts.write(" ".join(text) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", required=True, help="folder of the recordings")
    parser.add_argument("--output", default=".", help="folder of the files; default: the working directory")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--train", type=int, default=5000, help="number of joined recordings to learn from")
    parser.add_argument("--valid", type=int, default=150)
    parser.add_argument("--test", type=int, default=500)
    options = parser.parse_args()
    data = os.path.abspath(options.data)
    os.makedirs(os.path.join(options.output, "joined"), exist_ok=True)
    chooser = random.Random(options.seed)
    for source in ("train", "test"):
        rows = rows_of(os.path.join(data, source + ".tsv"))
        chooser.shuffle(rows)
        parts = {"train": rows[VALIDATION:], "valid": rows[:VALIDATION]} if source == "train" else {"test": rows}
        for name, part in parts.items():
            path = os.path.join(options.output, name)
            with open(path + ".list", "w", encoding="utf-8") as paths, open(path + ".txt", "w", encoding="utf-8") as texts:
                for recording, digit, _ in part:
                    paths.write(os.path.join(data, recording) + "\n")
                    texts.write(NAMES[int(digit)] + "\n")
            write_joined(os.path.join(options.output, "joined", name), part, getattr(options, name), chooser, data)


if __name__ == "__main__":
    main()
