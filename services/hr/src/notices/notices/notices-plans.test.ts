import { beforeAll, describe, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, type Member, start } from '@suite/testing';
import { everything } from '../../../test/fixture.ts';
import { openOffices } from '../../../test/notices.ts';
import { hr } from '../../hr.ts';

const PEOPLE = 5_000;
const NOTICES = 4_000;
/** Maximum number of rows that a page may read in addition to its own. */
const A_FEW = 1_250;

const { serving, office } = await openOffices();
const acme = await office();
const ada = await acme.hire('Ada', {}, { can: ['announcement.view', 'event.view', 'hrm_document.view'] });

let explained: ReturnType<typeof collectPlans>;
let owner: Member;
let self: Member;

beforeAll(async () => {
  const { admin } = serving;
  const copy = async (table: string, id: string, times: number, changes: string) => {
    const { rows } = await admin.query<{ names: string }>(
      `SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> 'id'`,
      [table],
    );
    const { names } = rows[0]!;
    await admin.query(
      `INSERT INTO ${table} (id, ${names})
       SELECT gen_random_uuid(), ${names} FROM (
         SELECT (jsonb_populate_record(row, jsonb_build_object(${changes}))).* FROM ${table} AS row, generate_series(1, ${times}) AS at
         WHERE row.id = $1) AS copied`,
      [id],
    );
  };
  await copy(
    'employees',
    ada.id,
    PEOPLE - 1,
    `'code', 'C' || at, 'user_id', NULL, 'email', at || '@acme.test', 'dob', '1990-01-01'::date + (at % 365)`,
  );
  const news = await acme.publish('announcement', {
    title: 'News',
    body: 'Read.',
    requires_ack: true,
    audience: { employee_ids: [ada.id] },
  });
  const event = await acme.publish('event', {
    title: 'Party',
    start: '2030-01-01T10:00:00Z',
    end: '2030-01-01T11:00:00Z',
  });
  // Every second notice includes her in its audience.
  const elsewhere = `'audience', CASE WHEN at % 2 = 0 THEN to_jsonb(row.audience) ELSE jsonb_build_array('${acme.harbour}') END, 'created_at', row.created_at - at * interval '1 minute', 'published_at', row.published_at - at * interval '1 minute'`;
  await copy('announcements', news, NOTICES, elsewhere);
  await copy(
    'events',
    event,
    NOTICES,
    `${elsewhere}, 'start', row.start - at * interval '1 day', 'end', row.end - at * interval '1 day'`,
  );
  await admin.query(
    `INSERT INTO acknowledgments (id, workspace_id, announcement_id, employee_id, due_on)
     SELECT gen_random_uuid(), employees.workspace_id, notices.id, employees.id, '2030-01-01'
     FROM employees, (SELECT id FROM announcements WHERE id <> $1 LIMIT 6) AS notices WHERE employees.workspace_id = $2`,
    [news, acme.workspace],
  );
  await admin.query('VACUUM ANALYZE');
  await enableExplain(admin);
  const replica = await start(hr, { replicaOf: serving });
  explained = collectPlans(replica.database.requests);
  const rights = { workspace: acme.workspace, modules: ['hrm'] };
  owner = replica.member({ can: everything, kind: 'owner', ...rights });
  self = replica.member({ can: ada.user.caller.permissions, user_id: ada.user.caller.user_id, ...rights });
}, 600_000);

/** Returns the statements of a request, without statements inside database functions. */
async function statementsOf(ask: () => Promise<{ status: number }>) {
  await ask();
  await explained();
  expect((await ask()).status).toBeLessThan(300);
  const { rows } = await serving.admin.query<{ body: string }>('SELECT prosrc AS body FROM pg_proc');
  const within = new Set(rows.map(({ body }) => body.trim()));
  return (await explained()).filter(({ text }) => !within.has(text.trim()));
}

const NOTICE_TABLES = new Set(['announcements', 'events', 'hrm_documents', 'acknowledgments', 'employees']);
const readRows = (statements: Awaited<ReturnType<typeof statementsOf>>): number =>
  Math.max(
    0,
    ...statements.map(({ scans }) =>
      scans.filter(({ table }) => NOTICE_TABLES.has(table)).reduce((sum, { rows }) => sum + rows, 0),
    ),
  );

describe(`notices of ${PEOPLE} employees and ${NOTICES} announcements`, () => {
  test.each([
    ['announcements', () => owner.get('/api/announcements')],
    ['own announcements', () => self.get('/api/announcements')],
    ['events', () => owner.get('/api/events?sort=start')],
    ['events to which one is invited', () => self.get('/api/events')],
    ['acknowledgments', () => owner.get('/api/acknowledgments')],
    ['acknowledgments of an employee', () => owner.get(`/api/acknowledgments?employee_id=${ada.id}`)],
    ['the own home', () => self.get('/api/hrm/home')],
    [
      'the own calendar',
      () => self.post('/api/hrm/events', { month: '2029-12', kinds: ['event', 'leave', 'holiday'] }),
    ],
  ])('reads only the rows it returns for a page of %s', async (_, ask) => {
    // Counting stops at 10,000 rows, and the total is cached for a while.
    const pages = (await statementsOf(ask)).filter(({ text }) => !/^\s*SELECT count\(/i.test(text));
    expect(readRows(pages)).toBeLessThan(A_FEW);
  });

  test('use at most eight statements for home and five for the calendar', async () => {
    expect(
      (await statementsOf(() => self.get('/api/hrm/home'))).map(({ text }) => text.slice(0, 80)).length,
    ).toBeLessThanOrEqual(8);
    expect((await statementsOf(() => self.post('/api/hrm/events', { month: '2030-01' }))).length).toBeLessThanOrEqual(
      5,
    );
  });

  test('are published to all employees with as many statements as to one', async () => {
    const count = async (audience: object) => {
      const { id } = (
        await owner.post('/api/announcement/create', { title: 'All', body: 'Read.', requires_ack: true, audience })
      ).body.data;
      await explained();
      expect(await owner.post(`/api/announcement/update-status/${id}`, { action: 'publish' })).toMatchObject({
        status: 200,
      });
      const plans = await explained();
      const created = (await owner.get(`/api/acknowledgments?announcement_id=${id}&per_page=1`)).body.meta.total;
      return {
        made: created,
        // Without the statements of triggers: foreign keys, and the journal, which divides many changes into rows.
        statements: plans.filter(({ text }) => !/FROM ONLY|journal|suite\.change/.test(text)).length,
      };
    };
    const one = await count({ employee_ids: [ada.id] });
    const all = await count({});
    expect([one.made, all.made]).toEqual([1, PEOPLE]);
    expect(all.statements).toBe(one.statements);
  }, 240_000);
});
