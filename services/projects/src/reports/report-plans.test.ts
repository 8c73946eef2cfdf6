import { beforeAll, describe, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, type Member, start } from '@suite/testing';
import { openProjects } from '../../test/fixture.ts';
import { makeProject } from '../../test/project.ts';
import { projects } from '../projects.ts';

const CARDS = 6_000;
/** Tables with a row for each card. A response may read up to `A_FEW` of their rows by key. */
const BIG = ['work_items', 'assignees', 'assigned_cards', 'time_entries', 'stage_changes'];
const A_FEW = 250;
/** The heap of bugs may be read, because bugs are few compared to tasks. No index contains their resolution time. */
const BUGS = CARDS / 20;

const { serving, fakes, office: openOffice } = await openProjects();
const office = await openOffice();
const member = office.member({ record_scopes: { project: 'own', task: 'own', bug: 'own' } });
const project = await makeProject(serving, office, { members: [[member, 'manager']] });
let explained: ReturnType<typeof collectPlans>;
let path: (by: Member, path: string) => Promise<string[]>;

/** Creates a project with many cards, each assigned and with tracked time. */
beforeAll(async () => {
  const { sql, admin } = serving;
  const [todo, done, blinking] = ['To do', 'Done', 'New'].map(
    (name) => project.taskStages[name] ?? project.bugStages[name],
  );
  const { workspace, owner } = office;
  const user = owner.caller.user_id;
  await admin.query('ALTER TABLE work_items DISABLE TRIGGER USER');
  await admin.query('ALTER TABLE time_entries DISABLE TRIGGER USER');
  await sql`
    INSERT INTO work_items (id, workspace_id, kind, project_id, number, title, stage_id, "group", rank, due_date, completed_at, severity, reporter_id, estimate_minutes)
    SELECT gen_random_uuid(), ${workspace}, CASE WHEN n % 20 = 0 THEN 'bug' ELSE 'task' END, ${project.id}, n, 'Task ' || n,
      CASE WHEN n % 20 = 0 THEN ${blinking} WHEN n % 3 = 0 THEN ${done} ELSE ${todo} END::uuid,
      CASE WHEN n % 20 > 0 AND n % 3 = 0 THEN 'completed' ELSE 'unstarted' END, n, '2026-01-01'::date + n % 900,
      CASE WHEN n % 20 > 0 AND n % 3 = 0 THEN '2026-01-01'::timestamptz END, CASE WHEN n % 20 = 0 THEN 'minor' END,
      CASE WHEN n % 20 = 0 THEN ${user}::uuid END, 60
    FROM generate_series(1, ${CARDS}::int) AS n`;
  await sql`INSERT INTO assignees (workspace_id, item_id, user_id) SELECT workspace_id, id, ${user} FROM work_items WHERE project_id = ${project.id}`;
  await sql`
    INSERT INTO time_entries (id, workspace_id, user_id, project_id, task_id, started_at, ended_at, timezone, local_date, duration_seconds, rounded_seconds, billable, hourly_rate, amount, currency, status)
    SELECT gen_random_uuid(), ${workspace}, ${user}, ${project.id}, id, at, at + interval '5 minutes', 'UTC', at::date, 300, 300, TRUE, 60, 5, 'EUR', 'stopped'
    FROM work_items CROSS JOIN LATERAL (SELECT '2010-01-01'::timestamptz + number * interval '10 minutes' AS at) AS times
    WHERE project_id = ${project.id}`;
  await admin.query('ALTER TABLE work_items ENABLE TRIGGER USER');
  await admin.query('ALTER TABLE time_entries ENABLE TRIGGER USER');
  for (const table of BIG) await admin.query(`VACUUM (ANALYZE) ${table}`);
  await enableExplain(admin);
  // Nearly all rows belong to one project here. In a real database with many projects, the planner would not read a
  // whole table for one project.
  const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
  await admin.query(`ALTER DATABASE "${rows[0]!.name}" SET enable_seqscan = off`);
  const replica = await start(projects, { fakes, replicaOf: serving });
  explained = collectPlans(replica.database.requests);
  path = async (by, input) => {
    const there = replica.member({ ...by.caller, can: by.caller.permissions, workspace });
    await explained();
    const { status } = await there.get(input);
    if (status !== 200) throw new Error(`${input} is answered with ${status}.`);
    return (await explained()).flatMap(({ text, scans }) =>
      scans
        .filter(({ table, type, rows: read }) => BIG.includes(table) && type !== 'Index Only Scan' && read > A_FEW)
        .filter(({ rows: read }) => !(text.includes("kind = 'bug'") && read <= BUGS))
        .map(({ table, type, indexes, rows: read }) => `${read} of ${table} by ${type} ${indexes.join()}: ${text}`),
    );
  };
}, 600_000);

describe.each([
  ['a user who sees all projects', office.owner],
  ['a manager who sees their own projects', member],
])('for %s', (_, by) => {
  test.each([
    ['the report of a project', `/api/project/report/${project.id}`],
    ['the report of all projects', '/api/project/reports'],
    ['a project with everything', `/api/project/show/${project.id}`],
    ['the stages of a project with their counts', `/api/project/task-stages?project_id=${project.id}`],
    ['the beginning of a day', '/api/lightproj/home'],
  ])('%s reads only indexes, not the rows of cards', async (__, input) => {
    expect(await path(by, input)).toEqual([]);
  });
});
