import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, start, freezeClock } from '@suite/testing';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { support } from '../../support.ts';
import { GROUPS } from './report.schema.ts';

const { serving, fakes, office: openOffice } = await openSupport();
const TICKETS = 20_000;
let office: Office;
let explained: ReturnType<typeof collectPlans>;
let asker: Office['owner'];

/** A year of tickets: each has a reply, 98 % are resolved, and every eighth is reopened and resolved again. */
const FILLED = `
  CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
    SELECT gen_random_uuid() AS id, $1::uuid AS workspace_id, n, '2026-01-01'::timestamptz + n * interval '1 year' / $2 AS created_at,
      (ARRAY['low', 'medium', 'high', 'urgent'])[1 + n % 4] AS priority, (ARRAY['portal', 'email', 'api'])[1 + n % 3] AS channel,
      n % 50 = 0 AS lasts, n % 8 = 1 AS comes_back
    FROM generate_series(1, $2::int) AS n`;
const TICKETS_OF = `
  INSERT INTO tickets (id, workspace_id, number, subject, description, requester_name, requester_email, priority, channel, status,
    public_status, created_at, reopened_count, resolved_at)
  SELECT id, workspace_id, 'T-' || lpad(n::text, 6, '0'), 'Help', 'Please.', 'Rita', 'rita@example.com', priority, channel,
    CASE WHEN lasts THEN 'new' ELSE 'resolved' END, CASE WHEN lasts THEN 'open' ELSE 'resolved' END, created_at, comes_back::int,
    CASE WHEN NOT lasts THEN created_at + CASE WHEN comes_back THEN interval '3 days' ELSE interval '1 day' END END
  FROM filled`;
const FACTS_OF = `
  INSERT INTO ticket_facts (workspace_id, ticket_id, kind, run, at, opened_at, first, user_id, priority, channel, seconds, kept, replies)
  SELECT workspace_id, id, kind, run, created_at + days * interval '1 day',
    CASE WHEN kind = 'resolved' THEN created_at + CASE run WHEN 2 THEN interval '2 days' ELSE interval '0' END END,
    CASE WHEN kind = 'resolved' THEN run = 1 END, NULL, priority, channel, (n * 7919) % 90000, n % 5 > 0, CASE WHEN kind = 'resolved' THEN 1 END
  FROM filled, (VALUES ('answered', 1, 0.1, FALSE), ('resolved', 1, 1, FALSE), ('reopened', 1, 2, TRUE), ('resolved', 2, 3, TRUE))
    AS facts (kind, run, days, again)
  WHERE kind = 'answered' OR (NOT lasts AND (comes_back OR NOT again))`;

const ask = (group: string, span = 'from=2026-12-01&to=2026-12-07') =>
  asker.get(`/api/support-ticket/reports?${span}&group_by=${group}`);

async function fill({ workspace }: Office): Promise<void> {
  const client = await serving.admin.connect();
  try {
    await client.query('BEGIN');
    // Triggers would write the facts for each ticket. The statements write them in bulk.
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(FILLED, [workspace, TICKETS]);
    await client.query(TICKETS_OF);
    await client.query(FACTS_OF);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

beforeAll(async () => {
  office = await openOffice();
  await fill(office);
  await fill(await openOffice());
  await serving.admin.query('ANALYZE tickets, ticket_facts');
  await enableExplain(serving.admin);
  const replica = await start(support, { fakes, replicaOf: serving });
  explained = collectPlans(replica.database.requests);
  const { workspace, owner } = office;
  asker = replica.member({ ...owner.caller, can: owner.caller.permissions, workspace });
}, 600_000);

beforeEach(() => {
  freezeClock('2027-01-31T12:00:00Z');
});

test.each(GROUPS)('reads a weekly report by %s from its events and open tickets, by index', async (group) => {
  await explained();
  expect((await ask(group)).status).toBe(200);
  const scans = (await explained()).flatMap((plan) => plan.scans).filter(({ table }) => table.startsWith('ticket'));
  expect(scans.length).toBeGreaterThanOrEqual(5);
  for (const { type, conditions, rows } of scans) {
    expect(type).toMatch(/Index|Bitmap/);
    expect(conditions.join()).toMatch(/workspace_id = /);
    // The backlog at the end of the week includes work that ended later.
    expect(rows).toBeLessThan(TICKETS / 4);
  }
});

test('a report over all days matches the totals of all tickets', async () => {
  const { data } = (await office.owner.get('/api/support-ticket/reports?from=2026-02-01&to=2027-01-31')).body;
  const { total, lines } = data;
  const all = (await office.owner.get('/api/support-ticket/reports?from=2026-01-31&to=2026-01-31')).body.data.total
    .backlog;
  expect(lines.reduce((sum: number, { created }: { created: number }) => sum + created, 0)).toBe(total.created);
  expect(lines.at(-1).backlog).toBe(TICKETS / 50);
  expect(all + total.created + total.reopened - total.resolved).toBe(TICKETS / 50);
});
