#!/bin/bash
# doctor-setup.sh - what root prepares in the box, so that doctor.sh can break it and mend it as egg.
set -eu
home=$(getent passwd egg | cut -d: -f6)
# a sound server may run
rm -f /etc/systemd/user/pulseaudio.{service,socket}
# a small disk for the schedule
install -d -o egg -g egg "$home"/.local{,/state{,/eggd}}
mount -t tmpfs -o "size=4m,mode=700,uid=$(id -u egg),gid=$(id -g egg)" tmpfs "$home/.local/state/eggd"
# a setting of the kernel that is the box's own
echo 15000 >/run/namespaces
chown egg /run/namespaces
mount --bind /run/namespaces /proc/sys/user/max_user_namespaces
# what packages have brought can be taken away
chown egg /usr/lib/*-linux-gnu
chown -R egg /usr/share/sounds
