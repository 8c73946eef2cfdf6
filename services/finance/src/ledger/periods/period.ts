/** Period locks. A new lock waits for postings in progress. Afterwards, the locked days accept no postings. */
import { change, find, remove, sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { PeriodLocked as Locked } from '@suite/proto/finance/v1/events';
import type { z } from 'zod';
import { booksOf } from '../books/books.ts';
import type { Db, CommandContext } from '../../operations.ts';
import type { PeriodLockChanges, PeriodLockInput } from './period.schema.ts';

export const AlreadyLocked = fault(
  409,
  'already_locked',
  'This part of the books already has a lock. Update that lock.',
);

/** Waits for postings in progress, and blocks new ones until the transaction ends. */
const lockJournal = (db: Db) => db.rows(sql`SELECT sequence FROM ledger_heads FOR UPDATE`);

/** Locks a part of the books. @throws AlreadyLocked */
export async function lockPeriod({ db, caller, emit }: CommandContext, data: z.output<typeof PeriodLockInput>) {
  await booksOf(db, caller);
  await lockJournal(db);
  const known = await db.periodLock.findFirst({ where: { scope: data.scope } });
  if (known) throw AlreadyLocked({ id: known.id });
  const lock = await db.periodLock.create({ data: { ...data, locked_through: midnight(data.locked_through) } });
  emit(Locked, { period_id: lock.id, scope: lock.scope, locked_through: data.locked_through });
  return lock;
}

/** Moves a lock, or opens its exception window. */
export async function changeLock(
  { db, emit }: CommandContext,
  id: string,
  { version: _, ...patch }: z.output<typeof PeriodLockChanges>,
  expect: number | undefined,
) {
  await lockJournal(db);
  const before = await find(db.periodLock, id);
  const { locked_through, exception_until, exception_reason, reason } = patch;
  if (exception_until && !exception_reason) throw invalid('exception_reason', 'Enter a reason.');
  if (exception_reason && !exception_until) throw invalid('exception_until', 'Enter the last day.');
  const lock = await change(
    db.periodLock,
    id,
    {
      ...(reason && { reason }),
      ...(locked_through && { locked_through: midnight(locked_through) }),
      ...(exception_until !== undefined && { exception_until, exception_reason: exception_reason ?? null }),
    },
    expect,
  );
  if (locked_through && before.locked_through.getTime() !== lock.locked_through.getTime()) {
    emit(Locked, { period_id: id, scope: lock.scope, locked_through });
  }
  return lock;
}

/** Removes the lock of a part of the books. */
export async function unlockPeriod(db: Db, id: string): Promise<{ id: string }> {
  await lockJournal(db);
  return await remove(db.periodLock, id);
}
