# SPDX-License-Identifier: Apache-2.0
"""What the scripts of the corpora share: numbers of things, and messages instead of a traceback."""

import argparse
import os
import sys


def whole_number(text):
    """A whole number that is not negative, as the type of an option."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("found '{}', expected a whole number from 0".format(text))
    return int(text)


def run(main):
    """Runs a script. Files that cannot be read or written end it with a message and status 1."""
    name = os.path.basename(sys.argv[0])
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader closed the pipe, as head does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        what = "{}: {}".format(error.filename, error.strerror) if error.filename else error
        sys.exit("{}: {}".format(name, what))
    except UnicodeDecodeError as error:
        sys.exit("{}: {}".format(name, error))
