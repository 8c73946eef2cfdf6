import { beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf } from '@suite/testing/http';
import { waitFor, retryPostponed, waitUntil } from '@suite/testing/waiting';
import { type SignedIn, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { findAllViolations } from '@suite/tools/audit';
import { waitUntilIdle } from '@suite/tools/calm';
import { killAndAwaitRecovery } from './faults.ts';

/** Kills the hr process in the middle of a payroll calculation, an approval and a payment. */
const suite = await startSuiteForFile();
const BATCH = 200;
/** Number of employees, more than a calculation batch. */
const PEOPLE = 250;
const AT_ONCE = 8;
const PATIENCE_MS = 60_000;
const JUNE = { period_start: '2025-06-01', period_end: '2025-06-30', pay_date: '2025-06-30' };

let acme: Workspace;
let payrollUser: SignedIn;
let approver: SignedIn;
let bank_account_id: string;
let payroll_id: string;

/** Writes with one idempotency key, and retries if a busy machine postpones the request. */
function post(path: string, body: object, by: SignedIn) {
  const key = withIdempotencyKey();
  return dataOf(retryPostponed(() => by.post(path, body, key)));
}
const run = () => dataOf(retryPostponed(() => payrollUser.get(`/api/payrolls/${payroll_id}`)));
const journals = (purpose: string) =>
  suite.sql(
    'finance',
    `SELECT entry.id FROM journal_entries AS entry WHERE entry.source_id = $1 AND entry.purpose LIKE $2
       AND NOT EXISTS (SELECT FROM journal_entries AS other WHERE other.reversal_of = entry.id)`,
    [payroll_id, purpose],
  );

/** Creates all employees, a few at a time. */
async function employ({ owner }: Workspace): Promise<void> {
  await waitUntil(
    'hr has opened the workspace',
    async () => (await owner.get('/api/designations')).body.data.length > 0,
  );
  const [designation] = await dataOf(owner.get('/api/designations'));
  const departments: { id: string; branch_id: string }[] = await dataOf(owner.get('/api/departments?per_page=100'));
  const { id: designation_id, department_id } = designation;
  const place = {
    designation_id,
    department_id,
    branch_id: departments.find(({ id }) => id === department_id)?.branch_id,
  };
  let next = 0;
  const work = async () => {
    for (let at = next++; at < PEOPLE; at = next++) {
      const salary = { basis: 'monthly', amount: String(3_000 + at) };
      const terms = { joining_date: '2025-01-01', employment_type: 'full', salary };
      await post('/api/employee/create', { name: `Person ${at}`, ...terms, ...place }, owner);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const asOwner = (statement: string) => suite.sql('hr', `BEGIN; SET LOCAL ROLE hr_owner; ${statement}; COMMIT`);

/** Blocks the second batch at its last payslip, until a comment releases it. @returns the function that releases it */
async function holdSecondBatch(): Promise<() => Promise<unknown>> {
  await asOwner(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      WHILE NEW.employee_id = (SELECT id FROM employees ORDER BY id DESC LIMIT 1)
          AND obj_description('hold()'::regprocedure) IS NULL LOOP
        PERFORM pg_sleep(0.05);
      END LOOP;
      RETURN NEW;
    END $$;
    CREATE TRIGGER hold BEFORE UPDATE ON payroll_entries FOR EACH ROW EXECUTE FUNCTION hold()`);
  return () => asOwner("COMMENT ON FUNCTION hold() IS 'let go'");
}

/** Sends a request, kills hr as soon as finance has posted it, and repeats the request with the same key. */
async function killedWhen(purpose: string, ask: () => ReturnType<SignedIn['post']>) {
  const lost = ask().catch(() => undefined);
  await waitFor(async () => expect(await journals(purpose)).toHaveLength(1), PATIENCE_MS);
  await killAndAwaitRecovery(suite, ['hr'], PATIENCE_MS);
  await lost;
  return await retryPostponed(ask);
}

beforeAll(async () => {
  acme = await openWorkspace(suite);
  [payrollUser, approver] = [await acme.hire('payroll', 'Clerk'), await acme.hire('payroll', 'Approver')];
  [{ id: bank_account_id }] = await dataOf(acme.owner.get('/api/bank-accounts'));
  await employ(acme);
  ({ id: payroll_id } = await post('/api/payroll/create', JUNE, payrollUser));
}, 240_000);

describe('a payroll run whose process is killed', () => {
  test('continues an interrupted calculation with the employees who have no payslip', async () => {
    const letGo = await holdSecondBatch();
    await post(`/api/payroll/run/${payroll_id}`, {}, payrollUser);
    await waitFor(async () => expect((await run()).progress.done).toBe(BATCH), PATIENCE_MS);
    const striking = killAndAwaitRecovery(suite, ['hr'], PATIENCE_MS);
    await letGo();
    await striking;
    const whole = await waitFor(async () => {
      const shown = await run();
      expect(shown.status).toBe('calculated');
      return shown;
    }, PATIENCE_MS);
    await asOwner('DROP FUNCTION hold() CASCADE');
    const sum = Array.from({ length: PEOPLE }, (_, at) => 3_000 + at).reduce((all, amount) => all + amount, 0);
    expect(whole).toMatchObject({ progress: { total: PEOPLE, done: PEOPLE, failed: 0 }, net: `${sum}.00` });
  }, 180_000);

  test('is approved on retry with one entry if finance had posted its approval', async () => {
    const key = withIdempotencyKey();
    const reply = await killedWhen('approve.%', () => approver.post(`/api/payroll/approve/${payroll_id}`, {}, key));
    expect(reply.body.data).toMatchObject({ status: 'approved', number: 'PAY-2025-00001' });
    await waitUntilIdle(suite);
    expect(await journals('approve.%')).toHaveLength(1);
  }, 180_000);

  test('is paid once on retry if finance had posted its payment', async () => {
    const key = withIdempotencyKey();
    const body = { bank_account_id, paid_on: '2025-06-30', method: 'file' };
    const reply = await killedWhen('pay.%', () => approver.post(`/api/payroll/pay/${payroll_id}`, body, key));
    expect(reply.body.data.status).toBe('paid');
    await waitUntilIdle(suite);
    expect(await journals('pay.%')).toHaveLength(1);
  }, 180_000);

  test('leaves books in which the auditor finds no fault', async () => {
    expect(await findAllViolations(suite)).toEqual([]);
  }, 240_000);
});
