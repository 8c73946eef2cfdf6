import { describe, expect, test } from '@jest/globals';
import { assertResponseMatches, assertDocumentsMatch, assertStepMatches } from './agreement.ts';
import { type ActualResponse, type Attempt, rejection } from '../state/attempt.ts';
import type { Company } from './company.ts';
import { ExactDecimal, NOTHING } from '../state/exact-decimal.ts';
import type { Cash, Invoice, Model } from '../state/model.ts';

/** Tests the comparison with a company that returns any response, to prove that it detects every difference. */
const tried: Attempt = { service: 'finance', method: 'POST', path: '/api/try', status: 200 };
const empty = (): Model => ({
  warehouses: ['w'],
  taxes: [],
  customers: [],
  vendors: [],
  products: [],
  levels: new Map(),
  invoices: [],
  returns: [],
  cash: [],
  transfers: [],
  ledger: new Map(),
  numbers: new Map(),
  locks: new Map(),
  unsettled: false,
  places: { revenue_category: '', expense_category: '', till: '' },
});
const company = (answers: Record<string, ActualResponse> = {}): Company => {
  const given: Record<string, ActualResponse> = {
    trial: { accounts: [], difference: '0.00' },
    integrity: { sound: true },
    ...answers,
  };
  const of = (path: string) => Object.entries(given).find(([part]) => path.includes(part))?.[1];
  return {
    workspace_id: '',
    send: () => Promise.reject(new Error('This company sends no requests.')),
    show: (_, path) => Promise.resolve(of(path)),
    all: (_, path) => Promise.resolve(of(path) ?? []),
  };
};
const stocked = (): Model => ({
  ...empty(),
  levels: new Map([
    ['p w', { product_id: 'p', warehouse_id: 'w', on_hand: new ExactDecimal(2), value: new ExactDecimal(7) }],
  ]),
});
const level = {
  product_id: 'p',
  warehouse_id: 'w',
  on_hand: '2',
  reserved: '0',
  available: '2',
  value: '7.00',
  average_cost: '3.50',
};
const invoice = (): Invoice => ({
  side: 'sales',
  id: 'i',
  party_id: 'c',
  date: '2026-03-02',
  warehouse_id: 'w',
  discount: null,
  lines: [],
  totals: {
    subtotal: NOTHING,
    discount_total: NOTHING,
    net_total: NOTHING,
    tax_total: NOTHING,
    total: new ExactDecimal(9),
  },
  status: 'posted',
  number: 'INV-2026-00001',
  settlements: [],
});

describe('the comparison of a company with its model', () => {
  test.each([
    ['another status', { ...tried, status: 201 }, {}],
    ['another reason', { ...tried, ...rejection('over_allocated', 200) }, { code: 'in_use' }],
    [
      'other details',
      { ...tried, ...rejection('over_allocated', 200, { open: '1.00' }) },
      { code: 'over_allocated', details: { open: '2.00' } },
    ],
    [
      'another record',
      { ...tried, shows: () => ({ lines: [{ net: '1.00' }] }) },
      { data: { lines: [{ net: '1.01' }] } },
    ],
    ['a line more', { ...tried, shows: () => ({ lines: [] }) }, { data: { lines: [{}] } }],
  ])('notices %s', (_, attempt, body) => {
    expect(() => assertResponseMatches('a try', attempt, { status: 200, body })).toThrow('a try at /api/try');
  });

  test.each([
    ['a trial balance that is not zero', empty(), { trial: { accounts: [], difference: '0.01' } }],
    [
      'an unexpected booking',
      empty(),
      { trial: { accounts: [{ code: '1010', balance: '1.00' }], difference: '0.00' } },
    ],
    ['a booking that is missing', { ...empty(), ledger: new Map([['1010', new ExactDecimal(1)]]) }, {}],
    ['missing goods', stocked(), {}],
    ['goods out of nowhere', empty(), { stocks: [level] }],
    ['goods at another value', stocked(), { stocks: [{ ...level, value: '7.01' }] }],
    ['goods at another average', stocked(), { stocks: [{ ...level, average_cost: '3.51' }] }],
    ['reserved goods', stocked(), { stocks: [{ ...level, reserved: '1' }] }],
  ])('notices %s', async (_, model, answers) => {
    await expect(assertStepMatches(company(answers), model, tried)).rejects.toThrow(/^The (?:trial balance|shelves):/);
  });

  test('reports an underpaid invoice, and nothing else', async () => {
    const touched = { ...tried, touches: [invoice()] };
    const shown = { balance_due: '8.99' };
    await expect(assertStepMatches(company({ 'sales-invoice': shown }), empty(), touched)).rejects.toThrow(
      'balance_due is "8.99"',
    );
    await expect(assertStepMatches(company({ stocks: [level] }), stocked(), tried)).resolves.toBeUndefined();
  });

  test('notices unknown documents, and books that fail the integrity check', async () => {
    const cash = { kind: 'revenue', id: 'r', status: 'draft', number: null, payment: null } as Cash;
    await expect(assertDocumentsMatch(company({ expenses: [{ id: 'e' }] }), empty())).rejects.toThrow('/api/expenses');
    await expect(assertDocumentsMatch(company(), { ...empty(), cash: [cash] })).rejects.toThrow('/api/revenues');
    await expect(assertDocumentsMatch(company({ integrity: { sound: false } }), empty())).rejects.toThrow('Integrity');
    await expect(assertDocumentsMatch(company(), empty())).resolves.toBeUndefined();
  });
});
