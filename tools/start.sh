#!/bin/sh
# `npm start`: installs what is missing, builds the web client, and becomes the service. The arguments are read first, so
# that --help needs no install and a wrong one is told at once.
set -e
for argument; do
  case $argument in
    -h | --help) exec node tools/start-help.mjs ;;
    *) exec node tools/start-help.mjs --refuse "$argument" ;;
  esac
done
node tools/ensure-installed.mjs
# Node is one of the packages: what the shell remembers of where it lies may be older.
hash -r
node tools/build-web.mjs
flags=$(NODE_OPTIONS= node tools/v8-flags.mjs)
exec env NODE_COMPILE_CACHE=node_modules/.cache/node node $flags server/src/main.ts
