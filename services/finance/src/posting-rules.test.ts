import { describe, expect, test } from '@jest/globals';
import { compare, sum, toBase } from '@suite/money';
import fc from 'fast-check';
import { type TransferredAmounts, type TransferSide, transferLines } from './banking/banking/transfer.rules.ts';
import { toBaseCurrency } from './ledger/ledger/journal.rules.ts';
import { expenseLines, revenueLines } from './cash/revenues-expenses/cash.rules.ts';
import { adjustmentLines } from './ledger/stock/stock.rules.ts';
import { posRefundLines, posOrderLines } from './banking/pos-orders/pos-order.rules.ts';
import {
  RUNS,
  BASE,
  currencies,
  amountOf,
  expectBalanced,
  customer,
  vendor,
  accounts,
  parts,
  inTerms,
} from '../test/balanced-entries.ts';

describe('a posting rule', () => {
  test('balances revenues and expenses', () => {
    fc.assert(
      fc.property(
        inTerms(({ currency }) => parts(currency)),
        ([terms, figures]) => {
          fc.pre(
            compare(toBase(figures.net, terms.rate, BASE), '0') > 0 &&
              compare(toBase(figures.tax_amount, terms.rate, BASE), '0') > 0,
          );
          expectBalanced(toBaseCurrency(revenueLines(accounts, figures, customer), terms));
          expectBalanced(toBaseCurrency(expenseLines(accounts, figures, { party: vendor, project_id: null }), terms));
        },
      ),
      RUNS,
    );
  });

  test('balances POS orders and stock adjustments', () => {
    fc.assert(
      fc.property(parts(BASE), amountOf(BASE), fc.boolean(), ({ net, tax_amount, amount }, cost, falls) => {
        const terms = { currency: BASE, rate: '1', base_currency: BASE };
        const payments = [{ method: 'cash', amount }];
        const taxes = [{ tax_id: '', amount: tax_amount }];
        const usual = { income_account_id: null, expense_account_id: null, stock_account_id: null, cost };
        const own = { ...usual, stock_account_id: 'own stock', net: '0' };
        const figures = { taxes, payments, party: null, shares: [{ ...usual, net }, own] };
        const [sale, refund] = [posOrderLines(figures, BASE), posRefundLines(figures, BASE)].map((s) =>
          toBaseCurrency(s, terms),
        );
        expectBalanced(sale!);
        expectBalanced(refund!);
        expect(
          refund!.map(({ account, side, base }) => [account, side === 'debit' ? 'credit' : 'debit', base]),
        ).toEqual(sale!.map(({ account, side, base }) => [account, side, base]));
        expectBalanced(
          toBaseCurrency(adjustmentLines(falls ? `-${cost}` : cost, 'stock_adjustment', 'inventory'), terms),
        );
      }),
      RUNS,
    );
  });

  test('balances transfers, with a fee, also between currencies', () => {
    fc.assert(
      fc.property(currencies, currencies, fc.boolean(), fc.nat(), (of, to, isWon, seed) => {
        const amount = (currency: string, at: number) =>
          fc.sample(amountOf(currency), { seed: seed + at, numRuns: 1 })[0]!;
        const side = (id: string, currency: string): TransferSide => ({
          id,
          gl_account_id: id,
          account_name: id,
          currency,
          active: true,
          amount: '0',
          base: '0',
        });
        const sent = amount(of, 1);
        const fee = amount(of, 2);
        const value = of === BASE ? sent : amount(BASE, 3);
        const arrives = to === BASE || of === to ? value : isWon ? sum([value, '1.00'], BASE) : value;
        const moved: TransferredAmounts = {
          amount: sent,
          fee,
          amount_base: value,
          fee_base: of === BASE ? fee : amount(BASE, 4),
          received: of === to ? sent : to === BASE ? arrives : amount(to, 5),
          received_base: arrives,
        };
        const terms = { currency: of, rate: '1', base_currency: BASE };
        expectBalanced(toBaseCurrency(transferLines(side('a', of), side('b', to), moved, BASE), terms));
      }),
      RUNS,
    );
  });
});
