/* The GPU of a command that was asked for it. */
#ifndef WEFT_CLI_WITH_DEVICE_H
#define WEFT_CLI_WITH_DEVICE_H

#include "cli/cli.h"
#include "launch/device.h"

/* Opens the device, runs, and gives it back whatever happens. The status of run, or CLI_IO after a
 * message where there is no device. */
int cli_with_device(cli_args *args, int (*run)(cli_args *args, device *d, void *arg), void *arg);

#endif
