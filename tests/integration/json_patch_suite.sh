#!/bin/sh
# Runs the public JSON Patch conformance records, from the npm package that carries them, against our own patching.
#   tests/integration/json_patch_suite.sh BUILD_DIR
# The package is fetched once into BUILD_DIR/cache with the registry that npm is set up for, and kept. Exit status 77 =
# skipped, as there is neither a kept copy nor a way to fetch one.
set -eu

build=${1:?usage: json_patch_suite.sh BUILD_DIR}
package=json-patch-test-suite
version=1.1.0
cache=$build/cache/$package-$version
program=$(find "$build" -name json_patch_suite -type f -perm -u+x | head -n 1)

if [ -z "$program" ]; then
  echo "json patch suite: build the target json_patch_suite in $build first" >&2
  exit 1
fi

if [ ! -f "$cache/tests.json" ]; then
  if ! command -v npm >/dev/null; then
    echo "json patch suite: skipped, npm is needed to fetch $package $version"
    exit 77
  fi
  fresh=$(mktemp -d)
  trap 'rm -rf "$fresh"' EXIT
  if ! (cd "$fresh" && npm pack --silent "$package@$version" >/dev/null 2>npm.log); then
    echo "json patch suite: skipped, npm could not fetch $package $version: $(grep -m 1 . "$fresh/npm.log" || true)"
    exit 77
  fi
  tar -xzf "$fresh/$package-$version.tgz" -C "$fresh"
  mkdir -p "$cache"
  cp "$fresh/package/spec_tests.json" "$cache/"
  cp "$fresh/package/tests.json" "$cache/" # last: its presence says that the copy is whole
fi

"$program" "$cache/tests.json" "$cache/spec_tests.json"
