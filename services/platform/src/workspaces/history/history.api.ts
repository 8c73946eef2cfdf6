/** The history of a record. */
import { pageOf } from '@suite/chassis/lists';
import { anyStaffCredential, page } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { describeChanges, fetchChanges } from './history.ts';
import { HistoryEntry, HistoryQuery } from './history.schema.ts';

export const list = query('GET /api/history', {
  summary: 'List the changes of a record',
  description:
    'Returns who created, changed or deleted a record, when, and with its old and new values. The newest change is first. You need the permission to view the record, and get the fields that you may see. A change of parts only, such as the lines of an invoice, has no fields.',
  addition: 'Users ask who changed a record, and the account log answers it only for accounts.',
  access: anyStaffCredential,
  query: HistoryQuery,
  reply: page(HistoryEntry),
  prepare: ({ query, rpc }) => fetchChanges(rpc, query),
  async handle({ db, query, prepared: { changes, total } }) {
    return pageOf(await describeChanges(db, changes), query, total);
  },
});
