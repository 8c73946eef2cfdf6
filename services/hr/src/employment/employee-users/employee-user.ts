/** Login of an employee: none, an existing user or a new user. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { fault, Forbidden, invalid, faultUnder } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import type { NewStaff } from '@suite/proto/hr/v1/parts';
import { fetchStaff, type PlatformUser, upsertUserCopies } from '@suite/user-copies';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import { dryRun } from '../../organisation/setup/dry-run.ts';
import type { UserChoice } from './employee-user.schema.ts';

export const UserTaken = fault(409, 'user_taken', 'This user is linked to another employee. Choose another user.');
export const LoginActive = fault(
  409,
  'login_active',
  'The current user of this employee can still sign in or be enabled again. Delete the user first.',
);

/** Permissions to read the data that an employee sees after login: pay, bank account and personal data. */
const LINK_RIGHTS = ['employee.salary', 'employee.bank', 'employee.identity'];

/** Rejects a link that would show more than the caller can read. @throws Forbidden, naming the permission */
function assertMayLink({ permissions }: Caller): void {
  const permission = LINK_RIGHTS.find((right) => !permissions.includes(right));
  if (permission) throw Forbidden({ permission, field: 'user' });
}

/** Platform errors that are returned unchanged. */
export const EmailTaken = fault(
  409,
  'email_taken',
  'This e-mail address belongs to another account of this workspace. Use another address.',
);
export const RoleExceedsCaller = fault(
  403,
  'role_exceeds_caller',
  'This role has permissions that you do not have. Select another role.',
);

/** User for an employee that is about to be written. Undefined leaves the current user unchanged. */
export interface PreparedUser {
  user?: PlatformUser | null;
  /** User created for this link, and confirmed by its event. */
  new_staff?: NewStaff;
}

/** Rejects an address that a new employee cannot use, based on the local user copies. @throws UserTaken, a 422 */
async function assertAddressFree(db: Db, email: string): Promise<void> {
  const [known] = await db.rows<{ kind: string; employee_id: string | null }>(sql`
    SELECT users.kind, employees.id AS employee_id FROM users LEFT JOIN employees ON employees.user_id = users.id
    WHERE users.email = ${email} AND users.status <> 'former' ORDER BY employees.id NULLS LAST LIMIT 1`);
  if (known?.employee_id) throw UserTaken();
  if (known && known.kind !== 'staff' && known.kind !== 'owner')
    throw invalid('user.create.email', 'This address belongs to a user who is not staff. Use another address.');
}

interface UserContext {
  caller: Caller;
  keys: Keys;
  rpc: Rpc;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  write<T>(work: (db: Db, emit: Emit) => Promise<T>): Promise<T>;
}
type DryRunCommand = (context: CommandContext) => Promise<unknown>;

/**
 * Determines the user before the transaction. A new user is requested only after everything else has been checked.
 * Platform hides the user and sends no invitation until the employee exists. Platform removes the user if the employee
 * is not created.
 * @param how.rehearse the command itself, which runs without a user before the request to platform
 * @param how.dry_run true if platform only checks the request
 * @throws Forbidden, UserTaken, any error of platform
 */
export async function prepareUser(
  { caller, keys, rpc, read, write }: UserContext,
  { name = 'New colleague', user }: { name?: string | undefined; user?: UserChoice | undefined },
  { dry_run, rehearse: tried }: { dry_run: boolean; rehearse: DryRunCommand },
): Promise<PreparedUser> {
  if (user === undefined) return {};
  if (user === 'none') return { user: null };
  assertMayLink(caller);
  if ('user_id' in user) {
    const [person] = await fetchStaff(rpc, { 'user.user_id': user.user_id });
    return { user: person! };
  }
  const { email, role_key } = user.create;
  await read((db) => assertAddressFree(db, email));
  await dryRun(write, (db, emit) => tried({ caller, keys, db, emit }));
  const idempotency_key = randomUUIDv7();
  const request = { idempotency_key, name, email, role_key };
  const reply = await rpc.platform.ensureStaffUser({ ...request, dry_run }).catch((error: unknown) => {
    throw faultUnder('user.create', error);
  });
  const person = reply.user!;
  return { user: person, ...(reply.created && { new_staff: { ...request, user_id: person.user_id } }) };
}

/**
 * Ensures that a copy of the user exists for the foreign key, and that no other employee has this user. @throws
 * UserTaken
 */
export async function linkUser(db: Db, user: PlatformUser | null | undefined, employee_id: string): Promise<void> {
  if (!user) return;
  await upsertUserCopies(db, [user]);
  const [taken] = await db.rows(sql`
    SELECT id FROM employees WHERE user_id = ${user.user_id}::uuid AND id <> ${employee_id}::uuid`);
  if (taken) throw UserTaken({ field: 'user' });
}

/**
 * Checks that the employee's current user cannot sign in again. Without the link, that user could decide on their own
 * record. A disabled user can be enabled again. An invited user has never signed in and can be replaced.
 * @throws LoginActive
 */
export async function assertLoginFree(db: Db, present: string | null, next: string | null): Promise<void> {
  if (!present || present === next) return;
  const [active] = await db.rows(
    sql`SELECT FROM users WHERE id = ${present}::uuid AND status NOT IN ('former', 'invited')`,
  );
  if (active) throw LoginActive({ field: 'user' });
}
