/** Sender of an event: the payment provider, or an instance that relays events. */
import { everyWorkspace, sql } from '@suite/chassis/database';
import type { Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { findInstanceOfToken } from '../../identity/workspaces-of-users/across-workspaces.ts';
import { tokenHash } from '../../tokens/token.ts';
import { isInstanceToken, type Mode, webhookSecret } from '../instances/instance.rules.ts';
import type { Db } from '../../operations.ts';
import { webhookSecrets } from '../payments/payments.ts';
import { InvalidSignature, verifySignature } from '../payments/signature.rules.ts';

export interface EventSender {
  mode: Mode;
  /** Instance that relays the event. Null for the provider itself. */
  instance_id: string | null;
}

interface SignedRequest {
  bearer: string;
  signatures: { provider: string; relay: string };
}

/** Returns the valid webhook secrets of an instance: the current one, and the previous one for a day. */
async function secretsOf(db: Db, keys: Keys, id: string): Promise<{ secret: string }[]> {
  const [row] = await everyWorkspace(db, (all) =>
    all.rows<{ number: number; is_before_taken: boolean }>(sql`
      SELECT secret_number AS number, coalesce(secret_before_until > ${clock.now()}, false) AS is_before_taken
      FROM wl_instances WHERE id = ${id}::uuid`),
  );
  if (!row) return [];
  const numbers = row.is_before_taken ? [row.number, row.number - 1] : [row.number];
  return numbers.map((number) => ({ secret: webhookSecret(keys, id, number) }));
}

/**
 * Identifies the sender of a body. A suspended instance may still relay events, so that no sale is lost.
 * @throws InvalidSignature, StaleSignature
 */
export async function senderOf(
  db: Db,
  keys: Keys,
  { bearer, signatures }: SignedRequest,
  body: Buffer,
): Promise<EventSender> {
  const now = clock.now();
  if (signatures.provider !== '') {
    const { mode } = verifySignature(webhookSecrets(), signatures.provider, body, now);
    return { mode, instance_id: null };
  }
  const instance = isInstanceToken(bearer) ? await findInstanceOfToken(db, tokenHash(bearer)) : undefined;
  if (!instance) throw InvalidSignature();
  verifySignature(await secretsOf(db, keys, instance.id), signatures.relay, body, now);
  return { mode: instance.mode === 'live' ? 'live' : 'test', instance_id: instance.id };
}
