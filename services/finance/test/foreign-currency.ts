/** Steps shared by the tests of payments in another currency than their invoice. */
import { expect } from '@jest/globals';
import { expectCleanBooks } from './audit.ts';
import type { Company, openFinance } from './fixture.ts';
import { trading } from './trade.ts';

/** Amount of an invoice to pay, with a rate if the payment has another currency. */
export interface Part {
  invoice_id: string;
  amount: string;
  rate?: string | null;
}

/** Amount in a currency, with its euro rate. */
export interface Funds {
  amount: string;
  currency: string;
  rate?: string;
  /** Date of the payment. Defaults to 10 March. */
  date?: string;
}

interface Line {
  account: { name: string };
  debit: string;
  credit: string;
  amount: string;
  currency: string;
}

/** Differences between the two sides. */
export const SIDES = {
  sales: { cash: 'revenue', party: 'customer', parts: 'invoice_allocations', payments: 'customer-payments' },
  purchase: { cash: 'expense', party: 'vendor', parts: 'bill_allocations', payments: 'vendor-payments' },
} as const;
export type Trade = keyof typeof SIDES;

/** Returns functions that read a company's books. */
function reader({ owner }: Company) {
  const read = async (path: string) => (await owner.get(path)).body.data;
  return {
    read,
    /** Returns the only payment of a side with its allocations. */
    payment: async (side: Trade) => (await read(`/api/${SIDES[side].payments}?expand=allocations`))[0],
    /** Returns the lines of an entry, debits positive: `Trade receivables -90.00, USD 100.00`. */
    async booked(journal_id: string): Promise<string[]> {
      const entries = await read(`/api/journal-entries?expand=lines&per_page=100`);
      const { lines } = entries.find(({ id }: { id: string }) => id === journal_id) as { lines: Line[] };
      return lines.map(({ account, debit, credit, currency, amount }) => {
        const sign = debit === '0.00' ? '-' : '';
        return `${account.name} ${sign}${sign ? credit : debit}, ${currency} ${amount}`;
      });
    },
    /** Returns the balance of a ledger account, by its system role. */
    balance: async (role: string): Promise<string> => (await read(`/api/gl-accounts?system_role=${role}`))[0].balance,
    /** Checks that the auditor, the integrity report and the trial balance find no violation. */
    async expectSoundBooks(serving: Awaited<ReturnType<typeof openFinance>>['serving']) {
      await expectCleanBooks(serving);
      expect(await read('/api/accounting/integrity')).toMatchObject({
        sound: true,
        trial_balance: { difference: '0.00' },
      });
    },
  };
}

/** Returns the steps of a company with euro books and trade in other currencies. */
export function foreignCurrency(company: Company, inventory: Awaited<ReturnType<typeof openFinance>>['inventory']) {
  const { owner } = company;
  const trade = trading(company, inventory);
  const books = reader(company);
  /** Returns the bank account of a currency. Opens one if there is none. */
  const bankIn = async (currency: string): Promise<string> => {
    const [known] = await books.read(`/api/bank-accounts?currency=${currency}&is_cash=false`);
    return (known ?? (await trade.bank({ account_name: currency, currency }))).id;
  };
  /** Drafts a payment that settles these parts. */
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
    /** Creates a posted invoice or bill with one line, dated 1 March. Returns its ID. */
    async invoiced(side: Trade, party_id: string, { amount, currency, rate }: Funds): Promise<string> {
      const lines = [{ description: 'Advice', qty: '1', unit_price: amount }];
      const facts = { [`${SIDES[side].party}_id`]: party_id, invoice_date: '2026-03-01', currency, lines };
      const { id } = (await trade.make(`${side}-invoice`, { ...facts, ...(rate && { rate }) })).body.data;
      expect(await trade.act(`${side}-invoice`, 'post', id)).toMatchObject({ status: 200 });
      return id;
    },
    /** Pays these parts on 10 March. Returns the effects of posting. */
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
