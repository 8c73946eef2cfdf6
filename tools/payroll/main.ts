/**
 * `node tools/payroll/main.ts [<people>] [<months>]`: pays so many people (5000 unless told) for some months in a row (3) on a
 * suite of its own, and prints how long each run was calculated and how much memory hr held. Later months look back at earlier
 * ones for arrears and for the tax of the year.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSuite } from '@suite/local/suite';
import { asking } from '@suite/testing/suite/asking';
import type { HttpCaller } from '@suite/testing/http';
import { UNLIMITED } from '@suite/testing/suite/limits';
import { openWorkspace } from '@suite/testing/suite/workspace';

const [people = 5_000, months = 3] = process.argv.slice(2).map(Number);
const YEAR = 2025;
const AT_ONCE = 8;

async function post(owner: HttpCaller, path: string, body: object) {
  const reply = await owner.post(path, body);
  if (reply.status >= 400) throw new Error(`${path} answers ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

/** Makes what a salary usually has: an earning, a contribution, what the employer pays, and a tax of the year. */
async function makeComponents(owner: HttpCaller): Promise<{ component_id: string }[]> {
  const share = { calc: 'percent_of_basic', percent: '9.3', base: ['basic', 'housing', 'overtime'], ceiling: '8450' };
  const slabs = [
    { from: '0', to: '12000', rate: '0' },
    { from: '12000', to: '30000', rate: '20' },
    { from: '30000', rate: '30' },
  ];
  const parts = [
    { code: 'housing', kind: 'earning', calc: 'percent_of_basic', percent: '10' },
    { code: 'pension_share', kind: 'deduction', pre_tax: true, ...share },
    { code: 'pension_employer', kind: 'employer', ...share },
    { code: 'yearly_tax', kind: 'deduction', calc: 'slab', annual: true, slabs },
    { code: 'union_fee', kind: 'deduction', calc: 'formula', formula: 'min(basic * 0.005, 15)' },
  ];
  const made = [];
  for (const part of parts)
    made.push({ component_id: (await post(owner, '/api/salary-component/create', { name: part.code, ...part })).id });
  return made;
}

async function employEverybody(owner: HttpCaller): Promise<void> {
  const [designation] = (await owner.get('/api/designations')).body.data;
  const departments = (await owner.get('/api/departments?per_page=100')).body.data;
  const { branch_id } = departments.find(({ id }: { id: string }) => id === designation.department_id);
  const place = { designation_id: designation.id, department_id: designation.department_id, branch_id };
  const components = await makeComponents(owner);
  let next = 0;
  const work = async () => {
    for (let at = next++; at < people; at = next++) {
      const salary = { basis: 'monthly', amount: String(3_000 + (at % 3_000)), components };
      const terms = { joining_date: `${YEAR - 1}-01-01`, employment_type: 'full' };
      await post(owner, '/api/employee/create', { name: `Person ${at}`, ...terms, ...place, salary });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Days of attendance of the year: every tenth one was missed, and every seventh had overtime. */
const ATTENDANCE = `
  INSERT INTO attendances (id, workspace_id, employee_id, local_date, timezone, state, status, overtime_minutes, overtime_approved)
  SELECT gen_random_uuid(), $1, person.id, day.date, 'Europe/Berlin', 'closed',
    CASE WHEN (day.at + person.at) % 10 = 0 THEN 'absent' ELSE 'present' END,
    CASE WHEN (day.at + person.at) % 7 = 0 THEN 90 ELSE 0 END, TRUE
  FROM (SELECT id, row_number() OVER () AS at FROM employees WHERE workspace_id = $1) AS person,
    (SELECT date, row_number() OVER () AS at FROM generate_series($2::date, $3::date, '1 day') AS date
     WHERE extract(isodow FROM date) < 6) AS day
  ON CONFLICT DO NOTHING`;

const residentMiB = (pid: number | null): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

const data = mkdtempSync(join(tmpdir(), 'suite-payroll-'));
const environment = { LOG_LEVEL: 'warn', RATE_LIMITS: JSON.stringify(UNLIMITED) };
const suite = await startSuite({ data, port: 'free', demo: false, fast: true, environment });
const { sql, end } = asking(suite.databases);
try {
  const workspace = await openWorkspace({ ...suite, gateway: suite.url });
  const { owner } = workspace;
  await employEverybody(owner);
  await sql('hr', ATTENDANCE, [workspace.id, `${YEAR}-01-01`, `${YEAR}-12-31`]);
  await sql('hr', 'ANALYZE');
  const hr = suite.processes['hr']!;
  for (let month = 1; month <= months; month += 1) {
    const last = new Date(Date.UTC(YEAR, month, 0)).toISOString().slice(0, 10);
    const span = { period_start: `${last.slice(0, 8)}01`, period_end: last, pay_date: last };
    const { id } = await post(owner, '/api/payroll/create', span);
    const began = performance.now();
    await post(owner, `/api/payroll/run/${id}`, {});
    let most = 0;
    let run = { status: 'processing', net: '' };
    while (run.status === 'processing') {
      await pause(250);
      most = Math.max(most, residentMiB(hr.pid()));
      run = (await owner.get(`/api/payrolls?id[in]=${id}`)).body.data[0];
    }
    const took = (performance.now() - began) / 1_000;
    console.log(`${last}: ${people} people ${run.status} in ${took.toFixed(1)} s, hr at most ${most.toFixed(0)} MiB`);
    // As approving does it, without the books.
    await sql('hr', "UPDATE payrolls SET status = 'approved' WHERE id = $1", [id]);
    await sql('hr', "UPDATE payroll_entries SET status = 'finalised' WHERE payroll_id = $1", [id]);
  }
} finally {
  await end();
  await suite.stop();
  rmSync(data, { recursive: true, force: true });
}
