import { randomUUID } from 'node:crypto';
import { methodConformance } from '@suite/testing';
import { openFinance } from '../../test/fixture.ts';
import { financeRpc } from './finance.rpc.ts';

const { serving, company } = await openFinance();

const line = (value: string, debit: string, credit: string) => ({
  account: { $case: 'system_role' as const, value },
  debit,
  credit,
  memo: '',
});

methodConformance({
  name: 'finance',
  serving,
  served: financeRpc,
  idempotent: {
    async postJournal() {
      const { owner } = await company();
      const request = {
        idempotency_key: randomUUID(),
        date: '2026-03-31',
        source_type: 'payroll',
        source_id: randomUUID(),
        purpose: 'approve',
        narration: 'March',
        lines: [line('salaries_expense', '100', ''), line('salaries_payable', '', '100')],
      };
      return { caller: owner.caller, request, other: { ...request, narration: 'April' } };
    },
    async reverseJournal() {
      const { owner } = await company();
      const request = { idempotency_key: randomUUID(), date: '' };
      return { caller: owner.caller, request, other: { ...request, date: '2026-04-01' } };
    },
    async recordPayout() {
      const { owner } = await company();
      const [cash] = (await owner.get('/api/bank-accounts')).body.data;
      const request = {
        idempotency_key: randomUUID(),
        date: '2026-03-31',
        source_type: 'payroll',
        source_id: randomUUID(),
        purpose: 'pay.1',
        narration: 'March',
        bank_account_id: cash.id,
        system_role: 'salaries_payable',
        amount: '100.00',
        currency: 'EUR',
        base_amount: '',
        counterparty: '',
        reference: '',
      };
      return { caller: owner.caller, request, other: { ...request, amount: '100.01' } };
    },
    async reversePayout() {
      const { owner } = await company();
      const request = { idempotency_key: randomUUID(), date: '' };
      return { caller: owner.caller, request, other: { ...request, date: '2026-04-01' } };
    },
    async createDraftInvoice() {
      const { owner } = await company();
      const customer = await owner.post('/api/customers/create', { name: 'Northwind' });
      const request = {
        idempotency_key: randomUUID(),
        customer_id: customer.body.data.id,
        invoice_date: '',
        currency: '',
        warehouse_id: '',
        reference: '',
        notes: '',
        proposal_id: '',
        sales_order_id: '',
        lines: [{ product_id: '', description: 'Advice', qty: '1', unit_price: '100', taxes: [] }],
      };
      return { caller: owner.caller, request, other: { ...request, currency: 'USD' } };
    },
    async stopInvoicing() {
      const { owner } = await company();
      const stop = { sales_order_id: randomUUID(), sequence: 1, unless_invoiced: false };
      const request = { idempotency_key: randomUUID(), ...stop };
      return { caller: owner.caller, request, other: { ...request, sequence: 2 } };
    },
    async changeBooks() {
      const { owner } = await company();
      const change = { base_currency: 'USD', fiscal_year_start: '', known_fiscal_year_start: '01-01' };
      const request = { idempotency_key: randomUUID(), ...change };
      return { caller: owner.caller, request, other: { ...request, base_currency: 'CHF' } };
    },
    async deleteDraftInvoice() {
      const { owner } = await company();
      const request = { idempotency_key: randomUUID(), source_id: randomUUID() };
      return { caller: owner.caller, request, other: { ...request, source_id: randomUUID() } };
    },
  },
});
