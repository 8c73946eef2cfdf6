import { beforeAll, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, type ServiceUnderTest, start } from '@suite/testing';
import { allPermissions, openSupport } from '../../../test/fixture.ts';
import { support } from '../../support.ts';

const ROWS = 40_000;
const { serving, fakes, office } = await openSupport();
const { workspace } = await office();
let replica: ServiceUnderTest;
let explained: ReturnType<typeof collectPlans>;

/**
 * SQL for forty thousand tickets in random order, one third with a due time. Triggers are disabled, so related tables
 * stay empty.
 */
const FILL = `
  BEGIN;
  SET LOCAL session_replication_role = replica;
  INSERT INTO tickets (id, workspace_id, number, subject, description, requester_name, requester_email, status, next_due_at)
  SELECT gen_random_uuid(), '${workspace}', 'T-' || n, 'Help', 'Please.', 'Rita', 'rita@example.com', 'open',
    CASE WHEN n % 3 = 0 THEN now() + hashint4(n) % 1000000 * interval '1 second' END
  FROM generate_series(1, ${ROWS}) AS n;
  COMMIT;
  ANALYZE tickets`;

beforeAll(async () => {
  await serving.admin.query(FILL);
  await enableExplain(serving.admin);
  replica = await start(support, { fakes, replicaOf: serving });
  explained = collectPlans(replica.database.requests);
}, 240_000);

test('due tickets are read in index order, one page only, for any number of tickets', async () => {
  const member = replica.member({ can: allPermissions, modules: ['support'], workspace, kind: 'owner' });
  const { body } = await member.get('/api/support-ticket/tickets?view=due_next&per_page=20');
  const dues = body.data.map(({ next_due_at }: { next_due_at: string }) => next_due_at);
  expect([dues.length, dues]).toEqual([20, dues.toSorted()]);
  const [page, ...more] = (await explained()).filter(({ text }) => /FROM tickets.*ORDER BY/s.test(text));
  expect(more).toEqual([]);
  const [scan] = page!.scans.filter(({ table }) => table === 'tickets');
  expect(scan).toMatchObject({
    type: expect.stringMatching(/^Index (?:Only )?Scan$/),
    indexes: ['tickets_workspace_id_next_due_at_id_idx'],
    removed: 0,
  });
  expect(scan!.rows).toBeLessThanOrEqual(21);
});
