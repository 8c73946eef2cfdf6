/** Payrolls of the demo: the month before last is paid, last month is approved, and this month is a draft. */
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis/runtime';
import type { DemoCaller } from './http-caller.ts';

const TRIES = 120;
const WAIT_MS = 500;
/** More than all employees earn in a month. */
const WAGES = '900000.00';

/** Returns the first and the last day of the month this many months ago. */
function monthOf(now: Date, ago: number): { period_start: string; period_end: string } {
  const day = (month: number, date: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10);
  const month = now.getUTCMonth() - ago;
  return { period_start: day(month, 1), period_end: day(month + 1, 0) };
}

/** Calculates a run. @returns true if all employees in it can be paid */
async function isCalculated(clerk: DemoCaller, id: string): Promise<boolean> {
  await clerk.post(`/api/payroll/run/${id}`);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const [run] = await clerk.get<{ status: string }[]>(`/api/payrolls?id[in]=${id}`);
    if (run?.status !== 'processing') return run?.status === 'calculated';
    await pause(WAIT_MS);
  }
  return false;
}

/**
 * Pays the employees of the demo, if the plan includes payroll and no payroll exists yet.
 * @param owner approves and pays the payrolls
 * @param clerk starts the runs
 */
export async function payPeople(owner: DemoCaller, clerk: DemoCaller): Promise<void> {
  const now = clock.now();
  const people = await clerk.get<object[]>('/api/employees?per_page=1').catch(() => []);
  const runs = people.length > 0 ? await clerk.get<object[]>('/api/payrolls?per_page=1').catch(() => []) : [];
  if (people.length === 0 || runs.length > 0) return;
  const draft = async (ago: number) => {
    const span = monthOf(now, ago);
    return { ...span, ...(await clerk.post('/api/payroll/create', { ...span, pay_date: span.period_end })) };
  };
  const approve = async (id: string) => {
    const path = `/api/payroll/approve/${id}`;
    // Days of employees who moved are counted again in the meantime. A run that was calculated before cannot be
    // approved.
    if ((await isCalculated(clerk, id)) && (await owner.tried(path))) return true;
    if (!(await isCalculated(clerk, id))) return false;
    await owner.post(path);
    return true;
  };
  const [paid, approved] = [await draft(2), await draft(1)];
  if (await approve(paid.id)) {
    const { id: bank_account_id } = await owner.post('/api/bank-accounts/create', {
      bank_name: 'Harbour Bank',
      account_name: 'Wages',
      account_number: 'DE02 1203 0000 0000 2020 51',
      opening_balance: WAGES,
      opening_date: paid.period_start,
    });
    const payment = { bank_account_id, paid_on: paid.period_end, method: 'file' };
    await owner.post(`/api/payroll/pay/${paid.id}`, payment);
  }
  await approve(approved.id);
  await draft(0);
}
