/* libsystemd: sd-bus, sd-daemon, sd-id128, sd-journal. */
#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

#endif
