/** Passwords: hashed with argon2id as OWASP recommends, a few concurrently, and in rotation between their origins. */
import { hash, verify } from '@node-rs/argon2';
import { openQueue } from '@suite/bounded-work';
import { TooManyRequests } from '@suite/chassis/faults';
import { deadline } from '@suite/chassis/runtime';
import { networkOf } from '../login-throttling/network.ts';

/** 19 MiB, two passes, parallelism 1: some 20 ms on one core. argon2id is the library's own choice. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Origin of a password, which has a share of the hashing capacity. */
export interface PasswordOrigin {
  key: string;
  /** True if the account knows the origin. Known origins have their own queue, which no unknown network can fill. */
  isKnown: boolean;
}

/** Returns the origin for a device, session or user that the account knows. */
export const knownOrigin = (key: string): PasswordOrigin => ({ key, isKnown: true });
/** Returns the origin of an unknown network. */
export const unknownNetwork = (address: string): PasswordOrigin => ({ key: networkOf(address), isKnown: false });

const openHashQueue = (places: number, share: number) =>
  openQueue({
    places,
    share,
    waiting: 64,
    patience_ms: deadline(2_500),
    busy: () => TooManyRequests({ retry_after_s: 1 }),
    tooMany: TooManyRequests,
  });
const knownQueue = openHashQueue(1, 8);
const unknownQueue = openHashQueue(2, 16);

const enqueue = <T>({ key, isKnown }: PasswordOrigin, work: () => Promise<T>): Promise<T> =>
  (isKnown ? knownQueue : unknownQueue).inTurn(key, work);

/**
 * Hashes a password for storage.
 * @throws TooManyRequests if too many hashes of its origin, or in total, are queued
 */
export const hashPassword = (password: string, origin: PasswordOrigin): Promise<string> =>
  enqueue(origin, () => hash(password, PARAMETERS));

/** Hash without a password. Comparing with it takes as long for accounts that do not exist. */
const PLACEHOLDER_HASH = `${CURRENT_PREFIX}c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

/**
 * Returns true if the password matches a hash. Without a hash, the check takes as long and returns false.
 * @throws TooManyRequests when too many hashes of its origin, or of all, wait already
 */
export async function isPassword(password: string, stored: string | null, origin: PasswordOrigin): Promise<boolean> {
  const matches = await enqueue(origin, () => verify(stored ?? PLACEHOLDER_HASH, password));
  return matches && stored !== null;
}

/** Returns true if a stored hash was created with outdated parameters. */
export const isHashOutdated = (stored: string): boolean => !stored.startsWith(CURRENT_PREFIX);
