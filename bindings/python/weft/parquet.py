# SPDX-License-Identifier: Apache-2.0
"""Writes a data set to a Parquet file.

usage: python -m weft.parquet FROM... TO.parquet [--split NAME] [--row-group-size N]
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import List, Optional

from ._parquet import read_records, to_parquet

__all__ = ["main", "read_records", "to_parquet"]


def main(words: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m weft.parquet", description="Writes records to a Parquet file.")
    parser.add_argument("source", nargs="+", metavar="FROM", help="a data set's folder, or its shards")
    parser.add_argument("file", metavar="TO.parquet")
    parser.add_argument("--split", help="which of a folder's splits: train, validation, test")
    parser.add_argument("--row-group-size", type=int, default=1000, metavar="N", help="rows in memory at a time")
    args = parser.parse_args(words)
    try:
        rows, groups = to_parquet(args.source, args.file, split=args.split, row_group_size=args.row_group_size)
    except KeyboardInterrupt:
        print("weft.parquet: error: interrupted; nothing was written", file=sys.stderr)
        return 130
    except (OSError, ValueError, ImportError) as error:
        print(f"weft.parquet: error: {error}", file=sys.stderr)
        return 3 if isinstance(error, OSError) else 1
    print(f"{rows} rows in {groups} row groups, {os.path.getsize(args.file) / 1e6:.1f} MB", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
