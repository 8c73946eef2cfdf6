/** Steps that tests of payments in another currency than their invoice repeat. */
import { expect } from '@jest/globals';
import { expectCleanBooks } from './audit.ts';
import type { Company, openFinance } from './fixture.ts';
import { trading } from './trade.ts';

/** So much of an invoice, at a rate where the payment is in another currency. */
export interface Part {
  invoice_id: string;
  amount: string;
  rate?: string | null;
}

/** Money of a currency, and what one unit of it is worth in euros. */
export interface Funds {
  amount: string;
  currency: string;
  rate?: string;
  /** When it is paid; the tenth of March, where it is not said. */
  date?: string;
}

interface Line {
  account: { name: string };
  debit: string;
  credit: string;
  amount: string;
  currency: string;
}

/** The differences between the two sides of the books. */
export const SIDES = {
  sales: { cash: 'revenue', party: 'customer', parts: 'invoice_allocations', payments: 'customer-payments' },
  purchase: { cash: 'expense', party: 'vendor', parts: 'bill_allocations', payments: 'vendor-payments' },
} as const;
export type Trade = keyof typeof SIDES;

/** A company's view of its books. */
function reader({ owner }: Company) {
  const read = async (path: string) => (await owner.get(path)).body.data;
  return {
    read,
    /** The only payment of a side, with what it was set against. */
    payment: async (side: Trade) => (await read(`/api/${SIDES[side].payments}?expand=allocations`))[0],
    /** The lines of an entry, debits positive: `Trade receivables -90.00, USD 100.00`. */
    async booked(journal_id: string): Promise<string[]> {
      const entries = await read(`/api/journal-entries?expand=lines&per_page=100`);
      const { lines } = entries.find(({ id }: { id: string }) => id === journal_id) as { lines: Line[] };
      return lines.map(({ account, debit, credit, currency, amount }) => {
        const sign = debit === '0.00' ? '-' : '';
        return `${account.name} ${sign}${sign ? credit : debit}, ${currency} ${amount}`;
      });
    },
    /** The balance of an account of the ledger, by what the suite uses it for. */
    balance: async (role: string): Promise<string> => (await read(`/api/gl-accounts?system_role=${role}`))[0].balance,
    /** The auditor, the report of integrity and the trial balance find nothing wrong. */
    async expectSoundBooks(serving: Awaited<ReturnType<typeof openFinance>>['serving']) {
      await expectCleanBooks(serving);
      expect(await read('/api/accounting/integrity')).toMatchObject({
        sound: true,
        trial_balance: { difference: '0.00' },
      });
    },
  };
}

/** A company that keeps its books in euros and trades in other currencies. */
export function foreignCurrency(company: Company, inventory: Awaited<ReturnType<typeof openFinance>>['inventory']) {
  const { owner } = company;
  const trade = trading(company, inventory);
  const books = reader(company);
  /** The account of a currency, opened where there is none yet. */
  const bankIn = async (currency: string): Promise<string> => {
    const [known] = await books.read(`/api/bank-accounts?currency=${currency}&is_cash=false`);
    return (known ?? (await trade.bank({ account_name: currency, currency }))).id;
  };
  /** A document of money that settles these parts, as a draft. */
  const draft = async (side: Trade, party_id: string, { currency, ...money }: Funds, parts: readonly Part[]) => {
    const { cash, party, parts: field } = SIDES[side];
    const given = { bank_account_id: await bankIn(currency), [`${party}_id`]: party_id, [field]: parts };
    return cash === 'revenue' ? trade.revenue({ ...given, ...money }) : trade.expense({ ...given, ...money });
  };
  return {
    ...trade,
    ...books,
    bankIn,
    draft,
    /** The id of a posted invoice or bill of one line, on the first of March. */
    async invoiced(side: Trade, party_id: string, { amount, currency, rate }: Funds): Promise<string> {
      const lines = [{ description: 'Advice', qty: '1', unit_price: amount }];
      const facts = { [`${SIDES[side].party}_id`]: party_id, invoice_date: '2026-03-01', currency, lines };
      const { id } = (await trade.make(`${side}-invoice`, { ...facts, ...(rate && { rate }) })).body.data;
      expect(await trade.act(`${side}-invoice`, 'post', id)).toMatchObject({ status: 200 });
      return id;
    },
    /** Pays these parts on the tenth of March, and answers what posting did. */
    async pay(side: Trade, party_id: string, funds: Funds, parts: readonly Part[]) {
      const { cash } = SIDES[side];
      const written = await draft(side, party_id, funds, parts);
      expect(written).toMatchObject({ status: 201 });
      const { id } = written.body.data;
      await trade.act(`${cash}s`, 'approve', id);
      return await trade.act(`${cash}s`, 'post', id);
    },
    allocate: (side: Trade, payment_id: string, allocations: readonly Part[]) =>
      owner.post(`/api/${SIDES[side].payments}/allocate/${payment_id}`, { date: '2026-04-01', allocations }),
  };
}
