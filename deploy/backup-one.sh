#!/bin/sh
# deploy/backup-one.sh: the embedded database of one server, which does not run meanwhile, as a file named by the time
# (docs/operations.md#one-server). In /opt/fulcrum, as its user; deploy/systemd/fulcrum-backup-one.timer runs it each night.
# FULCRUM_BACKUPS: the folder (/var/lib/fulcrum-backups). FULCRUM_BACKUPS_KEPT: how many files stay (7).
set -eu
folder=${FULCRUM_BACKUPS:-/var/lib/fulcrum-backups}
kept=${FULCRUM_BACKUPS_KEPT:-7}
part=$folder/part
rm -f "$part"
# Also of a backup that does not fit: the server starts on this disk again.
trap 'rm -f "$part"' EXIT
trap 'exit 1' HUP INT TERM
node dist/server/main.js backup "$part" --data "${FULCRUM_DATA:-/var/lib/fulcrum}"
mv "$part" "$folder/$(date -u +%Y-%m-%dT%H:%M:%SZ).tar.gz"

# Other files in the folder are the operator's.
ls "$folder" | grep -E '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\.tar\.gz$' | sort | head -n "-$kept" |
  while read -r old; do rm "${folder:?}/$old"; done
