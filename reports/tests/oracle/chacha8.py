#!/usr/bin/env python3
"""Independent reference for src/stats: ChaCha8 and everything drawn from it, in plain Python and numpy.

usage: chacha8.py            prints the constants used in the tests of src/stats
"""
import itertools
import numpy as np

MASK = 0xFFFFFFFF


def rotate(x, n):
    return ((x << n) | (x >> (32 - n))) & MASK


def quarter(s, a, b, c, d):
    for x, y, z, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & MASK
        s[z] = rotate(s[z] ^ s[x], n)


def words(key):
    """The 32-bit words of ChaCha with 8 rounds, 64-bit counter from 0, nonce 0."""
    k = [int.from_bytes(key[i:i + 4], "little") for i in range(0, 32, 4)]
    for counter in itertools.count():
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *k, counter & MASK, counter >> 32, 0, 0]
        s = start[:]
        for _ in range(4):
            for column in range(4):
                quarter(s, column, column + 4, column + 8, column + 12)
            for i in range(4):
                quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        yield from ((a + b) & MASK for a, b in zip(s, start))


def stream(seed, purpose):
    return words(seed.to_bytes(8, "little") + purpose.to_bytes(8, "little") + bytes(16))


def below(source, bound):
    """Uniform below bound: reject the products whose low half falls under 2**32 mod bound."""
    while True:
        product = next(source) * bound
        if product % 2**32 >= 2**32 % bound:
            return product >> 32


def bootstrap(values, seed, replicates, clusters=None):
    keys = list(dict.fromkeys(clusters)) if clusters else list(range(len(values)))
    clusters = clusters or keys
    groups = [[v for v, c in zip(values, clusters) if c == key] for key in keys]
    source, means = stream(seed, 1), []
    for _ in range(replicates):
        drawn = [groups[below(source, len(groups))] for _ in groups]
        means.append(sum(sum(g) for g in drawn) / sum(len(g) for g in drawn))
    return [float(x) for x in np.quantile(means, [0.025, 0.975])]


def sign_flip(d, seed, draws):
    source, seen, observed = stream(seed, 2), 0, abs(sum(d))
    for _ in range(draws):
        bits = [b >> i & 1 for b in (next(source) for _ in range((len(d) + 31) // 32)) for i in range(32)]
        seen += abs(sum(-x if bit else x for x, bit in zip(d, bits))) >= observed - 1e-12 * sum(map(abs, d))
    return (seen + 1) / (draws + 1)


if __name__ == "__main__":
    for seed, purpose, bound in ((0, 1, 10), (7, 1, 4206), (7, 2, 3_000_000_000), (2**64 - 1, 1, 2**32 - 1)):
        source = stream(seed, purpose)
        print("below", seed, purpose, bound, [below(source, bound) for _ in range(8)])
    values = [0.3, 1 / 3, 0.7, 2.25, 10.1, 11, 12.5]
    print("quantiles", [(p, float(np.quantile(values, p))) for p in (0, .025, .1, .33, .5, .77, .975, 1)])
    print("bootstrap", bootstrap(values, 7, 500))
    print("clustered", bootstrap(values, 7, 500, ["a", "b", "a", "c", "c", "c", "d"]))
    print("sign_flip", sign_flip([0.5, -0.25, 1, 0, 2, -0.5, 0.75, 0.1, -1.5, 0.3, 0.9, 1.1, -0.2, 0.6, 0.4], 7, 1000))
    wide = [((i * 37) % 11 - 4) / 8 for i in range(40)]
    print("sign_flip 40", sign_flip(wide, 7, 1000))
