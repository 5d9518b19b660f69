/* SPDX-License-Identifier: Apache-2.0 */
/* The program weft. */
#include "cli/weft_main.h"

int main(int argc, char **argv)
{
    return weft_main(argc, argv);
}
