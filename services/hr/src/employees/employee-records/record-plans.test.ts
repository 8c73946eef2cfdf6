import { beforeAll, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, type Member, start } from '@suite/testing';
import { everything, openHr } from '../../../test/fixture.ts';
import { hr } from '../../hr.ts';

const { serving, company } = await openHr();
const acme = await company();
const ada = acme.member({ can: [], name: 'Ada' });
const employee_id = await acme.employ({ user_id: ada.caller.user_id });
const PEOPLE = 20;
const EACH = 500;
const TABLES = 'awards|promotions|employee_transfers|resignations|terminations|warnings|complaints';

let explained: ReturnType<typeof collectPlans>;
let owner: Member;
let self: Member;

/** Inserts a number of records of a kind for each employee. */
const insert = (table: string, columns: string, values: string) =>
  serving.admin.query(
    `INSERT INTO ${table} (id, workspace_id, created_at, ${columns})
     SELECT gen_random_uuid(), workspace_id, now() - serial * interval '1 minute', ${values}
     FROM employees, generate_series(1, $1::int) AS serial WHERE workspace_id = $2`,
    [EACH, acme.workspace],
  );

beforeAll(async () => {
  for (let at = 1; at < PEOPLE; at += 1) await acme.employ({ name: `Colleague ${at}` });
  const day = `'2024-01-01'::date + serial`;
  const state = `CASE WHEN serial % 100 = 0 THEN 'pending' ELSE 'effective' END`;
  await insert('awards', 'employee_id, type, date, title, public', `id, 'month', ${day}, 'Idea', serial % 100 = 0`);
  await insert(
    'promotions',
    'employee_id, from_designation_id, to_designation_id, effective_date, status',
    `id, designation_id, designation_id, ${day}, ${state}`,
  );
  await insert(
    'employee_transfers',
    'employee_id, from_branch_id, from_department_id, to_branch_id, effective_date, status',
    `id, branch_id, department_id, branch_id, ${day}, ${state}`,
  );
  await insert(
    'resignations',
    'employee_id, notice_date, last_day, status',
    `id, ${day}, ${day}, CASE WHEN serial = 100 THEN 'pending' ELSE 'rejected' END`,
  );
  await insert(
    'terminations',
    'employee_id, type, date, status',
    `id, 'dismissal', ${day}, CASE WHEN serial = 100 THEN 'pending' ELSE 'rejected' END`,
  );
  await insert(
    'warnings',
    'employee_id, subject, severity, date, text, status',
    `id, 'Late', 'verbal', ${day}, 'Late', CASE WHEN serial % 100 = 0 THEN 'issued' ELSE 'closed' END`,
  );
  await insert(
    'complaints',
    'from_employee_id, subject, date, description, status',
    `id, 'Noise', ${day}, 'Noise', CASE WHEN serial % 100 = 0 THEN 'open' ELSE 'resolved' END`,
  );
  await serving.admin.query('ANALYZE');
  await enableExplain(serving.admin);
  const replica = await start(hr, { replicaOf: serving });
  explained = collectPlans(replica.database.requests);
  const rights = { workspace: acme.workspace, modules: ['hrm'], can: everything };
  owner = replica.member({ kind: 'owner', ...rights });
  self = replica.member({ user_id: ada.caller.user_id, ...rights });
}, 600_000);

/** Returns the highest number of record rows that one statement read. */
async function readRows(): Promise<number> {
  const isRecord = (table: string) => new RegExp(`^(?:${TABLES})$`).test(table);
  const scans = (await explained()).map(({ scans: all }) => all.filter(({ table }) => isRecord(table)));
  return Math.max(0, ...scans.map((all) => all.reduce((sum, { rows }) => sum + rows, 0)));
}

const OPEN: Readonly<Record<string, string>> = {
  promotions: 'status=pending&sort=effective_date',
  'employee-transfers': 'status=pending&sort=effective_date',
  resignations: 'status=pending&sort=last_day',
  terminations: 'status=pending&sort=date',
  warnings: 'status=issued&sort=date',
  complaints: 'status=open&sort=date',
};

test.each(
  ['awards', 'promotions', 'employee-transfers', 'resignations', 'terminations', 'warnings', 'complaints'].flatMap(
    (path): [string, () => Promise<{ status: number }>][] => [
      [`a page of ${path}`, () => owner.get(`/api/${path}`)],
      [`the far end of ${path}`, () => owner.get(`/api/${path}?sort=created_at`)],
      ...(path === 'complaints'
        ? []
        : [
            [`a page of ${path} for an employee`, () => owner.get(`/api/${path}?employee_id=${employee_id}`)] as [
              string,
              () => Promise<{ status: number }>,
            ],
          ]),
      ...(OPEN[path]
        ? [
            [`${path} that are open`, () => owner.get(`/api/${path}?${OPEN[path]}`)] as [
              string,
              () => Promise<{ status: number }>,
            ],
          ]
        : []),
      [`own ${path}`, () => self.get(`/api/hrm/${path}`)],
    ],
  ),
)('of ten thousand records of each kind %s reads what it shows', async (_, ask) => {
  await ask();
  await explained();
  expect((await ask()).status).toBe(200);
  // The employee has 500 records, which are counted and sorted.
  expect(await readRows()).toBeLessThanOrEqual(EACH * 2);
});
