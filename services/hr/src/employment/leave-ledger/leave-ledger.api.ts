/** The leave ledger: days granted, taken, returned, carried over or expired. Entries never change. */
import { sql } from '@suite/chassis/database';
import { paginate } from '@suite/chassis/lists';
import { can, page } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { LeaveLine, LeaveLineFilter } from './leave-line.schema.ts';

export const list = query('GET /api/leave-ledger', {
  summary: 'List leave ledger entries',
  description:
    'Returns every grant, use, expiry and adjustment of leave days. The entries of a balance add up to its available days. Entries never change.',
  addition: 'A balance cannot be explained without its ledger entries.',
  access: can('leave_balance.view'),
  query: LeaveLineFilter,
  reply: page(LeaveLine),
  handle: ({ db, query }) =>
    paginate(db, query, { table: 'leave_ledger', compute: { updated_at: sql`leave_ledger.created_at` } }),
});
