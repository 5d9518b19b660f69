/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4), with the processor's SHA instructions where it has them. Records carry
 * digests of their texts, so it is one of the hot paths of `weft generate`. Example:
 *
 *     uint8_t digest[SHA256_SIZE];
 *     sha256_of("abc", 3, digest);       ba7816bf 8f01cfea ...
 */
#ifndef WEFT_BASE_SHA256_H
#define WEFT_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum { SHA256_SIZE = 32, SHA256_HEX = 64 };

/* A digest under construction. */
typedef struct sha256 {
    uint32_t h[8];    /* the state after all whole blocks */
    uint64_t total;   /* bytes seen */
    uint8_t part[64]; /* bytes that wait for a whole block */
} sha256;

/* A digest in pieces: start, add as often as needed, finish once. */
void sha256_start(sha256 *s);
void sha256_add(sha256 *s, const void *p, size_t n);
void sha256_finish(sha256 *s, uint8_t out[SHA256_SIZE]);

/* The digest of one piece of memory. */
void sha256_of(const void *p, size_t n, uint8_t out[SHA256_SIZE]);
/* Those of two texts, nearly in the time of one when they are of like length: the SHA instructions
 * of two messages overlap. */
void sha256_of_two(str a, str b, uint8_t out[2][SHA256_SIZE]);
/* 64 lower-case digits, without a NUL. */
void sha256_hex(const uint8_t digest[SHA256_SIZE], char out[SHA256_HEX]);

/* Hashes one block after another without processor support, so that tests can compare both ways. */
void sha256_blocks_portable(uint32_t h[8], const uint8_t *p, size_t blocks);

#endif
