/**
 * `node tools/payroll/main.ts [<people>] [<months>]`: pays employees (5000 by default) for consecutive months (3 by
 * default) on a suite of its own. Prints the time to calculate, approve and pay each run, and the memory of hr. Later
 * months look back at earlier ones for arrears and for the tax of the year.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSuite } from '@suite/local/suite';
import { retryPostponed, waitUntil } from '@suite/testing/waiting';
import { openDatabases } from '@suite/testing/suite/asking';
import type { HttpCaller } from '@suite/testing/http';
import { withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { UNLIMITED } from '@suite/testing/starting/limits';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { residentMiB } from '../load/resident-memory.ts';

const [people = 5_000, months = 3] = process.argv.slice(2).map(Number);
const YEAR = 2025;
const AT_ONCE = 8;

/** Sends a request, and repeats it under the same key while the suite is busy. */
async function post(owner: HttpCaller, path: string, body: object) {
  const key = withIdempotencyKey();
  const reply = await retryPostponed(() => owner.post(path, body, key));
  if (reply.status >= 400) throw new Error(`${path} returned ${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

/** Creates the usual salary components: an earning, a deduction, an employer contribution, and an annual tax. */
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

async function createEmployees(owner: HttpCaller): Promise<void> {
  await waitUntil(
    'hr has opened the workspace',
    async () => (await owner.get('/api/designations')).body.data.length > 0,
  );
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

/** Days of attendance: every tenth one was missed, and every seventh had overtime. */
const ATTENDANCE = `
  INSERT INTO attendances (id, workspace_id, employee_id, local_date, timezone, state, status, overtime_minutes, overtime_approved)
  SELECT gen_random_uuid(), $1, person.id, day.date, 'Europe/Berlin', 'closed',
    CASE WHEN (day.at + person.at) % 10 = 0 THEN 'absent' ELSE 'present' END,
    CASE WHEN (day.at + person.at) % 7 = 0 THEN 90 ELSE 0 END, TRUE
  FROM (SELECT id, row_number() OVER () AS at FROM employees WHERE workspace_id = $1) AS person,
    (SELECT date, row_number() OVER () AS at FROM generate_series($2::date, $3::date, '1 day') AS date
     WHERE extract(isodow FROM date) < 6) AS day
  ON CONFLICT DO NOTHING`;

const DAY_MS = 86_400_000;
const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1);

/** Monitors the memory of a process. @returns a function that returns the maximum */
function watchMemory(pid: () => number | null): () => number {
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, residentMiB(pid()));
  }, 100);
  return () => {
    clearInterval(watching);
    return most;
  };
}

/** Calculates a run until it is done. @returns the finished run as listed */
async function calculate(owner: HttpCaller, id: string): Promise<{ status: string }> {
  await post(owner, `/api/payroll/run/${id}`, {});
  for (;;) {
    await pause(250);
    const { body } = await retryPostponed(() => owner.get(`/api/payrolls?id[in]=${id}`));
    if (body.data[0].status !== 'processing') return body.data[0];
  }
}

const data = mkdtempSync(join(tmpdir(), 'suite-payroll-'));
const environment = { LOG_LEVEL: 'warn', RATE_LIMITS: JSON.stringify(UNLIMITED) };
const suite = await startSuite({ data, port: 'free', demo: false, fast: true, environment });
const { sql, end } = openDatabases(suite.databases);
try {
  const workspace = await openWorkspace({ ...suite, gateway: suite.url });
  const { owner } = workspace;
  await createEmployees(owner);
  // One statement per week, because a single statement for all weeks would take too long.
  const last_day = new Date(Date.UTC(YEAR, months, 0)).toISOString().slice(0, 10);
  for (let day = `${YEAR}-01-01`; day <= last_day; day = daysAfter(day, 7))
    await sql('hr', ATTENDANCE, [workspace.id, day, daysAfter(day, 6)]);
  await sql('hr', 'ANALYZE');
  const hr = suite.processes['hr']!;
  // The workspace has no other user who could approve the run.
  await post(owner, '/api/hrm-settings/update', { four_eyes: false });
  const account = { bank_name: 'Bank', account_name: 'Wages', account_number: 'DE89370400440532013000' };
  const { id: bank_account_id } = await post(owner, '/api/bank-accounts/create', account);
  for (let month = 1; month <= months; month += 1) {
    const last = new Date(Date.UTC(YEAR, month, 0)).toISOString().slice(0, 10);
    const span = { period_start: `${last.slice(0, 8)}01`, period_end: last, pay_date: last };
    const most = watchMemory(() => hr.pid());
    const steps: string[] = [];
    const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      const began = performance.now();
      const done = await work();
      steps.push(`${what} in ${seconds(began)} s`);
      return done;
    };
    const { id } = await timed('drafted', () => post(owner, '/api/payroll/create', span));
    const { status } = await timed('calculated', () => calculate(owner, id));
    if (status === 'calculated') {
      await timed('approved', () => post(owner, `/api/payroll/approve/${id}`, {}));
      const payment = { bank_account_id, paid_on: last, method: 'file' };
      await timed('paid', () => post(owner, `/api/payroll/pay/${id}`, payment));
    }
    console.log(`${last}: ${people} people ${status}: ${steps.join(', ')}; hr at most ${most().toFixed(0)} MiB`);
  }
} finally {
  await end();
  await suite.stop();
  rmSync(data, { recursive: true, force: true });
}
