/** Passwords: hashed with argon2id as OWASP recommends, and never more at once than a small machine can bear. */
import { hash, verify } from '@node-rs/argon2';
import { TooManyRequests } from '@suite/chassis';

/** 19 MiB, two passes, one lane: some 20 ms on one core. argon2id is the library's own choice. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$';

const AT_ONCE = 2;
const WAITING = 16;
const RETRY_AFTER_S = 1;

/**
 * Lets so many pieces of work run at once and so many wait; more are refused at once, so that a flood of logins
 * can neither exhaust the memory nor make everybody wait.
 */
export function bounded(at_once: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running >= at_once) {
      if (queue.length >= waiting) throw TooManyRequests({ retry_after_s: RETRY_AFTER_S });
      // The one who leaves hands its place over, so that nobody can slip in between.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

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
