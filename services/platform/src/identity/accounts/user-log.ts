import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { RequestMetadata } from '@suite/chassis/operations';
import type { Db } from '../../operations.ts';

/** Events in an account log. */
export const LOG_EVENTS = [
  'login',
  'login_failed',
  'logout',
  'token_refresh',
  'token_reuse',
  'password_change',
  'password_reset',
  'email_change',
  'key_create',
  'key_revoke',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
] as const;

/**
 * Records an event of an account, with its origin.
 * @param subject_id the session or key that it is about
 */
export async function recordAccountEvent(
  db: Db,
  event: (typeof LOG_EVENTS)[number],
  user_id: string,
  { address, user_agent }: RequestMetadata,
  subject_id?: string,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO user_log (id, event, user_id, address, user_agent, subject_id)
    VALUES (${randomUUIDv7()}::uuid, ${event}, ${user_id}::uuid, ${address}, ${user_agent}, ${subject_id ?? null}::uuid)`);
}
