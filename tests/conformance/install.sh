#!/bin/sh
# Installs Node 22, the conformance suites, the Inspector, axe and an OpenID provider beside this file, from the lock file.
#
# To change a version: edit package.json, then `npm install --package-lock-only` and this script.
# package.json overrides rolldown, of which no tool here makes use: a lock file must name its builds for
# every platform, and not every registry has those of the newest release.
set -eu
cd "$(dirname "$0")"
# Which registry packages come from is this machine's choice, so the lock file names none.
npm ci --omit-lockfile-registry-resolved --no-audit --no-fund --loglevel=error
node_modules/node/bin/node --version
