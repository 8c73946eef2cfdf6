/** What tests of cash and reports write down again and again. */
import { randomUUID } from 'node:crypto';
import { booked, credit, debit } from '../src/ledger/recipe.ts';
import { postEntry } from '../src/ledger/journal.ts';
import { openItem } from '../src/ledger/open-item.ts';
import type { Company } from './ground.ts';

type Body = Record<string, unknown>;

/** Calls that a company makes, and what they answer. */
export function clerk({ boss, work }: Company) {
  const post = async (path: string, body: Body = {}) => (await boss.post(path, body)).body.data;
  const first = async (path: string) => (await boss.get(path)).body.data[0].id as string;
  return {
    customer: (body: Body = {}) => post('/api/customers/create', { name: 'Initech', ...body }),
    vendor: (body: Body = {}) => post('/api/vendors/create', { name: 'Globex', ...body }),
    bank: (body: Body = {}) =>
      post('/api/bank-accounts/create', { bank_name: 'Example Bank', account_name: 'Main', ...body }),
    revenueCategory: (name = 'Services') => first(`/api/revenue-categories?name=${name}`),
    expenseCategory: (name = 'Rent') => first(`/api/expense-categories?name=${name}`),
    /** An invoice as finance's other half posts it: a claim, its entry, and nothing else. */
    async invoice(
      customer_id: string,
      total: string,
      more: { date?: string; due_date?: string; currency?: string; rate?: string; base?: string } = {},
    ) {
      const { date = '2026-03-01', due_date = '2026-03-31', currency = 'EUR', rate = '1', base = total } = more;
      const document_id = randomUUID();
      const party = { kind: 'customer' as const, id: customer_id };
      await work(async ({ db }) => {
        const open_item_id = await openItem(db, {
          ...{ kind: 'claim', party, document_type: 'sales_invoice', document_id, number: 'INV', role: 'receivable' },
          ...{ date, due_date, currency, rate, amount: total, base_amount: base },
        });
        await postEntry(db, {
          ...{ date, scope: 'sales', source_type: 'sales_invoice', source_id: document_id, purpose: 'post' },
          narration: 'An invoice',
          lines: booked([debit('receivable', total, { open_item_id, party }), credit('sales', total)], {
            ...{ currency, rate, base_currency: 'EUR' },
          }),
        });
      });
      return document_id;
    },
  };
}
