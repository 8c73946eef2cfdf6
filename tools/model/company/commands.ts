/** Operations for a company, in any order and with random values. fast-check chooses them, and shrinks a failure. */
import * as fc from 'fast-check';
import { assertResponseMatches, assertStepMatches } from './agreement.ts';
import type { Plan } from '../state/attempt.ts';
import { allocate } from '../cash/allocation.ts';
import { decide, draftCash, postCash, reverseCash } from '../cash/cash.ts';
import type { Company } from './company.ts';
import { ExactDecimal } from '../state/exact-decimal.ts';
import { archiveProduct, correctStock, makeProduct, transfer, undoTransfer } from '../trade/goods.ts';
import { cancelInvoice, changeInvoice, deleteInvoice } from '../trade/invoice-changes.ts';
import { draftInvoice, postInvoice } from '../trade/invoices.ts';
import type { Model } from '../state/model.ts';
import { lockPeriod, unlockPeriod } from '../cash/periods.ts';
import { approveReturn, cancelReturn, completeReturn, deleteReturn, draftReturn } from '../trade/returns.ts';

/** Number of responses of each kind: `post an invoice 409 insufficient_stock`. */
export type Tally = Map<string, number>;

/** One operation of a random run. */
class RandomCommand implements fc.AsyncCommand<Model, Company> {
  readonly #name: string;
  readonly #facts: unknown;
  readonly #plan: Plan;
  readonly #tally: Tally;

  constructor(name: string, facts: unknown, plan: Plan, tally: Tally) {
    this.#name = name;
    this.#facts = facts;
    this.#plan = plan;
    this.#tally = tally;
  }

  check(model: Readonly<Model>): boolean {
    return this.#plan(model) !== undefined;
  }

  async run(model: Model, company: Company): Promise<void> {
    const attempt = this.#plan(model)!;
    const { service, method, path, body } = attempt;
    const answer = await company.send(service, method, path, body);
    assertResponseMatches(this.#name, attempt, answer);
    await assertStepMatches(company, model, attempt);
    const kind = `${this.#name} ${[answer.status, attempt.code].filter(Boolean).join(' ')}`;
    this.#tally.set(kind, (this.#tally.get(kind) ?? 0) + 1);
  }

  toString(): string {
    return `${this.#name} ${JSON.stringify(this.#facts)}`;
  }
}

const any = fc.nat(1_000);
const rarely = fc.integer({ min: 0, max: 7 }).map((one) => one === 0);
const sometimes = fc.integer({ min: 0, max: 2 }).map((one) => one === 0);
const often = fc.integer({ min: 0, max: 3 }).map((one) => one > 0);
const choice = { any, anywhere: rarely };
const small = fc.integer({ min: 1, max: 3 }).map((one) => new ExactDecimal(one));
/** Dates after all others in most cases: a follow-up must not be dated before its original. */
const later = fc.constantFrom('2026-06-15', '2026-06-30', '2026-06-30', '2026-01-01');
const day = fc.constantFrom('2025-12-30', '2026-01-02', '2026-03-02', '2026-06-15');
const qty = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 12 }).map((one) => new ExactDecimal(one)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_999 }).map((one) => new ExactDecimal(one).div(1_000)) },
);
const large = fc.integer({ min: 1, max: 20 }).map((one) => new ExactDecimal(one));
const amount = fc.integer({ min: 1, max: 30_000 }).map((one) => new ExactDecimal(one).div(100).toFixed(2));
const price = fc.oneof(
  { weight: 6, arbitrary: amount },
  { weight: 1, arbitrary: fc.constantFrom('0.00', '0.01', '1.2345', '33.3333') },
);
const discount = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('percent' as const), value: fc.constantFrom('10', '33.3', '100') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('amount' as const), value: fc.constantFrom('0.01', '1.00', '7.77') }),
  },
);
const optionally = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const lines = fc.array(
  fc.record({
    product: fc.oneof({ weight: 7, arbitrary: any }, { weight: 1, arbitrary: fc.constant(undefined) }),
    qty,
    price: optionally(price),
    discount,
    taxes: optionally(fc.nat(7)),
  }),
  { minLength: 1, maxLength: 4 },
);
const goods = fc.array(fc.record({ product: any, qty }), { minLength: 1, maxLength: 3 });
const part = fc.record({ qty: small, all: fc.boolean(), scrap: sometimes, skip: rarely });
const closed = fc.constantFrom('2025-12-31', '2026-01-31', '2026-06-20');
const scope = fc.constantFrom('all' as const, 'sales' as const, 'purchases' as const);
const kind = fc.constantFrom('revenue' as const, 'expense' as const);
const settlement = fc.record({ ...choice, amount, whole: fc.boolean() });

