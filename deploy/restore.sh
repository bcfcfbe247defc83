#!/bin/sh
# deploy/restore.sh TARGET [MOMENT]: makes TARGET, a folder that does not exist, the data of a PostgreSQL as it was at MOMENT
# (UTC, 2026-11-24T08:15:00Z), without it at the end of the archive. As the user postgres, whose server must be stopped.
# The first start of PostgreSQL on TARGET replays the changes; the books are checked after it: npm start -- audit.
set -eu
target=$1
moment=${2:-}
folder=${FULCRUM_BACKUPS:-/var/backups/fulcrum}
if [ -e "$target" ]; then
  echo "$target exists: name a folder that does not" >&2
  exit 2
fi
base=
for name in $(ls "$folder/base" | grep -v '^part$' | sort); do
  # Names are moments, which sort as text.
  if [ -z "$moment" ] || expr "${name%Z}" '<=' "${moment%Z}" >/dev/null; then base=$name; fi
done
if [ -z "$base" ]; then
  echo "no base backup in $folder/base is as old as $moment" >&2
  exit 1
fi
umask 077
cp -a "$folder/base/$base" "$target"
{
  echo "restore_command = 'cp \"$folder/wal/%f\" \"%p\"'"
  # Also where it is empty: a base backup of a restored database has the moment of then. PostgreSQL does not take the letters
  # T and Z here.
  echo "recovery_target_time = '${moment:+$(echo "${moment%Z}" | tr T ' ')+00}'"
  # A moment is on the timeline of the backup before it, which a later restore may have left; the end is on the latest one.
  if [ -n "$moment" ]; then echo "recovery_target_timeline = 'current'"; else echo "recovery_target_timeline = 'latest'"; fi
  echo "recovery_target_action = 'promote'"
  # Not into the archive before somebody has looked at the books. Kept until then, with the history of the new timeline: without
  # it, the next restore would name its files like those of this one.
  echo "archive_command = ''"
} >>"$target/postgresql.auto.conf"
touch "$target/recovery.signal"
echo "$target is the backup of $base; its first start replays the changes${moment:+ until $moment}"
