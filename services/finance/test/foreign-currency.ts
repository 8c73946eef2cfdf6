/** Steps shared by the tests of payments in another currency than their invoice. */
import { expect } from '@jest/globals';
import { expectCleanBooks } from './audit.ts';
import type { Company, openFinance } from './fixture.ts';
import { tradingSteps } from './trade.ts';

/** Amount of an invoice to pay, with a rate if the payment has another currency. */
export interface InvoiceAmount {
  invoice_id: string;
  amount: string;
  rate?: string | null;
}

/** Amount in a currency, with its euro rate. */
export interface CurrencyAmount {
  amount: string;
  currency: string;
  rate?: string;
  /** Date of the payment. Defaults to 10 March. */
  date?: string;
}

interface PostedLine {
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
export type Side = keyof typeof SIDES;

/** Returns functions that read a company's books. */
function booksReader({ owner }: Company) {
  const read = async (path: string) => (await owner.get(path)).body.data;
  return {
    read,
    /** Returns the only payment of a side with its allocations. */
    payment: async (side: Side) => (await read(`/api/${SIDES[side].payments}?expand=allocations`))[0],
    /** Returns the lines of an entry, debits positive: `Trade receivables -90.00, USD 100.00`. */
    async readEntryLines(journal_id: string): Promise<string[]> {
      const entries = await read(`/api/journal-entries?expand=lines&per_page=100`);
      const { lines } = entries.find(({ id }: { id: string }) => id === journal_id) as { lines: PostedLine[] };
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
export function foreignCurrencySteps(
  company: Company,
  inventory: Awaited<ReturnType<typeof openFinance>>['inventory'],
) {
  const { owner } = company;
  const trade = tradingSteps(company, inventory);
  const books = booksReader(company);
  /** Returns the bank account of a currency. Opens one if there is none. */
  const findOrOpenBank = async (currency: string): Promise<string> => {
    const [known] = await books.read(`/api/bank-accounts?currency=${currency}&is_cash=false`);
    return (known ?? (await trade.bank({ account_name: currency, currency }))).id;
  };
  /** Drafts a payment that settles these parts. */
  const draft = async (
    side: Side,
    party_id: string,
    { currency, ...money }: CurrencyAmount,
    parts: readonly InvoiceAmount[],
  ) => {
    const { cash, party, parts: field } = SIDES[side];
    const given = { bank_account_id: await findOrOpenBank(currency), [`${party}_id`]: party_id, [field]: parts };
    return cash === 'revenue' ? trade.revenue({ ...given, ...money }) : trade.expense({ ...given, ...money });
  };
  return {
    ...trade,
    ...books,
    findOrOpenBank,
    draft,
    /** Posts an invoice or bill of one line of advice without tax, dated 1 March 2026. Returns its ID. */
    async createInvoice(side: Side, party_id: string, { amount, currency, rate }: CurrencyAmount): Promise<string> {
      const lines = [{ description: 'Advice', qty: '1', unit_price: amount }];
      const facts = { [`${SIDES[side].party}_id`]: party_id, invoice_date: '2026-03-01', currency, lines };
      const { id } = (await trade.make(`${side}-invoice`, { ...facts, ...(rate && { rate }) })).body.data;
      expect(await trade.act(`${side}-invoice`, 'post', id)).toMatchObject({ status: 200 });
      return id;
    },
    /** Pays these parts on 10 March. Returns the effects of posting. */
    async pay(side: Side, party_id: string, funds: CurrencyAmount, parts: readonly InvoiceAmount[]) {
      const { cash } = SIDES[side];
      const written = await draft(side, party_id, funds, parts);
      expect(written).toMatchObject({ status: 201 });
      const { id } = written.body.data;
      await trade.act(`${cash}s`, 'approve', id);
      return await trade.act(`${cash}s`, 'post', id);
    },
    /** Allocates a payment on 1 April 2026. */
    allocate: (side: Side, payment_id: string, allocations: readonly InvoiceAmount[]) =>
      owner.post(`/api/${SIDES[side].payments}/allocate/${payment_id}`, { date: '2026-04-01', allocations }),
  };
}
