#!/bin/sh
# `npm start` installs what is missing, builds the web client, and becomes the service. The arguments are read first, so
# that --help needs no install and a wrong one is refused at once.
set -e
# This works from any directory. CDPATH would send a relative path elsewhere.
CDPATH= cd -- "$(dirname -- "$0")/.."
case $(pwd -P) in
  *[\\*]*)
    printf '%s\n' "Parley could not start. Node loads no modules from a path with \\ or *: move $(pwd -P)." >&2
    exit 1
    ;;
esac
for argument; do
  case $argument in
    -h | --help) exec node tools/start-help.mjs ;;
    *) exec node tools/start-help.mjs --refuse "$argument" ;;
  esac
done
# Node is one of the packages, and starts faster than an older one. It is not there at first, and does not run after a copy from
# another kind of machine.
own=node_modules/.bin/node
"$own" --version >/dev/null 2>&1 || own=node
flags=$("$own" tools/prepare-start.mjs 3>&1 >&2)
# The path that the shell remembers may be that of an older Node.
hash -r
export PATH="$PWD/node_modules/.bin:$PATH"
exec env NODE_COMPILE_CACHE=node_modules/.cache/node node $flags server/src/main.ts
