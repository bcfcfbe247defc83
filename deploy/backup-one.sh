#!/bin/sh
# deploy/backup-one.sh: the embedded database of one server, which does not run meanwhile, as a file named by the time
# (docs/operations.md#one-server). In /opt/fulcrum, as its user; deploy/systemd/fulcrum-backup-one.timer runs it each night.
# FULCRUM_BACKUPS: the folder (/var/lib/fulcrum-backups). FULCRUM_BACKUPS_KEPT: how many files stay (7).
set -eu
folder=${FULCRUM_BACKUPS:-/var/lib/fulcrum-backups}
kept=${FULCRUM_BACKUPS_KEPT:-7}
node dist/server/main.js backup "$folder/$(date -u +%Y-%m-%dT%H:%M:%SZ).tar.gz" --data "${FULCRUM_DATA:-/var/lib/fulcrum}"
for old in $(ls "$folder" | sort | head -n "-$kept"); do
  rm "${folder:?}/$old"
done
