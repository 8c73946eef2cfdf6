import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pagesOf, freezeClock } from '@suite/testing';
import { foreignCurrencySteps, SIDES } from '../../../test/foreign-currency.ts';
import { openFinance } from '../../../test/fixture.ts';
import type { Side } from '../../invoices/documents/side.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  freezeClock('2026-06-01T10:00:00Z');
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const [dollars, euros] = [
  { amount: '100.00', currency: 'USD', rate: '0.90' },
  { amount: '50.00', currency: 'EUR' },
];

/**
 * Creates a dollar customer with a document in each of two currencies, who paid 70 of 100 dollars, 10 of them in
 * advance.
 */
async function trader(side: Side): Promise<string> {
  const terms = { currency: 'USD', credit_limit: '100.00' };
  const { id } = await (side === 'sales' ? office.customer(terms) : office.vendor(terms));
  const invoice_id = await office.createInvoice(side, id, dollars);
  await office.createInvoice(side, id, euros);
  await office.pay(side, id, { amount: '70.00', currency: 'USD', rate: '0.95' }, [{ invoice_id, amount: '60.00' }]);
  return id;
}

type StatementLine = Record<
  'currency' | 'debit' | 'credit' | 'balance' | 'base_debit' | 'base_credit' | 'base_balance',
  string
>;
/**
 * Converts a statement line so that the increase of the balance is first: the debit of a customer, the credit of a
 * vendor.
 */
const toComparableLine = (side: Side) => (line: StatementLine) => {
  const [grows, falls] = side === 'sales' ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const);
  const base = `${line[`base_${grows}`]} ${line[`base_${falls}`]} ${line.base_balance}`;
  return `${line.currency} ${line[grows]} ${line[falls]} ${line.balance}, ${base}`;
};

describe.each(['sales', 'purchase'] as const)('a statement of a party that trades in dollars (%s)', (side) => {
  const { party } = SIDES[side];
  const statement = async (id: string, span: string) =>
    await office.read(`/api/accounting/${party}-statement/${id}?${span}`);

  test('has a balance for each currency, and the total in base currency', async () => {
    const id = await trader(side);
    const usd = { currency: 'USD', balance: '30.00', overdue_balance: '40.00', base_balance: '26.50' };
    const eur = { currency: 'EUR', balance: '50.00', overdue_balance: '50.00', base_balance: '50.00' };
    expect(await office.read(`/api/${party}s`)).toMatchObject([
      {
        id,
        currency: 'USD',
        balance: '30.00',
        overdue_balance: '40.00',
        credit_available: '23.50',
        base_balance: '76.50',
        base_overdue_balance: '86.00',
        balances: [
          { ...eur, base_overdue_balance: '50.00' },
          { ...usd, base_overdue_balance: '36.00' },
        ],
      },
    ]);
  });

  test('has a statement in the document currencies and the base currency', async () => {
    const id = await trader(side);
    const payment = await office.payment(side);
    const [{ invoice_id }] = payment.allocations;
    await office.allocate(side, payment.id, [{ invoice_id, amount: '10.00' }]);
    const { lines, ...shown } = await statement(id, 'from=2026-03-02&to=2026-05-31');
    expect(lines.map(toComparableLine(side))).toEqual([
      'USD 0.00 70.00 30.00, 0.00 63.50 76.50',
      'USD 0.00 0.00 30.00, 0.50 0.00 77.00',
    ]);
    expect(shown).toMatchObject({
      currency: 'USD',
      opening_balance: '100.00',
      closing_balance: '30.00',
      base_currency: 'EUR',
      base_opening_balance: '140.00',
      base_closing_balance: '77.00',
      balances: [
        { currency: 'USD', opening_balance: '100.00', closing_balance: '30.00', base_closing_balance: '27.00' },
        { currency: 'EUR', opening_balance: '50.00', closing_balance: '50.00', base_closing_balance: '50.00' },
      ],
    });
    expect((await statement(id, 'from=2026-01-01&to=2026-03-01')).lines.map(toComparableLine(side))).toEqual([
      'USD 100.00 0.00 100.00, 90.00 0.00 90.00',
      'EUR 50.00 0.00 50.00, 50.00 0.00 140.00',
    ]);
  });

  test('is printed for a customer, without exchange differences', async () => {
    if (side === 'purchase') return;
    const id = await trader(side);
    const payment = await office.payment(side);
    await office.allocate(side, payment.id, [{ invoice_id: payment.allocations[0].invoice_id, amount: '10.00' }]);
    const path = `/api/accounting/customer-statement/${id}?from=2026-03-02&to=2026-05-31`;
    const printed = await ours.owner.get(path, { headers: { accept: 'application/pdf' } });
    const text = (await pagesOf(printed.content)).join('\n');
    expect(text).toContain('Statement of account');
    expect(text.match(/[\d.]+ 30\.00\n/g)).toEqual(['70.00 30.00\n']);
    for (const balance of ['Closing balance 50.00 EUR', 'Opening balance 100.00 USD', 'Closing balance 30.00 USD'])
      expect(text).toContain(balance);
  });

  test('has an advance if they pay before the date of an invoice', async () => {
    const { id } = await (side === 'sales' ? office.customer() : office.vendor());
    const invoice_id = await office.createInvoice(side, id, euros);
    await office.pay(side, id, { ...euros, date: '2026-02-10' }, [{ invoice_id, amount: '50.00' }]);
    const aged = async (day: string) => await office.read(`/api/accounting/ageing?kind=${party}&as_of=${day}`);
    expect(await aged('2026-02-20')).toMatchObject({
      parties: [{ id, not_due: '0.00', credits: '50.00', total: '-50.00' }],
    });
    expect((await aged('2026-03-01')).parties).toEqual([]);
  });

  test('has an ageing report for each currency', async () => {
    const id = await trader(side);
    const aged = await office.read(`/api/accounting/ageing?kind=${party}&as_of=2026-05-15`);
    expect(aged).toMatchObject({
      totals: { days_31_60: '86.00', credits: '9.50', total: '76.50' },
      parties: [
        {
          id,
          days_31_60: '86.00',
          credits: '9.50',
          total: '76.50',
          by_currency: [
            { currency: 'EUR', days_31_60: '50.00', credits: '0.00', total: '50.00' },
            { currency: 'USD', days_31_60: '40.00', credits: '10.00', total: '30.00' },
          ],
        },
      ],
    });
  });
});
