import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { formatAmount, writeAmounts } from './amounts.ts';
import { BaseMoneyOut, MoneyOut, moneyOutIn, OuterMoneyOut } from './fields.ts';

const ZERO = { JPY: '0', EUR: '0.00', KWD: '0.000' };
const FIVE = { JPY: '5', EUR: '5.00', KWD: '5.000' };
const TENTH = { JPY: '5.1', EUR: '5.10', KWD: '5.100' };
const EXACT = { JPY: '0.1234', EUR: '0.1234', KWD: '0.1234' };
const NEGATIVE = { JPY: '-5', EUR: '-5.00', KWD: '-5.000' };
type Code = keyof typeof FIVE;
const codes = Object.keys(FIVE) as Code[];

describe('an amount', () => {
  test.each(codes)('has the decimal places of %s', (code) => {
    expect(
      ['0', '5', '5.00', '5.0000', '5.1', '5.1000', '0.1234', '-5.0000'].map((amount) => formatAmount(code, amount)),
    ).toEqual([ZERO, FIVE, FIVE, FIVE, TENTH, TENTH, EXACT, NEGATIVE].map((written) => written[code]));
  });
});

const Line = z.object({
  unit_price: MoneyOut,
  cost: BaseMoneyOut.nullable(),
  taxes: z.array(z.object({ amount: MoneyOut })),
});
interface Account {
  balance: string;
  children: Account[];
}
const Account: z.ZodType<Account> = z.object({
  balance: MoneyOut,
  get children() {
    return z.array(Account);
  },
});
const Document = z.object({
  total: MoneyOut,
  note: z.string(),
  lines: z.array(Line).optional(),
  by_code: z.record(z.string(), MoneyOut),
  settled: z.array(z.object({ currency: z.string(), amount: MoneyOut, taken: OuterMoneyOut })),
  received: moneyOutIn('received_currency'),
  received_currency: z.string(),
  accounts: z.union([z.array(Account), z.null()]),
});

const cases = codes.flatMap((own) => codes.flatMap((base) => codes.map((other) => ({ own, base, other }))));

describe('a response', () => {
  test.each(cases)('writes amounts in $own, the base currency $base and $other', ({ own, base, other }) => {
    const source = {
      currency: own,
      total: '5.0000',
      note: '5.0000',
      lines: [
        { unit_price: '5.1', cost: '5', taxes: [{ amount: '0' }] },
        { unit_price: '0.1234', cost: null, taxes: [] },
      ],
      by_code: { a: '5' },
      settled: [{ currency: other, amount: '5', taken: '5' }],
      received: '5',
      received_currency: other,
      accounts: [{ balance: '5', children: [{ balance: '0', children: [] }] }],
    };
    expect(writeAmounts(Document, Document.parse(source), source, base)).toEqual({
      total: FIVE[own],
      note: '5.0000',
      lines: [
        { unit_price: TENTH[own], cost: FIVE[base], taxes: [{ amount: ZERO[own] }] },
        { unit_price: '0.1234', cost: null, taxes: [] },
      ],
      by_code: { a: FIVE[own] },
      settled: [{ currency: other, amount: FIVE[other], taken: FIVE[own] }],
      received: FIVE[other],
      received_currency: other,
      accounts: [{ balance: FIVE[own], children: [{ balance: ZERO[own], children: [] }] }],
    });
  });

  test.each(codes)('writes amounts without a currency in the base currency %s', (base) => {
    const Sum = z.object({ total: MoneyOut });
    expect(writeAmounts(Sum, Sum.parse({ total: '5' }), {}, base)).toEqual({ total: FIVE[base] });
  });

  test('writes amounts without any currency with at least two decimals', () => {
    const Sum = z.object({ total: MoneyOut });
    expect(writeAmounts(Sum, Sum.parse({ total: '5' }), {}, undefined)).toEqual({ total: '5.00' });
  });
});
