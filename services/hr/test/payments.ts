/** Steps shared by tests of approvals and payments: a run of three employees, with its approver. */
import { type Member, setUpFixture, freezeClock } from '@suite/testing';
import type { TestWorkspace } from './fixture.ts';
import { openPayroll, type PayrollFixture } from './payroll.ts';
import { findOpenPayouts, finishPayouts } from '../src/payroll/employee-loans/loan-payout.ts';
import { findOpen, finishPostings } from '../src/payroll/payroll-postings/posting-step.ts';
import { connectRpc } from '@suite/chassis/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { keysOf } from '@suite/testing';

type ParsedJson = ReturnType<typeof JSON.parse>;

/** German bank account of test employees. */
export const account = {
  bank_name: 'Example Bank',
  holder: 'Ada Lovelace',
  account_number: 'DE02120300000000202051',
  bank_code: 'BYLADEM1001',
};

/** Workspace with one user who runs the payroll, and another who approves and pays it. */
export interface PaymentFixture extends PayrollFixture {
  /** User who approves, pays and reverses the run, but did not run it. */
  approver: Member;
  /** Bank account that the money is paid from. */
  bank_account_id: string;
  /** Calculates the June run of these employees and returns it. */
  calculated(): Promise<ParsedJson>;
  /** Calculates and approves the June run. */
  approved(): Promise<ParsedJson>;
  /** Pays a run, by default all of its payslips. */
  pay(id: string, more?: object, query?: string): ReturnType<Member['post']>;
}

/** Starts the service, and creates workspaces with paid employees. */
export async function openPaymentFixture() {
  const hr = await openPayroll();
  const { serving, finance } = hr;
  const address = () => serving.tools.config.addresses['finance']!;
  /** Completes pending postings in finance, as the schedule does. */
  async function sweep(): Promise<void> {
    const rpc = connectRpc({ finance: { definition: FinanceServiceDefinition, address: address() } }, keysOf('hr'));
    const tools = { log: serving.tools.log, database: serving.database } as never;
    await finishPostings(tools, (caller) => rpc.as(caller, ''), await findOpen(tools));
    await finishPayouts(tools, (caller) => rpc.as(caller, ''), await findOpenPayouts(tools));
    rpc.close();
  }

  async function createPaymentFixture(): Promise<PaymentFixture> {
    const acme = await hr.payroll();
    const approver = (acme as TestWorkspace).member({ kind: 'owner', name: 'The boss' });
    const bank_account_id = finance.ledger.source();
    const calculated = async () => await acme.run(await acme.draft());
    return {
      ...acme,
      approver,
      bank_account_id,
      calculated,
      async approved() {
        const run = await calculated();
        const reply = await approver.post(`/api/payroll/approve/${run.id}`, {});
        if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
        return await acme.show(run.id);
      },
      pay: (id, more = {}, query = '') =>
        approver.post(`/api/payroll/pay/${id}${query}`, {
          bank_account_id,
          paid_on: '2026-06-30',
          method: 'file',
          ...more,
        }),
    };
  }
  return { ...hr, paying: createPaymentFixture, sweep };
}

/** Sets the clock to the last day of June. Creates a workspace and a new fake of finance for each test. */
export async function openPaymentDay() {
  const opened = await openPaymentFixture();
  const { ledger, trouble } = opened.finance;
  const clock = setUpFixture(async () => freezeClock('2026-06-30T12:00:00Z'));
  const acme = setUpFixture(async () => {
    for (const store of [ledger.journals, ledger.payouts, ledger.reconciled]) store.clear();
    trouble.length = 0;
    Object.assign(ledger.locked, { through: '', scope: 'all' });
    return await opened.paying();
  });
  /** Creates an employee with a given monthly salary and no components. */
  const hire = (name: string, amount: string) =>
    acme.hire({ name, salary: { basis: 'monthly', amount }, bank: { ...account, holder: name } });
  return {
    ...opened,
    acme,
    clock,
    hire,
    /** Hires three employees for 3,000.00, 2,000.00 and 1,000.00 a month, one with Polish characters in the name. */
    hireThree: async () => [
      await hire('Jürgen Müller', '3000.00'),
      await hire('Łukasz Gięć', '2000.00'),
      await hire('Ada Lovelace', '1000.00'),
    ],
    entriesOf: async (id: string): Promise<Record<string, string>[]> => (await acme.show(id)).entries,
  };
}
