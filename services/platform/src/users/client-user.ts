/** Users that other services need for the clients they deal with. */
import { type Emit, sql } from '@suite/chassis';
import { UserCreated } from '@suite/proto/platform/v1/events';
import { queueLetter } from '../mail/letter.ts';
import type { Db } from '../operations.ts';
import { type User, unlessTaken } from './user.ts';

/** The client user that another service asks for. */
export interface WantedClient {
  idempotency_key: string;
  name: string;
  email: string;
  phone: string | null;
  /** The hash of a password chosen for them; without one they are invited to choose. */
  password_hash: string | undefined;
}

/** What a call gives: the user, and whether that call made it. */
export interface EnsuredClient {
  user: User;
  created: boolean;
}

/** What an earlier call with this key gave. */
export async function ensuredBefore(db: Db, idempotency_key: string): Promise<EnsuredClient | undefined> {
  const found = await db.ensuredUser.findFirst({ where: { idempotency_key }, include: { user: true } });
  return found ? { user: found.user, created: found.created } : undefined;
}

/**
 * The user with this address, or else a new client user. One key makes or finds one user, however often and however
 * parallel it is used.
 * @throws EmailTaken when the address belongs to a user of another workspace
 */
export async function ensureClientUser(db: Db, emit: Emit, wanted: WantedClient): Promise<EnsuredClient> {
  const { idempotency_key, email } = wanted;
  // First the key, then the address: calls that share either wait for each other, and never in a circle.
  for (const lock of [`ensured key ${idempotency_key}`, `ensured address ${email}`]) {
    await db.rows(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${lock}, 0))`,
    );
  }
  const before = await ensuredBefore(db, idempotency_key);
  if (before) return before;
  const known = await db.user.findFirst({ where: { email } });
  const user = known ?? (await createClient(db, emit, wanted));
  await db.ensuredUser.create({ data: { idempotency_key, user_id: user.id, created: !known } });
  return { user, created: !known };
}

async function createClient(db: Db, emit: Emit, { name, email, phone, password_hash }: WantedClient): Promise<User> {
  const { id: role_id, kind } = await db.role.findFirstOrThrow({ where: { key: 'client' } });
  const status = password_hash ? 'active' : 'invited';
  const user = await unlessTaken(db.user.create({ data: { name, email, phone, kind, role_id, status } }));
  if (password_hash) await db.password.create({ data: { id: user.id, hash: password_hash } });
  else await queueLetter(db, 'invitation', user.id, email);
  emit(UserCreated, { user_id: user.id, name, email, kind, status, phone: phone ?? '' });
  return user;
}
