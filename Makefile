# `make help` lists the targets.

SHELL = /bin/bash
.SHELLFLAGS = -euo pipefail -c
.DEFAULT_GOAL = help
# Tests are in English.
export LC_ALL = C.UTF-8
.PHONY: help build programs demo screenshots bubbles check test test-clock test-vm torture sanitize lint bench install uninstall dist deb test-deb test-rules toolchain

# packaging/install.sh has the defaults.
export PREFIX DESTDIR

catalogues = $(patsubst po/%.po,.build/locale/%/LC_MESSAGES/eggd.mo,$(wildcard po/*.po))

release = .build/release
binaries = $(release)/eggd $(release)/eggctl
others = $(release)/eggd-sound $(release)/eggd-wake $(release)/eggd-search
swift_build = swift build --explicit-target-dependency-import-check error
# Generic types get their arguments instead of a name that the runtime has to look up: each start of eggctl has a fifth
# fewer instructions. The linker drops public functions that nothing calls, too: eggd has 2 MB less.
release_build = $(swift_build) -c release $(foreach flag,-disable-concrete-type-metadata-mangled-name-accessors \
  -function-sections -internalize-at-link,-Xswiftc -Xfrontend -Xswiftc $(flag))
swift_test = Tests/testbed/failures-last swift test --skip-build
# What tests need of PyPI is fetched meanwhile: a test that waits for it beside all others may run out of time.
build_tests = Tests/testbed/python-venv.sh >/dev/null & $(swift_build) --product eggdPackageTests; wait $$!
# Unit tests wait for no disk where memory has room for their files. The end-to-end tests use the disk.
memory = $(shell [[ $$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1) -gt 2000000 ]] && ! findmnt -no OPTIONS -T /dev/shm | grep -q noexec && echo TMPDIR=/dev/shm)
# End-to-end tests wait most of the time: three run at once, one of each of these and one of the others.
booted = EndToEndTests\.(Desktop|UserService)Tests/
joined = EndToEndTests\.(Disk|Host|Recurrence|Sync)Tests/
packages = Tests/testbed/install-packages.sh
scripts = .ci/run po/check po/update $(wildcard packaging/make-* packaging/*.sh) Tests/demo/demo Tests/demo/screenshots Tests/demo/bubbles \
  Tests/Benchmarks/run Tests/Compared/run Tests/Fuzz/run \
  Tests/Model/run Tests/Torture/run Tests/Torture/box/run-in-box $(wildcard Tests/Torture/parts/*) \
  Sources/EggCommands/Completion/eggctl.bash $(filter-out %.py,$(wildcard Tests/testbed/* Tests/EndToEndTests/Scenarios/*))

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

toolchain:
	@found=$$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p'); \
	if [[ $$(printf '%s\n' 6.3 "$${found:-0}" | sort -V | head -n 1) != 6.3 ]]; then \
	  echo "eggd needs Swift 6.3 or later; found $${found:+Swift }$${found:-no swift on PATH}." >&2; \
	  echo "Toolchains for Debian 12: https://www.swift.org/install/linux/" >&2; \
	  exit 1; \
	fi
	@$(packages) build

build: toolchain $(catalogues) ## Build eggd, eggctl and the small programs in .build/release
	for product in $(notdir $(binaries) $(others)); do $(release_build) --product $$product; done
	@touch -c $(binaries) $(others)

# Includes the programs of benchmarks and torture.
programs: toolchain $(catalogues)
	$(release_build)
	@nm -S $(release)/eggd | awk '$$4 ~ /^icudt.*_dat$$/ && $$2 > "0000000000001000" { found = 1 } END { exit found }' || \
	  { echo "eggd has ICU's tables: Sources/EmptyICU has the number of another ICU than the toolchain" >&2; exit 1; }
	@touch -c $(binaries) $(others)

demo: toolchain ## Build, ring an alarm on a private eggd and show the notification
	@$(packages) demo
	$(MAKE) --no-print-directory build
	@Tests/demo/demo $(binaries)

screenshots: build ## Make README's pictures anew from the running programs
	@$(packages) screenshots bubbles
	Tests/demo/bubbles $(binaries) gnome-shell
	Tests/demo/screenshots $(binaries)

bubbles: build ## Show bubbles and search boxes on real desktops; pictures go to .build/bubbles
	@$(packages) bubbles
	Tests/demo/bubbles $(binaries)

# Without the tests that try every zone and rule, which take as long as all the others.
check: lint ## Check the format, build, and run the unit tests (2 min)
	$(build_tests)
	$(memory) $(swift_test) --skip 'EndToEndTests|OddZoneTests|ZoneTransitionTests'

# The debug build contains only the tests. The release build leaves a processor to the unit tests.
test: lint ## Run all tests; without root, those that need none
	$(build_tests)
	built=0; tested=0; \
	$(MAKE) --no-print-directory programs & \
	$(memory) $(swift_test) --ignore-lock --skip EndToEndTests || tested=$$?; \
	wait $$! || built=$$?; exit $$((built + tested))
	Tests/Torture/run --slice --seed 1
	lanes=("--filter $(booted)" "--filter $(joined)" "--filter EndToEndTests --skip $(booted)|$(joined)"); \
	jobs=(); failed=0; \
	for lane in "$${lanes[@]}"; do $(swift_test) --ignore-lock --no-parallel $$lane & jobs+=($$!); done; \
	for job in "$${jobs[@]}"; do wait "$$job" || failed=1; done; \
	exit $$failed
	@if [[ $$EUID != 0 ]]; then \
	  echo "Skipped, as listed above: tests that boot a systemd, mount a disk or act as another user."; \
	  echo "As root, make test runs them too if the machine has /dev/fuse and CAP_SYS_TIME."; \
	fi

# Other programs of the machine see the clock that is set: make test leaves it alone.
test-clock: programs ## Set the machine's clock by 1.5 s while eggd runs, and put it back (root)
	@$(packages) test
	$(swift_build) --product eggdPackageTests
	EGGD_TEST_CLOCK=1 $(swift_test) --filter EndToEndTests.ClockTests/clockStep

test-rules: ## Compare 20 000 random recurrence rules with python-dateutil (8 min)
	@$(packages) test
	$(swift_build) --product eggdPackageTests
	EGGD_TEST_RULES=20000 $(swift_test) --filter RuleOracleTests

test-vm: build ## Suspend a virtual machine and set its clock while eggd runs (root, 3 min)
	@$(packages) vm
	Tests/testbed/test-vm $(binaries) $(release)/eggd-wake

torture: programs ## Break everything around eggd for 25 minutes and check its promises
	@$(packages) test model
	Tests/Torture/run

# Without leak detection: LeakSanitizer misses tagged pointers of Swift, such as those to the side table of an object
# with weak references. make torture looks for growing memory.
sanitize: toolchain ## Build and run the unit tests with the address and thread sanitizers
	@$(packages) test
	for kind in address thread; do \
	  swift build --build-tests --sanitize=$$kind --scratch-path .build/sanitize-$$kind; \
	  ASAN_OPTIONS=detect_leaks=0:suppressions=$(CURDIR)/Tests/address.supp TEST_PATIENCE=300 \
	    swift test --skip-build --disable-xctest --sanitize=$$kind --scratch-path .build/sanitize-$$kind --skip EndToEndTests; \
	done

lint: toolchain ## Check the format, the scripts, the translations, and that mutants.patch applies
	@$(packages) test
	swift format lint --strict --recursive Package.swift Sources Tests
	shellcheck -x -P SCRIPTDIR $(scripts)
	po/check
	git apply --check Tests/Torture/mutants.patch

bench: programs ## Measure every mark next to its peers (10 min); NAMES="lateness list" picks some
	@$(packages) bench
	Tests/Benchmarks/run $(NAMES)

# Builds only binaries older than their sources, so that root can install a user's build without a toolchain.
$(binaries) $(others) &: Package.swift $(shell find Sources -type f)
	$(MAKE) --no-print-directory build

.build/locale/%/LC_MESSAGES/eggd.mo: po/%.po
	@mkdir -p $(@D)
	msgfmt --check --output-file=$@ $<

install: $(binaries) $(others) $(catalogues) ## Install to PREFIX (~/.local; as root /usr/local), staged in DESTDIR
	packaging/install.sh install

uninstall: ## Remove the installed files; the alarms stay in ~/.local/state/eggd
	packaging/install.sh uninstall

dist: build ## Pack the programs and their installer as an archive in .build/dist
	packaging/make-dist

deb: build ## Build the Debian package in .build/deb
	@$(packages) deb
	packaging/make-deb

test-deb: deb ## Install, upgrade and remove the package in a bare Debian (root, 2 min)
	@$(packages) test-deb
	Tests/testbed/test-deb
