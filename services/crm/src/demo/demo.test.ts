import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { everything, openCrm } from '../../test/fixture.ts';
import type { Db } from '../operations.ts';
import { readDemoFile } from '@suite/demo';
import { seedDemo } from './seed.ts';

const { serving } = await openCrm();
const { sql } = serving;
const directory = mkdtempSync(join(tmpdir(), 'suite-demo-'));
afterAll(() => rmSync(directory, { recursive: true }));

const person = (role: string, kind: string) => ({
  id: randomUUID(),
  role,
  kind,
  name: `The ${role}`,
  email: `${role}@demo.test`,
});
const colleagues = () => [person('owner', 'owner'), person('sales', 'staff'), person('staff', 'staff')];
const large = {
  id: randomUUID(),
  name: 'Northwind',
  users: [...colleagues(), person('hr', 'staff'), person('client', 'client'), person('vendor', 'vendor')],
};
const small = { id: randomUUID(), name: 'Globex', users: [...colleagues(), person('client', 'client')] };

const demo = { password: 'x', logins: [], workspaces: [large, small] };
/** Runs the command as the launcher does. */
function run(content: object | null = demo) {
  const file = join(directory, `${randomUUID()}.json`);
  if (content) writeFileSync(file, JSON.stringify(content));
  const program = fileURLToPath(new URL('./main.ts', import.meta.url));
  const env = { DATABASE_URL: serving.database_url, DEMO_FILE: file };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Runs the demo command in this process. */
async function seed(...workspaces: { id: string; users: object[] }[]): Promise<void> {
  const file = join(directory, `${randomUUID()}.json`);
  writeFileSync(file, JSON.stringify({ workspaces: workspaces.map((workspace) => ({ name: 'Demo', ...workspace })) }));
  await seedDemo(serving.database as Database<Db>, readDemoFile(file).workspaces);
}

const TABLES = ['leads', 'deals', 'tasks', 'calls', 'discussions', 'emails', 'stage_changes', 'activities', 'labels'];
/** Counts the rows of a workspace by table. */
async function counts(workspace: string): Promise<Record<string, number>> {
  const found = TABLES.map(async (table) => {
    const query = `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`;
    return [table, (await serving.database.pool.query(query, [workspace])).rows[0].count];
  });
  return Object.fromEntries(await Promise.all(found));
}

let first: ReturnType<typeof run>;
beforeAll(() => {
  first = run();
});

describe('the demo', () => {
  test('is large in the first workspace and small in the others', async () => {
    expect(first).toEqual({ status: 0, stderr: '', stdout: 'The demo has 162 leads, and deals.\n' });
    const found = await counts(large.id);
    expect(found).toMatchObject({ leads: 150, deals: 40 });
    for (const table of ['tasks', 'calls', 'discussions', 'emails']) expect(found[table]).toBeGreaterThan(60);
    expect(await counts(small.id)).toMatchObject({ leads: 12, deals: 5 });
    expect(await sql`SELECT FROM journal_changes WHERE table_name = 'leads' AND operation = 'cli:demo'`).toHaveLength(
      162,
    );
  });

  test('is created once, even if requested several times', async () => {
    const before = [await counts(large.id), await counts(small.id)];
    expect(run()).toMatchObject({ status: 0, stdout: 'The demo has its leads already.\n' });
    expect([await counts(large.id), await counts(small.id)]).toEqual(before);
  });

  test('is inserted in few statements, and is the same in every workspace', async () => {
    const copies = [randomUUID(), randomUUID()] as const;
    const statements = serving.database.statements;
    for (const id of copies) await seed({ id, users: colleagues() });
    expect((serving.database.statements - statements) / 2).toBeLessThan(100);
    const people = (workspace: string) =>
      sql`SELECT name, company, status, expected_value FROM leads WHERE workspace_id = ${workspace} ORDER BY 1, 2, 3, 4`;
    expect(await people(copies[0])).toEqual(await people(copies[1]));
  });

  test('leaves a workspace with leads of its own unchanged', async () => {
    const used = { ...small, id: randomUUID(), users: colleagues() };
    const owner = serving.member({ can: everything, workspace: used.id, user_id: used.users[0]?.id as string });
    await owner.post('/api/pipeline/create', { name: 'Ours' });
    await owner.post('/api/lead/create', { name: 'Ada' });
    await seed(used);
    expect(await counts(used.id)).toMatchObject({ leads: 1, deals: 0, labels: 0 });
  });

  test('reports missing prerequisites in one sentence', () => {
    expect(run(null)).toMatchObject({ status: 1, stderr: expect.stringMatching(/make platform's demo first\.\n$/) });
    expect(run({ workspaces: [{ ...small, id: randomUUID(), users: [person('client', 'client')] }] })).toMatchObject({
      status: 1,
      stderr: 'No user can own leads. Add an owner or a staff user to the workspace.\n',
    });
  });
});

describe('the content of the demo', () => {
  test('has two pipelines with a default, their stages in order, labels and sources', async () => {
    const pipelines = await sql`
      SELECT name, is_default, position FROM pipelines WHERE workspace_id = ${large.id} ORDER BY position`;
    expect(pipelines).toEqual([
      { name: 'Sales', is_default: true, position: 0 },
      { name: 'Partners', is_default: false, position: 1 },
    ]);
    expect(await sql`SELECT FROM labels WHERE workspace_id = ${large.id}`).toHaveLength(6);
    expect(await sql`SELECT FROM sources WHERE workspace_id = ${large.id}`).toHaveLength(6);
    const used = await sql`SELECT DISTINCT stage_id FROM leads WHERE workspace_id = ${large.id}`;
    expect(used).toHaveLength(10);
    const origins = await sql`SELECT DISTINCT origin FROM leads WHERE workspace_id = ${large.id}`;
    expect(origins).toHaveLength(4);
  });

  test('has cards in stages that match their outcomes', async () => {
    expect(
      await sql`
      SELECT leads.id FROM leads JOIN lead_stages AS stage ON stage.id = stage_id
      WHERE status <> 'converted' AND status <> CASE stage.type WHEN 'lost' THEN 'lost' ELSE 'open' END`,
    ).toEqual([]);
    expect(
      await sql`
      SELECT deals.id FROM deals JOIN deal_stages AS stage ON stage.id = stage_id
      WHERE status <> CASE WHEN stage.type IN ('won', 'lost') THEN stage.type ELSE 'open' END
        OR closed_at IS DISTINCT FROM CASE WHEN stage.type IN ('won', 'lost') THEN stage_since END`,
    ).toEqual([]);
    expect(await sql`SELECT DISTINCT status FROM deals ORDER BY status`).toHaveLength(3);
  });

  test('has converted leads and deals that reference each other', async () => {
    const converted = await sql`SELECT FROM leads WHERE status = 'converted' AND workspace_id = ${large.id}`;
    expect(converted).toHaveLength(18);
    expect(
      await sql`
      SELECT leads.id FROM leads FULL JOIN deals ON deals.id = converted_deal_id
      WHERE (leads.status = 'converted' OR deals.lead_id IS NOT NULL)
        AND (deals.lead_id IS DISTINCT FROM leads.id OR deals.created_at <> converted_at)`,
    ).toEqual([]);
  });

  test('has card histories without gaps that end in the current stage', async () => {
    const steps = await sql`
      SELECT coalesce(lead_id, deal_id) AS id FROM (
        SELECT *, lag(to_stage_id) OVER card AS before, lag(at) OVER card AS since FROM stage_changes
        WINDOW card AS (PARTITION BY coalesce(lead_id, deal_id) ORDER BY at)) AS step
      WHERE from_stage_id IS DISTINCT FROM before OR at < since
        OR seconds_in_from IS DISTINCT FROM floor(extract(epoch FROM at - since))`;
    expect(steps).toEqual([]);
    const cards = await sql`
      SELECT card.id FROM (
        SELECT id, stage_id, stage_since, created_at, last_activity_at FROM leads WHERE created_at < now() UNION ALL
        SELECT id, stage_id, stage_since, created_at, last_activity_at FROM deals) AS card
      LEFT JOIN LATERAL (
        SELECT min(at) AS first, max(at) AS last, (array_agg(to_stage_id ORDER BY at DESC))[1] AS stage_id
        FROM stage_changes WHERE card.id IN (lead_id, deal_id)) AS history ON TRUE
      LEFT JOIN LATERAL (SELECT max(at) AS last FROM activities WHERE card.id IN (lead_id, deal_id)) AS told ON TRUE
      WHERE card.id NOT IN (SELECT id FROM leads WHERE name = 'Ada')
        AND (history.first, history.last, history.stage_id, told.last)
          IS DISTINCT FROM (card.created_at, card.stage_since, card.stage_id, card.last_activity_at)`;
    expect(cards).toEqual([]);
  });

  test('has no entries with a future time, or from before their records', async () => {
    expect(
      await sql`
      SELECT id FROM leads WHERE created_at > now() OR stage_since > now() OR converted_at > now() OR last_activity_at > now()`,
    ).toEqual([]);
    expect(await sql`SELECT id FROM activities WHERE at > now()`).toEqual([]);
    expect(
      await sql`
      SELECT id FROM tasks WHERE done_at > now() OR done_at < created_at OR date < created_at::date
        OR (status = 'todo') > (coalesce(lead_id, deal_id) IN (
          SELECT id FROM leads WHERE status = 'open' UNION ALL SELECT id FROM deals WHERE status = 'open'))`,
    ).toEqual([]);
    expect(
      await sql`
      SELECT id FROM (SELECT id, lead_id, at FROM calls UNION ALL SELECT id, lead_id, created_at FROM emails) AS contact
      JOIN (SELECT id AS of, created_at, converted_at FROM leads) AS lead ON of = lead_id
      WHERE at < created_at OR at > coalesce(converted_at, now())`,
    ).toEqual([]);
    expect(await sql`SELECT id FROM emails WHERE delivery = 'queued'`).toEqual([]);
  });

  test('shows the last card to reach a stage on top, with unique ranks', async () => {
    expect(
      await sql`
      SELECT id FROM (
        SELECT id, stage_since, lag(stage_since) OVER (PARTITION BY stage_id ORDER BY rank) AS above FROM leads UNION ALL
        SELECT id, stage_since, lag(stage_since) OVER (PARTITION BY stage_id ORDER BY rank) FROM deals) AS card
      WHERE stage_since > above`,
    ).toEqual([]);
    expect(await sql`SELECT stage_id, rank FROM leads GROUP BY 1, 2 HAVING count(*) > 1`).toEqual([]);
  });

  test('has records with labels of their pipeline, and with users who sell', async () => {
    expect(
      await sql`
      SELECT lead_id FROM lead_labels JOIN labels ON labels.id = label_id JOIN leads ON leads.id = lead_id
      WHERE labels.pipeline_id <> leads.pipeline_id UNION ALL
      SELECT deal_id FROM deal_labels JOIN labels ON labels.id = label_id JOIN deals ON deals.id = deal_id
      WHERE labels.pipeline_id <> deals.pipeline_id`,
    ).toEqual([]);
    const [owner, sales, staff, hr] = large.users.map(({ id }) => id);
    const owners =
      await sql`SELECT owner_id, count(*)::int FROM leads WHERE workspace_id = ${large.id} GROUP BY 1 ORDER BY 2`;
    expect(new Set(owners.map(({ owner_id }) => owner_id))).toEqual(new Set([owner, sales, staff]));
    expect(owners.at(-1)).toMatchObject({ owner_id: sales });
    expect(await sql`SELECT FROM tasks WHERE assignee_id = ${hr}`).toEqual([]);
    expect(await sql`SELECT FROM deals WHERE id NOT IN (SELECT deal_id FROM deal_users)`).toEqual([]);
    expect(await sql`SELECT DISTINCT kind FROM deal_clients JOIN users ON users.id = client_id`).toEqual([
      { kind: 'client' },
    ]);
  });

  test('shows users their leads and deals as if they had created them', async () => {
    const seller = large.users[1] as (typeof large.users)[number];
    const member = serving.member({ can: everything, workspace: large.id, user_id: seller.id });
    const leads = await member.get('/api/leads?expand=owner,stage,labels,sources,users&per_page=100');
    expect(leads).toMatchObject({ status: 200, body: { meta: { total: 150 } } });
    for (const { id, name } of leads.body.data.slice(0, 30)) {
      const shown = await member.get(`/api/lead/show/${id}`);
      expect(shown).toMatchObject({ status: 200, body: { data: { name } } });
      const timeline = shown.body.data.timeline as { type: string }[];
      expect(timeline.map(({ type }) => type)).toContain('created');
    }
    const stages = (await member.get('/api/lead-stages')).body.data as { lead_count: number }[];
    expect(stages.reduce((sum, { lead_count }) => sum + lead_count, 0)).toBe(132);
    expect(await member.post('/api/lead/create', { name: 'Ada' })).toMatchObject({ status: 201 });
  });
});
