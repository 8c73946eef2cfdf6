import { beforeAll, expect, test } from '@jest/globals';
import type { CrossServiceCheck, Consequence } from '@suite/auditor';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { orderAgreements, orderConsequences } from '@suite/tools/audit/order-rules';
import { references } from '@suite/tools/audit/references';
import { agreements, consequences, rules } from '@suite/tools/audit/rules';
import { stepRules } from '@suite/tools/audit/step-rules';
import { waitUntilIdle } from '@suite/tools/calm';
import { type Database, faultsIn, sideOf } from '@suite/auditor/fault-search';

/**
 * Plants a fault for each rule of the auditor, and expects the auditor to find it. All changes in the demo workspace
 * are rolled back.
 */
const suite = await startSuiteForFile({ demo: true });
const database = (service: string): Database => ({ service, url: String(suite.databases[service]) });

/** Faults that need more than one change, or a record that the demo does not contain. */
const KNOWN: Record<string, string> = {
  'no saga is open for more than a minute':
    "UPDATE order_reservations SET state = 'requested', since = now() - interval '2 minutes'",
  'no posting of a run is pending for more than a minute':
    "UPDATE payroll_posting_attempts SET state = 'requested', since = now() - interval '2 minutes'",
  'no time is claimed for an invoice for longer than an hour':
    "UPDATE billing_runs SET status = 'claimed', created_at = now() - interval '2 hours'",
  'remaining days of expired leave lapse unless a leave request needs them':
    "UPDATE leave_applications SET status = 'rejected'; UPDATE leave_ledger SET valid_to = '2020-12-31'",
  "each settled leave line is in at most one final payslip, of its employee, with the ledger's days": `
    INSERT INTO payslip_leave_lines (id, workspace_id, entry_id, days)
    SELECT gen_random_uuid(), workspace_id, id, 1 FROM payroll_entries LIMIT 1`,
  'each loan payout belongs to an existing loan, once': `
    INSERT INTO employee_loans (id, workspace_id, employee_id, currency, first_period, amount_sealed, instalment_sealed, left_sealed,
      journal_id, updated_at)
    SELECT gen_random_uuid(), workspace_id, id, 'EUR', current_date, 'x', 'x', 'x', gen_random_uuid(), now() FROM employees LIMIT 1`,
  'inventory has stored the key of each completed step finance.set-goods-aside':
    "UPDATE stock_sagas SET state = 'reversing', cancellations = 9",
  ...Object.fromEntries(
    Object.entries({ 'hr.pay-loan-out': 'loan_payout_attempts', 'hr.post-loan-waiver': 'loan_waiver_attempts' }).map(
      ([step, table]) => [
        `finance has stored the key of each completed step ${step}`,
        `INSERT INTO ${table} (id, workspace_id, loan_id, attempt, state, asked_by, since)
        SELECT gen_random_uuid(), workspace_id, gen_random_uuid(), 1, 'posted', gen_random_uuid(), now() FROM employees LIMIT 1`,
      ],
    ),
  ),
};

/** Returns the names of the rules without a planted fault. */
const missing = (found: ReadonlyMap<string, unknown>) => [...found].flatMap(([name, fault]) => (fault ? [] : [name]));

beforeAll(async () => {
  await waitUntilIdle(suite, 120_000);
}, 150_000);

// Finance plants a fault for each of its rules in its own tests, with records that the demo does not contain.
const { finance: _, ...others } = rules;

test.each(Object.keys(others) as (keyof typeof others)[])(
  'the auditor finds a fault of each rule of %s',
  async (service) => {
    expect(missing(await faultsIn(database(service), rules[service], KNOWN))).toEqual([]);
  },
  300_000,
);

/** Checks if two services differ in any key. */
const differ = (mine: ReadonlyMap<string, unknown>, theirs: ReadonlyMap<string, unknown>): boolean =>
  [...new Set([...mine.keys(), ...theirs.keys()])].some((key) => (mine.get(key) ?? null) !== (theirs.get(key) ?? null));

/** Plants a fault for a rule that compares two services. */
async function faultOfAgreement({ name, here, there }: CrossServiceCheck): Promise<boolean> {
  const theirs = await sideOf(database(there.service), there.sql);
  const rule = { name, sql: here.sql, breaks: (mine: ReadonlyMap<string, unknown>) => differ(mine, theirs) };
  return (await faultsIn(database(here.service), [rule], KNOWN)).get(name) !== undefined;
}

/** Plants a fault for a rule that orders the actions of two services: in the first action, or in its consequence. */
async function faultOfConsequence({ name, seen, before }: Consequence): Promise<boolean> {
  const lacks = (later: ReadonlyMap<string, unknown>, earlier: ReadonlyMap<string, unknown>) =>
    [...later].some(([key, value]) => earlier.get(key) !== value);
  const [later, earlier] = [
    await sideOf(database(seen.service), seen.sql),
    await sideOf(database(before.service), before.sql),
  ];
  const inFirst = { name, sql: before.sql, breaks: (rows: ReadonlyMap<string, unknown>) => lacks(later, rows) };
  const inSecond = { name, sql: seen.sql, breaks: (rows: ReadonlyMap<string, unknown>) => lacks(rows, earlier) };
  return (
    (await faultsIn(database(before.service), [inFirst])).get(name) !== undefined ||
    (await faultsIn(database(seen.service), [inSecond], KNOWN)).get(name) !== undefined
  );
}

test('the auditor finds a fault of each rule that compares two services', async () => {
  const unbroken = [];
  for (const rule of [...agreements, ...orderAgreements]) if (!(await faultOfAgreement(rule))) unbroken.push(rule.name);
  expect(unbroken).toEqual([]);
}, 300_000);

test('the auditor finds a violation of each rule about actions of two services', async () => {
  const unbroken = [];
  for (const rule of [...consequences, ...orderConsequences, ...references, ...stepRules])
    if (!(await faultOfConsequence(rule))) unbroken.push(rule.name);
  expect(unbroken).toEqual([]);
}, 600_000);
