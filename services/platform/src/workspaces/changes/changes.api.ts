/** The change feed of a workspace. */
import { anyStaffCredential, ok } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { describeChanges } from '../history/history.ts';
import { Changes, ChangesQuery } from './changes.schema.ts';
import { CursorExpired, readFeed } from './feed.ts';

export const list = query('GET /api/changes', {
  summary: 'List the changes of all records',
  description:
    'Returns every created, updated and deleted record of all services in one order, with old and new values. Use it to keep a copy of records. Get a cursor with `after=now`, copy the records, and then request the changes after the cursor repeatedly. You get the changes of records that you may view, with the fields that you may see. The changes of a record have the order in which they were made. Changes of different services are ordered by time. Changes are kept for 30 days. A restore of the data begins a new sequence.',
  addition: 'Integrations keep copies of records, and lists show neither deleted records nor earlier values.',
  access: anyStaffCredential,
  query: ChangesQuery,
  reply: ok(Changes),
  faults: [CursorExpired],
  prepare: ({ query: { after, type, limit }, rpc, derive, caller }) =>
    readFeed({ derive, rpc, workspace_id: caller.workspace_id }, { after, types: type, limit }),
  async handle({ db, prepared: { changes, ...page } }) {
    const described = await describeChanges(
      db,
      changes.map(({ change }) => change!),
    );
    return {
      ...page,
      changes: changes.map(({ cursor, record_type, record_id }, at) => {
        const { id: _, changes: fields, ...change } = described[at]!;
        return { ...change, cursor, type: record_type, record_id, fields };
      }),
    };
  },
});
