/** Period locks: through which day the books are closed, as a whole or in a part, so that what was reported stays true. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { AlreadyLocked, changeLock, lockPeriod, unlockPeriod } from './period.ts';
import { PeriodLock, PeriodLockChanges, PeriodLockFilter, PeriodLockInput } from './period.schema.ts';

const { query, command } = accounting;

// Chosen: the specification names no permission for it; those who may remove bank accounts run the books.
const mayLock = can('ledger.lock');

export const list = query('GET /api/period-locks', {
  summary: 'List period locks',
  access: can('ledger.view'),
  query: PeriodLockFilter,
  reply: page(PeriodLock),
  handle: ({ db, query }) => paginate(db, query, { table: 'period_locks' }),
});

export const create = command('POST /api/period-locks/create', {
  summary: 'Create a period lock',
  description:
    'No entry can be posted or reversed through that day in that part of the books. Drafts are not in the books: they can still be changed and deleted.',
  access: mayLock,
  body: PeriodLockInput,
  reply: created(PeriodLock),
  faults: [AlreadyLocked],
  handle: ({ db, emit, caller, body }) => lockPeriod({ db, emit, caller }, body),
});

export const update = command('POST /api/period-locks/update/{id}', {
  summary: 'Update a period lock',
  description: 'Moves the day, or opens one exception window with its reason.',
  access: mayLock,
  params: { id: idOf('period_locks') },
  body: PeriodLockChanges,
  reply: ok(PeriodLock),
  handle: ({ db, emit, caller, params, body, expect }) => changeLock({ db, emit, caller }, params.id, body, expect),
});

export const remove = command('DELETE /api/period-locks/delete/{id}', {
  summary: 'Delete a period lock',
  access: mayLock,
  params: { id: idOf('period_locks') },
  reply: removed,
  handle: ({ db, params }) => unlockPeriod(db, params.id),
});
