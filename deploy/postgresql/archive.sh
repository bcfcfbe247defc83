#!/bin/sh
# archive.sh SOURCE TARGET: PostgreSQL's archive_command. Never replaces a file by another one; a repetition succeeds.
set -eu
if [ -e "$2" ]; then
  exec cmp -s "$1" "$2"
fi
cp "$1" "$2.part"
sync "$2.part"
mv "$2.part" "$2"
sync "$(dirname "$2")"
