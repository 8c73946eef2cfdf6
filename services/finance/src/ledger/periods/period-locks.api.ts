/** Period locks close all or a part of the books through a day. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { accounting } from '../../operations.ts';
import { AlreadyLocked, changeLock, lockPeriod, unlockPeriod } from './period.ts';
import { PeriodLock, PeriodLockChanges, PeriodLockFilter, PeriodLockInput } from './period.schema.ts';
import { periodLockActions } from './period.rules.ts';

const ADDITION = 'A user closes a period, and the specification has no operation that locks periods.';

const { query, command } = accounting;

// Chosen: the specification names no permission for the settings. Users who may remove bank accounts manage the
// accounting.
const mayLock = can('ledger.lock');

export const list = query('GET /api/period-locks', {
  summary: 'List period locks',
  description: 'Returns the period locks by scope, with their last locked day and exception windows.',
  addition: ADDITION,
  access: can('ledger.view'),
  query: PeriodLockFilter,
  reply: page(PeriodLock),
  handle: ({ db, query }) => paginate(db, query, { table: 'period_locks' }),
});

export const create = command('POST /api/period-locks/create', {
  summary: 'Create a period lock',
  description:
    'Locks entries up to and including a day: they can be neither posted nor reversed. Drafts can still change. Returns `already_locked` if the scope has a lock. Update it instead.',
  addition: ADDITION,
  access: mayLock,
  body: PeriodLockInput,
  reply: created(PeriodLock),
  faults: [AlreadyLocked],
  handle: ({ body, ...context }) => lockPeriod(context, body),
});

export const update = command('POST /api/period-locks/update/{id}', {
  summary: 'Update a period lock',
  description:
    'Moves the last locked day, or opens one exception window. A window requires `exception_until` and `exception_reason`.',
  addition: ADDITION,
  access: periodLockActions.can('update'),
  params: { id: idOf('period_locks') },
  body: PeriodLockChanges,
  reply: ok(PeriodLock),
  handle: ({ params, body, expect, ...context }) => changeLock(context, params.id, body, expect),
});

export const remove = command('DELETE /api/period-locks/delete/{id}', {
  summary: 'Delete a period lock',
  description:
    'Deletes the lock, so that the scope accepts entries of any day again. To allow late entries for a limited time, update the lock instead.',
  addition: ADDITION,
  access: periodLockActions.can('delete'),
  params: { id: idOf('period_locks') },
  reply: removed,
  handle: ({ db, params }) => unlockPeriod(db, params.id),
});
