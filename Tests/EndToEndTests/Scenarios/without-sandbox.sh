#!/bin/bash
# without-sandbox.sh - a machine that forbids unprivileged user namespaces: in the box, where user@.service
# has RestrictNamespaces=yes.
# shellcheck disable=SC2016,SC2034,SC2317 # claims are shell text in single quotes
. "${BASH_SOURCE[0]%/*}/checks.sh"

check_sh "user namespaces are forbidden to services here" \
  '! systemd-run --user -q --wait --pipe unshare --user true </dev/null'
systemctl --user start --no-block eggd.service
eventually "the sandboxed unit cannot be set up" \
  'systemctl --user show -p ExecMainStatus --value eggd.service | has -xE "217|226"'
check "the drop-in is installed as documentation" test -r /usr/local/share/doc/eggd/no-sandbox.conf
install -Dm644 /usr/local/share/doc/eggd/no-sandbox.conf ~/.config/systemd/user/eggd.service.d/no-sandbox.conf
check "systemd-analyze verify has nothing to say of it" \
  eval 'test -z "$(systemd-analyze verify --user --man=no eggd.service 2>&1)"'
systemctl --user daemon-reload
check "with it eggd starts" systemctl --user restart eggd.service
number=$(alarm 300ms)
eventually "and rings" 'journalctl -q --user -t eggd EGG_ALARM_NUMBER=$number -o cat | has Wait'
sandbox=$(sed -n '/^# The sandbox/,/^\[Install\]/{s/^\([A-Z][A-Za-z]*\)=.*/\1/p}' /usr/local/lib/systemd/user/eggd.service)
for directive in $sandbox; do
  # an error number without a filter and a mask for new files forbid nothing
  [[ $directive != @(SystemCallErrorNumber|UMask) ]] || continue
  check "it resets $directive=" grep -q "^$directive=" /usr/local/share/doc/eggd/no-sandbox.conf
done
finish
