/** Passwords: hashed with argon2id as OWASP recommends, and never more at once than a small machine can bear. */
import { hash, verify } from '@node-rs/argon2';
import { bounded } from '@suite/chassis';

/** 19 MiB, two passes, one lane: some 20 ms on one core. argon2id is the library's own choice. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$';

const AT_ONCE = 2;
const WAITING = 16;

const inTurn = bounded(AT_ONCE, WAITING);

/**
 * Hashes a password for storage.
 * @throws TooManyRequests when too many hashes wait already
 */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, PARAMETERS));

/** A hash that no password has: what is compared for accounts that do not exist, so that they take as long. */
const NOBODY = `${CURRENT}c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`;

/**
 * Whether this is the password behind a hash. Without a hash it takes as long and says no.
 * @throws TooManyRequests when too many hashes wait already
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? NOBODY, password));
  return matches && stored !== null;
}

/** Whether a stored hash was made with parameters that are not ours any more. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(CURRENT);
