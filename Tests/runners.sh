# Runs checks and adds up what they say; for bin/test, here and in Packages. Its reader stands in the package's folder.
passed=0 failed=0 skipped=0
reports=.build/tests notes=.build/tests/not-passed.txt
# The most failures of a runner that are looked at once more.
most_again=12
# Whether nothing is.
strict=""
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# Where tests are built, for `swift build` and `swift test`. A package that says nothing has them in its debug build.
tests_at=()
# How many of Swift's tests run at a time: two for each core. Usually all begin at once, and one that has waited for
# something goes on only when hundreds of others have had their turn, which takes minutes on a slow machine. A
# toolchain that does not know this variable goes on running all of them.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$((2 * $(nproc)))

# options ARGUMENT…: those of bin/test.
options() {
  case "$*" in
    "") ;;
    --strict) strict=yes ;;
    *) echo "Usage: bin/test [--strict]" >&2; exit 2 ;;
  esac
}

begin() {
  rm -rf "$reports"
  mkdir -p "$reports"
  # Nothing of Python's may be left in folders that belong to a Swift package.
  unset PYTHONDONTWRITEBYTECODE
  export PYTHONPYCACHEPREFIX=$PWD/.build/pycache TEST_REPORTS=$PWD/$reports
}

# step NAME: says what is done now. How long the step before it took is kept.
step() {
  [ -z "${current:-}" ] || echo "$((SECONDS - begun)) $current" >> "$reports/seconds.txt"
  current=$1 begun=$SECONDS
  [ -z "$1" ] || echo "== $1"
}

