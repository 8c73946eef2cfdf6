/** Rules for the tokens and secrets of white-label instances, without a database. */
import { createHmac, randomBytes } from 'node:crypto';
import { fault } from '@suite/chassis/faults';
import { derivedSecret, type Keys } from '@suite/chassis/identity';

export const InstanceSuspended = fault(
  403,
  'instance_suspended',
  'This white-label instance is suspended. Ask the operator.',
);

export type Mode = 'live' | 'test';

/** Format of a token. The last character has no bits that decoding ignores. */
const TOKEN = /^wl_(live|test)_[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Returns a new token of 256 random bits, with its mode. */
export const newInstanceToken = (mode: Mode): string => `wl_${mode}_${randomBytes(32).toString('base64url')}`;

/** Returns true if a token has the format of a white-label token. */
export const isInstanceToken = (token: string): boolean => TOKEN.test(token);

/** Returns the visible parts of a token, so that its owner recognises it. */
export const tokenHints = (token: string): { prefix: string; last4: string } => ({
  prefix: token.slice(0, 12),
  last4: token.slice(-4),
});

/**
 * Returns a webhook secret of an instance. It is derived from the key of the process and identical on every replica. It
 * is therefore stored neither in a row nor in a database backup.
 */
export const webhookSecret = (
  { private_key }: Pick<Keys, 'private_key'>,
  instance_id: string,
  number: number,
): string =>
  `whsec_${createHmac('sha256', derivedSecret(private_key, 'white-label webhook secrets'))
    .update(`${instance_id} ${number}`)
    .digest('base64url')}`;
