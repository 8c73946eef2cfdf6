/** Compares company and model: the response, books and stock after each step, and every document at the end. */
import { waitFor } from '@suite/testing/waiting';
import type { ActualResponse, Attempt, Json } from '../state/attempt.ts';
import type { Answer, Company } from './company.ts';
import { money, NOTHING, toPlainText, unitCost } from '../state/exact-decimal.ts';
import { invoiceResponse } from '../trade/invoices.ts';
import { type Cash, type Model, spentAmount } from '../state/model.ts';

/** Maximum time for effects of events and schedules. */
const SETTLED_MS = 30_000;

/** Returns the places where a response differs from the expected value. Additional fields are allowed. */
export function differences(expected: unknown, shown: ActualResponse, at = ''): string[] {
  if (expected === null || typeof expected !== 'object')
    return expected === shown ? [] : [`${at || 'it'} is ${JSON.stringify(shown)} and not ${JSON.stringify(expected)}`];
  if (shown === null || typeof shown !== 'object') return [`${at} is ${JSON.stringify(shown)}`];
  const parts = Object.entries(expected).flatMap(([name, part]) => differences(part, shown[name], `${at}.${name}`));
  const [wanted, length] = [Array.isArray(expected) ? expected.length : undefined, shown.length];
  return wanted === undefined || wanted === length ? parts : [...parts, `${at} has ${length} and not ${wanted}`];
}

/** @throws an Error that names the difference */
function assertSame(what: string, expected: unknown, shown: ActualResponse): void {
  const found = differences(expected, shown);
  if (found.length > 0) throw new Error(`${what}:\n  ${found.join('\n  ')}`);
}

/** Asserts that the response to an attempt matches the model, and applies the result to the model. */
export function assertResponseMatches(
  name: string,
  { status, code, details, ...attempt }: Attempt,
  answer: Answer,
): void {
  const { body } = answer;
  const expected = { status, ...(code && { code }), ...(details && { details }) };
  assertSame(`${name} at ${attempt.path}`, expected, { status: answer.status, code: body.code, details: body.details });
  attempt.happens?.(body.data);
  if (attempt.shows) assertSame(`${name} at ${attempt.path} shows`, attempt.shows(), body.data);
}

/** Checks that the trial balance is zero in total, and correct for every account. */
async function assertBooksMatch({ show }: Company, { ledger }: Model): Promise<void> {
  const { accounts, difference } = await show('finance', '/api/accounting/trial-balance?as_of=2099-12-31');
  const shown = Object.fromEntries(accounts.map(({ code, balance }: Json) => [code, balance]));
  const codes = [...new Set([...Object.keys(shown), ...ledger.keys()])].toSorted();
  const named = (balance: (code: string) => string) => Object.fromEntries(codes.map((code) => [code, balance(code)]));
  assertSame('The trial balance', '0.00', difference);
  assertSame(
    'The trial balance',
    named((code) => money(ledger.get(code) ?? NOTHING)),
    named((code) => shown[code] ?? '0.00'),
  );
}

async function assertStockMatches({ all }: Company, { levels }: Model): Promise<void> {
  const place = ({ product_id, warehouse_id }: ActualResponse) => `${product_id} ${warehouse_id}`;
  const shown = await all('inventory', '/api/product-stocks');
  const expected = [...levels.values()].map(({ on_hand, value, ...where }) => ({
    ...where,
    on_hand: toPlainText(on_hand),
    reserved: '0',
    available: toPlainText(on_hand),
    value: money(value),
    average_cost: unitCost(on_hand.isZero() ? NOTHING : value.div(on_hand)),
  }));
  const ordered = (rows: ActualResponse[]) => rows.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  assertSame('The shelves', ordered(expected), ordered(shown));
}

/** Asserts that the ledger, the stock and the affected invoices match the model. */
export async function assertStepMatches(company: Company, model: Model, { touches = [] }: Attempt): Promise<void> {
  const agrees = async () => {
    await assertBooksMatch(company, model);
    await assertStockMatches(company, model);
    for (const invoice of new Set(touches)) {
      const shown = await company.show('finance', `/api/${invoice.side}-invoice/show/${invoice.id}`);
      assertSame(`The ${invoice.side} invoice`, invoiceResponse(invoice), shown);
    }
  };
  await (model.unsettled ? waitFor(agrees, SETTLED_MS) : agrees());
  model.unsettled = false;
}

/** Returns the remaining amount of a payment or a note. */
const remainingAmount = (model: Model, cash: Cash) => money(cash.amount.minus(spentAmount(model, cash)));

/** Returns the lists of the company with their expected content, by IDs or numbers. */
function lists(model: Model): Record<string, Json[]> {
  const of = (side: string) => model.invoices.filter((one) => one.side === side && one.status !== 'deleted');
  const back = (side: string) => model.returns.filter((one) => one.side === side && one.status !== 'deleted');
  const cash = (kind: string) => model.cash.filter((one) => one.kind === kind && one.status !== 'deleted');
  const returns = (side: string) => back(side).map(({ id, status, number }) => ({ id, status, number }));
  const documents = (kind: string) => cash(kind).map(({ id, status, number }) => ({ id, status, number }));
  const payments = (kind: string) =>
    cash(kind).flatMap((one) =>
      one.payment
        ? [
            {
              ...one.payment,
              amount: money(one.amount),
              ...(one.status === 'reversed'
                ? { status: 'voided', unallocated: '0.00' }
                : { status: 'posted', unallocated: remainingAmount(model, one) }),
            },
          ]
        : [],
    );
  const notes = (side: string) =>
    back(side).flatMap(({ note }) => {
      if (!note) return [];
      const applied = spentAmount(model, note);
      // A note with a zero amount has nothing to apply.
      const status = !applied.lt(note.total) ? 'applied' : applied.isZero() ? 'open' : 'partially_applied';
      const amounts = {
        total: money(note.total),
        applied: money(applied),
        remaining: money(note.total.minus(applied)),
      };
      return [{ number: note.number, status, ...amounts }];
    });
  const invoices = (side: string) =>
    of(side).map((invoice) => {
      const { lines: _, ...header } = invoiceResponse(invoice);
      return header;
    });
  return {
    '/api/sales-invoice': invoices('sales'),
    '/api/purchase-invoice': invoices('purchase'),
    '/api/sales-invoice-return': returns('sales'),
    '/api/purchase-return': returns('purchase'),
    // An approved return that is not completed has a draft note without a number.
    '/api/credit-notes?number[null]=false': notes('sales'),
    '/api/debit-notes?number[null]=false': notes('purchase'),
    '/api/revenues': documents('revenue'),
    '/api/expenses': documents('expense'),
    '/api/customer-payments': payments('revenue'),
    '/api/vendor-payments': payments('expense'),
  };
}

/** Asserts that all documents match the model, and that the integrity checks pass. */
export async function assertDocumentsMatch(company: Company, model: Model): Promise<void> {
  const key = ({ id, number }: ActualResponse) => String(number ?? id);
  const ordered = (rows: ActualResponse[]) => rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  for (const [path, expected] of Object.entries(lists(model))) {
    assertSame(path, ordered(expected), ordered(await company.all('finance', path)));
  }
  assertSame('Integrity', { sound: true }, await company.show('finance', '/api/accounting/integrity'));
}
