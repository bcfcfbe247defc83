#!/bin/sh
# A role and an empty database for each engine's accounts: deploy/postgresql/create.sh fulcrum1 fulcrum2
# As the user postgres. Asks for a password for each. The engine makes its tables at its first start, and upgrades them.
set -eu
for name in "$@"; do
  createuser --pwprompt --no-superuser --no-createdb --no-createrole "$name"
  createdb --owner "$name" --encoding UTF8 --locale C --template template0 "$name"
  psql --quiet --dbname "$name" --command "revoke all on database $name from public"
done