# Last, where it is read: a long output is often kept by its end only.
finish() {
  step ""
  [ ! -s "$notes" ] || { echo "== what did not pass"; cat "$notes"; }
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

# check NAME COMMAND…: a runner that is one check by itself.
check() {
  local name=$1
  shift
  step "$name"
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "FAILED $name (exit code $?)" | tee -a "$notes"
    failed=$((failed + 1))
  fi
}

# counted NAME CODE LOG: the same of a runner that has ended, whose words matter only when it failed.
counted() {
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
  else
    { tail -n 60 "$3"; echo "FAILED $1 (exit code $2)"; } | tee -a "$notes"
    failed=$((failed + 1))
  fi
}

# count NAME CODE LOG KIND REPORT…: adds up what a runner has written; which of its tests failed, and why, is noted.
count() {
  local counts p f s
  counts=$(python3 "$here/tally.py" "$@" 2>> "$notes") || counts="0 1 0"
  read -r p f s <<< "$counts"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# Thousands of tests wait for something on cores that others use too, so one of them is too late now and then. What
# fails is run once more, when less goes on beside it. What fails both times has failed; what passes then counts as
# passed, and is told with the reason why it had failed (tally.py). With --strict nothing is run again.

# swift_tests NAME ARGUMENT…: what was built before.
swift_tests() {
  local name=$1 code suites
  shift
  step "swift test, $name"
  run_swift "$name" "$@"
  code=$?
  if [ "$code" -eq 1 ] && [ -z "$strict" ]; then
    suites=$(python3 "$here/failed_suites.py" "$reports/$name"{,-swift-testing}.xml)
    [ -z "$suites" ] || run_swift "again/$name" --filter "$suites"
  fi
  count "swift test, $name" "$code" "$reports/$name.log" junit "$reports/$name"{,-swift-testing}.xml
}

# run_swift NAME ARGUMENT…: to a log and a report; the exit code is that of the tests.
run_swift() {
  local name=$1
  shift
  mkdir -p "$reports/again"
  # With XCTest away, Swift Testing writes the file that was asked for; some toolchains put a name behind it.
  timeout -k 30 1800 swift test "${tests_at[@]}" --skip-build --disable-xctest "$@" \
    --xunit-output "$reports/$name.xml" 2>&1 | tee "$reports/$name.log"
  return "${PIPESTATUS[0]}"
}

# web_tests PYTHON: beside them this interpreter compiles all of Python's tests, which takes half a minute, and which
# twenty processes need later. Either is content with a core.
web_tests() {
  local compiling
  step "node --test"
  "$1" -m pytest Tests --collect-only -q -o cache_dir="$PWD/$reports/collection.cache" \
    > "$reports/collection.log" 2>&1 &
  compiling=$!
  timeout -k 30 300 node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination="$reports/web.tap" Tests/Web/*.test.mjs 2>&1 |
    tee "$reports/web.log"
  count "node --test" "${PIPESTATUS[0]}" "$reports/web.log" tap "$reports/web.tap"
  wait "$compiling"
}

# python_tests PYTHON: with the interpreter that bin/make-venv has made. Three files at a time, since tests wait half of
# their time; with less right to the cores than what goes on beside them: those that wait for real time to pass, and
# then, until python_alone, those that are heard at exact times, which both need next to no machine. The hub makes
# pictures and films with less right, too, and they would be too late beside tests that have all of it.
python_tests() {
  local any="not serial and not waits and not punctual"
  step "pytest, python"
  beside waits "$1" -n 4
  nice=10 run_pytest python "$1" -n 3 --dist loadfile --no-loadscope-reorder -m "$any"
  counted_pytest python "$1" $?
  counted_beside waits "$1"
  beside punctual "$1" -n 3
  if [ -e Tests/World/postgres.py ]; then
    step "pytest, on PostgreSQL and on two hubs"
    nice=10 run_pytest server "$1" Tests/Apps -n 3 --on-server 16 -m "$any"
    counted_pytest server "$1" $? Tests/Apps --on-server 16
    nice=10 run_pytest hubs "$1" Tests/Apps -n 3 --on-two-hubs --on-server 50 -m "$any"
    counted_pytest hubs "$1" $? Tests/Apps --on-two-hubs --on-server 50
  fi
}

# python_alone PYTHON: the end of those that are heard, and, alone, those that need the machine for themselves.
python_alone() {
  counted_beside punctual "$1"
  step "pytest, serial"
  run_pytest serial "$1" $(marked serial) -m serial
  counted_pytest serial "$1" $?
}

# marked MARK: the files with tests that are marked so. To look into all of them takes each process of pytest seconds.
marked() {
  grep -rl --include="test_*.py" "mark\.$1" Tests
}

# beside MARK PYTHON ARGUMENT…: the tests that are marked so, if there are any, beside what follows.
beside() {
  local files
  started=""
  files=$(marked "$1") || return 0
  run_pytest "$1" "$2" $files "${@:3}" -m "$1" > /dev/null 2>&1 &
  started=$!
}

# counted_beside MARK PYTHON: waits for their end.
counted_beside() {
  [ -n "$started" ] || return 0
  step "pytest, $1, the rest"
  wait "$started"
  counted_pytest "$@" $?
}

# counted_pytest NAME PYTHON CODE [FOLDER] [ARGUMENT…]: what failed is run once more first, if it is not so much that it
# is no accident.
counted_pytest() {
  local name=$1 python=$2 code=$3 failures="$reports/$1.cache/v/cache/lastfailed"
  if [ "$code" -eq 1 ] && [ -z "$strict" ] && [ -f "$failures" ] &&
    [ "$(grep -c : "$failures")" -le "$most_again" ]; then
    step "pytest, $name again"
    run_pytest "again/$name" "$python" "${@:4}" --last-failed --last-failed-no-failures none \
      -o cache_dir="$PWD/$reports/$name.cache"
  fi
  count "pytest, $name" "$code" "$reports/$name.log" junit "$reports/$name.xml"
}

# run_pytest NAME PYTHON [PATH…] ARGUMENT…: to a log and a report; the exit code is pytest's.
run_pytest() {
  local name=$1 python=$2
  local -a tests=()
  shift 2
  while [ -e "${1:-}" ]; do tests+=("$1") && shift; done
  [ ${#tests[@]} -gt 0 ] || tests=(Tests)
  mkdir -p "$reports/again"
  timeout -k 30 3000 nice -n "${nice:-0}" env -u EIGHTBELLS_BINARY -u EIGHTBELLS_MEMORYGRAPH \
    "$python" -m pytest "${tests[@]}" -o cache_dir="$PWD/$reports/$name.cache" "$@" --junitxml="$reports/$name.xml" 2>&1 |
    tee "$reports/$name.log"
  return "${PIPESTATUS[0]}"
}

# fuzzing: every parser in Fuzz/Targets with its corpus, and 20,000 random changes of that, or as many as a minute has
# time for. bin/trial fuzz goes on from there, led by what code an input reaches. What is punctual may run beside it.
fuzzing() {
  local -x runs=20000 seconds=60
  check "fuzz build" nice -n 10 swift build "${tests_at[@]}" --product Fuzz
  step "fuzz targets"
  fuzz_all replay $(ls Fuzz/Corpus)
}

# replay NAME: a target of this package, with as much memory as the fuzzer gives it, 2 GiB; its exit code is kept in a
# file, and so is an input that fails.
replay() {
  ulimit -d 2097152
  timeout -k 30 $((seconds + 100)) nice -n 10 env EIGHTBELLS_FUZZ="$1" EIGHTBELLS_FUZZ_RUNS="$runs" \
    SWIFT_BACKTRACE=enable=no EIGHTBELLS_FUZZ_INPUT="$reports/fuzz-$1-input" .build/release/Fuzz Fuzz/Corpus/"$1"/* \
    > "$reports/fuzz-$1.log" 2>&1
  echo $? > "$reports/fuzz-$1.code"
}

# fuzz_build PACKAGE: its fuzzer. Swift's own report of a crash would come before the fuzzer's, which is the one that
# keeps the input. Not optimised: that took longer to build than it saved.
fuzz_build() {
  (cd "$1" && timeout -k 30 1800 swift build --product Fuzz --disable-index-store --sanitize fuzzer \
    -Xswiftc -DFUZZING --scratch-path .build/fuzz)
}

# fuzz_all FUNCTION NAME…: as many targets at a time as there are cores.
fuzz_all() {
  local name how=$1
  local -x reports=$reports
  shift
  export -f fuzz "$how"
  printf '%s\n' "$@" | xargs -P "$(nproc)" -I NAME bash -c "$how NAME"
  for name; do
    counted "fuzz $name" "$(cat "$reports/fuzz-$name.code" || echo 1)" "$reports/fuzz-$name.log"
  done
}

# fuzz NAME: a target of this package or of the memory graph, beginning with what earlier runs have found; its exit code
# is kept in a file.
fuzz() {
  local package=.
  [ -d "Fuzz/Corpus/$1" ] || package=Packages/MemoryGraph
  mkdir -p "$package/.build/corpus/$1"
  timeout -k 30 $((seconds + 100)) env EIGHTBELLS_FUZZ="$1" SWIFT_BACKTRACE=enable=no \
    "$package/.build/fuzz/debug/Fuzz" -runs="$runs" -max_total_time="$seconds" -seed="$seed" -verbosity=0 -timeout=30 \
    -artifact_prefix="$reports/fuzz-$1-" "$package/.build/corpus/$1" "$package/Fuzz/Corpus/$1" \
    > "$reports/fuzz-$1.log" 2>&1
  echo $? > "$reports/fuzz-$1.code"
}

# fuzz_longer NAME: the same with other inputs each time. What has ended well is added up in Fuzz/hours.txt: the seconds
# of a core, of which it gets fewer than of the clock where something runs beside it.
fuzz_longer() {
  local -x seed=$SRANDOM
  local spent TIMEFORMAT="%U %S"
  echo "fuzz $1: $seconds s, seed $seed"
  spent=$({ time fuzz "$1"; } 2>&1)
  if [ "$(cat "$reports/fuzz-$1.code")" -eq 0 ]; then
    python3 Tests/hours.py add "$1" $spent
  else
    echo "fuzz $1: failed, see $reports/fuzz-$1.log"
  fi
}

# formatting PATH…. Not a test of Tidy: Foundation's Process waits for its end for ever beside tests that start
# processes themselves.
formatting() {
  check "swift format" timeout -k 30 300 swift format lint --strict --recursive --parallel Package.swift Sources "$@"
}