const invoice = (side: 'sales' | 'purchase') =>
  fc.record({ side: fc.constant(side), party: any, warehouse: any, date: day, discount, lines });
const correction = {
  product: any,
  warehouse: any,
  qty: large,
  takes: rarely,
  opening: fc.boolean(),
  unit_cost: fc.option(price),
};

/** Returns all operations with their relative frequencies. */
export function commands(tally: Tally, most: number) {
  const named = <Facts>(name: string, facts: fc.Arbitrary<Facts>, plan: (facts: Facts) => Plan) =>
    facts.map((some) => new RandomCommand(name, some, plan(some), tally));
  const which = fc.record(choice);
  const product = fc.record({ price, cost: price, service: rarely, taxes: fc.nat(7) });
  const allocation = { ...choice, date: later, invoice: which, amount, whole: fc.boolean() };
  const money = { kind, party: any, date: day, amount, more: fc.boolean(), astray: rarely };
  const parts = fc.array(settlement, { maxLength: 3 });
  const back = fc.record({ ...choice, date: later, parts: fc.array(part, { minLength: 4, maxLength: 4 }) });
  const tried = [
    { times: 1, of: named('make a product', product, makeProduct) },
    { times: 4, of: named('correct stock', fc.record(correction), correctStock) },
    { times: 3, of: named('transfer', fc.record({ from: any, away: often, lines: goods }), transfer) },
    { times: 1, of: named('undo a transfer', any, undoTransfer) },
    { times: 1, of: named('archive a product', any, archiveProduct) },
    { times: 2, of: named('close the books', fc.record({ scope, through: closed }), lockPeriod) },
    { times: 3, of: named('open the books', any, unlockPeriod) },
    { times: 2, of: named('draft a purchase', invoice('purchase'), draftInvoice) },
    { times: 2, of: named('draft a sale', invoice('sales'), draftInvoice) },
    { times: 5, of: named('post an invoice', which, postInvoice) },
    { times: 2, of: named('change an invoice', fc.record({ ...choice, lines }), changeInvoice) },
    { times: 1, of: named('delete an invoice', which, deleteInvoice) },
    { times: 1, of: named('cancel an invoice', which, cancelInvoice) },
    { times: 4, of: named('draft a return', back, draftReturn) },
    { times: 4, of: named('approve a return', which, approveReturn) },
    { times: 4, of: named('complete a return', which, completeReturn) },
    { times: 1, of: named('delete a return', which, deleteReturn) },
    { times: 2, of: named('cancel a return', which, cancelReturn) },
    { times: 4, of: named('draft money', fc.record({ ...money, parts }), draftCash) },
    { times: 4, of: named('approve money', which, (some) => decide('approve', some)) },
    { times: 4, of: named('post money', which, postCash) },
    { times: 1, of: named('unapprove money', which, (some) => decide('unapprove', some)) },
    { times: 1, of: named('delete money', which, (some) => decide('delete', some)) },
    { times: 2, of: named('reverse money', which, reverseCash) },
    { times: 4, of: named('allocate money', fc.record(allocation), allocate) },
  ];
  return fc.commands(
    tried.flatMap(({ times, of }) => Array.from({ length: times }, () => of)),
    { maxCommands: most, size: 'max' },
  );
}
