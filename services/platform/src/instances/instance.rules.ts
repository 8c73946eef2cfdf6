/** White-label instances: their tokens and secrets, decided without a database. */
import { createHmac, randomBytes } from 'node:crypto';
import { derivedSecret, fault, type Keys } from '@suite/chassis';

export const InstanceSuspended = fault(
  403,
  'instance_suspended',
  'This white-label instance is suspended. Ask the operator.',
);

export type Mode = 'live' | 'test';

/** The form of a token; its last character carries no bits that decode to nothing. */
const TOKEN = /^wl_(live|test)_[\w-]{42}[AEIMQUYcgkosw048]$/;

/** A new token of 256 random bits, which says its mode. */
export const newInstanceToken = (mode: Mode): string => `wl_${mode}_${randomBytes(32).toString('base64url')}`;

/** Whether a token looks like one of an instance. */
export const isInstanceToken = (token: string): boolean => TOKEN.test(token);

/** The part of a token that is shown, so that its owner recognises it. */
export const tokenHints = (token: string): { prefix: string; last4: string } => ({
  prefix: token.slice(0, 12),
  last4: token.slice(-4),
});

/**
 * A webhook secret of an instance. It is derived from the key of the process, the same on every replica, so that it lies
 * nowhere: neither in a row nor in a backup of the database.
 */
export const webhookSecret = (
  { private_key }: Pick<Keys, 'private_key'>,
  instance_id: string,
  number: number,
): string =>
  `whsec_${createHmac('sha256', derivedSecret(private_key, 'white-label webhook secrets'))
    .update(`${instance_id} ${number}`)
    .digest('base64url')}`;
