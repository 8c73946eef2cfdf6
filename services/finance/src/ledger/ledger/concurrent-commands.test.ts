import { describe, expect, test } from '@jest/globals';
import { memberOf, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { booksFixture } from '../../../test/books.ts';
import { openFinance } from '../../../test/fixture.ts';

const { serving, others, company } = await openFinance({ replicas: 2 });

/** Returns the number of deadlocks that PostgreSQL has resolved in this database. */
const deadlocks = async (): Promise<number> =>
  Number((await serving.sql`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`)[0]!.deadlocks);

describe('concurrent requests of all kinds to two replicas', () => {
  test('lose no cent, leave no gap in numbers, and cause no deadlock', async () => {
    const ours = await company();
    const office = booksFixture(ours);
    const second = memberOf({ name: 'finance', url: others[0]!.url, gateway: serving.gateway }, ours.owner.caller);
    const opening = { opening_balance: '1000.00', opening_date: '2026-01-01' };
    const [bank, other] = [await office.bank(opening), await office.bank({ account_name: 'Second', ...opening })];
    const [customer, vendor] = [await office.customer(opening), await office.vendor(opening)];
    const invoice = { invoice_id: customer.opening_balance_id, amount: '3.00' };
    const bill = { invoice_id: vendor.opening_balance_id, amount: '4.00' };
    const inOne = { bank_account_id: bank.id, customer_id: customer.id };
    const foreignInvoice = await office.invoice(customer.id, '20.00', { currency: 'USD', rate: '0.90', base: '18.00' });
    const dollar = { invoice_id: foreignInvoice, amount: '1.00', rate: '0.93' };
    const path = async (at: number) => {
      if (at >= 60) {
        return `revenues/post/${await office.approvedRevenue({ ...inOne, amount: '0.93', invoice_allocations: [dollar] })}`;
      }
      if (at % 5 === 0) return `revenues/post/${await office.approvedRevenue({ ...inOne, amount: '5.00' })}`;
      if (at % 5 === 1) {
        return `revenues/post/${await office.approvedRevenue({ ...inOne, amount: '3.00', invoice_allocations: [invoice] })}`;
      }
      if (at % 5 === 2) {
        const paid = { bank_account_id: other.id, amount: '4.00', vendor_id: vendor.id, bill_allocations: [bill] };
        return `expenses/post/${await office.approvedExpense(paid)}`;
      }
      return at % 5 === 3 ? 'bank-transfers/create' : 'customers/create';
    };
    const paths: string[] = [];
    for (let at = 0; at < 80; at += 1) paths.push(await path(at));
    const before = await deadlocks();
    const replies = await runConcurrently(80, (at) => {
      const [from_account_id, to_account_id] = at % 2 ? [bank.id, other.id] : [other.id, bank.id];
      const transfer = { from_account_id, to_account_id, amount: '2.00', date: '2026-03-10' };
      const bodies = { 'bank-transfers/create': transfer, 'customers/create': { name: `Customer ${at}`, ...opening } };
      const member = at % 3 ? ours.owner : second;
      return member.post(`/api/${paths[at]}`, bodies[paths[at] as keyof typeof bodies]);
    });
    expect(replies.filter(({ status }) => status >= 300).map(({ body }) => body)).toEqual([]);
    expect(await deadlocks()).toBe(before);
    const { data: banks } = (await ours.owner.get('/api/bank-accounts?is_cash=false&sort=created_at')).body;
    expect(banks.map(({ current_balance }: { current_balance: string }) => current_balance)).toEqual([
      '1114.60',
      '952.00',
    ]);
    await expectCleanBooks(serving);
  });
});
