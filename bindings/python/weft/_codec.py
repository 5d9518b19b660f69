# SPDX-License-Identifier: Apache-2.0
"""Lines of records to Parquet and back, for the program and the library of weft, which start this.

usage: python -m weft._codec encode FIELDS < LINES > FILE
       python -m weft._codec decode < FILE > LINES

FIELDS is what weft_record_fields gives. The exit status is an errno value: ENOPKG without pyarrow,
EILSEQ for what cannot be read, and nothing is printed.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import sys
from typing import IO, List

from ._columns import ROWS, arrow_schema, batch_of, batches_of, lines_of, writer_of


def encode(fields: str, lines: IO[bytes], file: IO[bytes]) -> None:
    schema = arrow_schema(json.loads(fields))
    with writer_of(file, schema) as writer:
        while True:
            text = b"".join(itertools.islice(lines, ROWS))
            if not text:
                return
            writer.write_batch(batch_of(text, schema))


def decode(file: IO[bytes], lines: IO[bytes]) -> None:
    for batch in batches_of(file):
        lines.write(lines_of(batch))


def main(words: List[str]) -> int:
    """An errno value, or 0."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return errno.ENOPKG
    try:
        with os.fdopen(0, "rb") as source, os.fdopen(1, "wb") as target:
            if words[0] == "encode":
                encode(words[1], source, target)
            else:
                decode(source, target)
    except OSError as error:
        return error.errno or errno.EILSEQ
    except ValueError:  # pyarrow's errors of texts and files are of this type
        return errno.EILSEQ
    except MemoryError:
        return errno.ENOMEM
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    os._exit(code)  # the streams are closed: there is nothing to flush
