#!/bin/sh
# deploy/backup.sh: a base backup of the PostgreSQL of DATABASE_URL, checked, beside the archive of its changes
# (deploy/postgresql/fulcrum.conf). As a user that may replicate; deploy/systemd/fulcrum-backup.timer runs it each night.
# FULCRUM_BACKUPS: the folder (/var/backups/fulcrum). FULCRUM_BACKUPS_KEPT: how many base backups stay (7), and with them
# the changes since the oldest.
set -eu
folder=${FULCRUM_BACKUPS:-/var/backups/fulcrum}
kept=${FULCRUM_BACKUPS_KEPT:-7}
umask 077
mkdir -p "$folder/base" "$folder/wal"
part=$folder/base/part
rm -rf "$part"
# Also of a backup that does not fit: PostgreSQL may have this disk.
trap 'rm -rf "$part"' EXIT
trap 'exit 1' HUP INT TERM
pg_basebackup --dbname "$DATABASE_URL" --pgdata "$part" --wal-method stream --checkpoint fast
pg_verifybackup --quiet "$part"
# By its end: only a moment after it can be restored from it.
mv "$part" "$folder/base/$(date -u +%Y-%m-%dT%H:%M:%SZ)"

for old in $(ls "$folder/base" | sort | head -n "-$kept"); do
  rm -rf "${folder:?}/base/$old"
done
oldest=$(ls "$folder/base" | sort | head -n 1)
# By place, whatever the timeline, which is the first eight characters: after going back, the oldest base may be of the one that
# was left, and further on than newer ones.
first=$(sed -n 's/^START WAL LOCATION: .* (file \(.*\))$/\1/p' "$folder"/base/*/backup_label | sort -k 1.9 | head -n 1)
pg_archivecleanup "$folder/wal" "$first"
echo "$folder/base has $(ls "$folder/base" | wc -l) backups, the oldest of $oldest"
