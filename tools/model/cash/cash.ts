/** Incoming and outgoing money, with or without invoices, and allocations of the remainder to later invoices. */
import {
  type Attempt,
  NOT_FOUND,
  ILLEGAL,
  INVALID,
  type Json,
  LOCKED,
  type Plan,
  rejection,
} from '../state/attempt.ts';
import { ExactDecimal, money, total } from '../state/exact-decimal.ts';
import { type Choice, choose } from '../state/choice.ts';
import {
  type Account,
  postEntry,
  type Cash,
  type Invoice,
  isLocked,
  type Model,
  nextNumber,
  openAmount,
  pick,
  spentAmount,
} from '../state/model.ts';

export interface NewCash {
  kind: Cash['kind'];
  party: number;
  date: string;
  amount: string;
  /** Invoices to settle, each in full or by an amount. */
  parts: (Choice & { amount: string; whole: boolean })[];
  /** True if the amount exceeds the settled invoices. */
  more: boolean;
  /** Invoices of other parties, or too little money. False in most cases. */
  astray: boolean;
}

const pathOf = ({ kind }: Pick<Cash, 'kind'>, verb: string, id = '') => `/api/${kind}s/${verb}${id && `/${id}`}`;
export const sideNameOf = (kind: Cash['kind']) => (kind === 'revenue' ? 'sales' : 'purchase');
const sideOf = (kind: Cash['kind']) =>
  kind === 'revenue'
    ? { party: 'customer_id', parts: 'invoice_allocations', series: 'PAY', prefix: 'REV' }
    : { party: 'vendor_id', parts: 'bill_allocations', series: 'VPAY', prefix: 'EXP' };

const cashResponse = (cash: Cash): Json => ({
  id: cash.id,
  status: cash.status,
  number: cash.number,
  amount: money(cash.amount),
  net: money(cash.amount),
  [sideOf(cash.kind).party]: cash.party_id,
  payment_id: cash.payment?.id ?? null,
  [sideOf(cash.kind).parts]: cash.allocations.map(({ invoice, amount }) => ({
    invoice_id: invoice.id,
    amount: money(amount),
  })),
});

/** Returns the allocated invoices, each once. */
function allocationsOf(model: Model, { kind, party, parts, astray }: NewCash): Cash['allocations'] {
  const owner = pick(kind === 'revenue' ? model.customers : model.vendors, party)!;
  const theirs = model.invoices.filter(
    (invoice) => invoice.side === sideNameOf(kind) && (astray || invoice.party_id === owner),
  );
  const found = parts.flatMap(({ amount, whole, ...which }) => {
    const invoice = choose(theirs, which, (one) => one.status === 'posted' && openAmount(one).gt(0));
    if (!invoice) return [];
    const isOpen = whole && invoice.status === 'posted' && openAmount(invoice).gt(0);
    return [{ invoice, amount: isOpen ? openAmount(invoice) : new ExactDecimal(amount) }];
  });
  return found.filter(({ invoice }, at) => found.findIndex((other) => other.invoice === invoice) === at);
}

export const isSettleable = (invoice: Invoice, party_id: string) =>
  (invoice.status === 'posted' || invoice.status === 'cancelled') && invoice.party_id === party_id;

/** Creates a draft revenue or expense. */
export const draftCash =
  (input: NewCash): Plan =>
  (model) => {
    const { kind, date } = input;
    const { party: party_field, parts } = sideOf(kind);
    const party_id = pick(kind === 'revenue' ? model.customers : model.vendors, input.party)!;
    const allocations = allocationsOf(model, input);
    const settles = total(allocations.map((part) => part.amount));
    const enough = input.more ? settles.plus(input.amount) : ExactDecimal.max(input.amount, settles);
    const amount = input.astray ? new ExactDecimal(input.amount) : enough;
    const { [`${kind}_category` as const]: category_id, till: bank_account_id } = model.places;
    const body = {
      date,
      category_id,
      bank_account_id,
      [party_field]: party_id,
      amount: money(amount),
      ...(allocations.length === 0 && { kind: kind === 'revenue' ? 'income' : 'expense' }),
      [parts]: allocations.map((part) => ({ invoice_id: part.invoice.id, amount: money(part.amount) })),
    };
    const call = { service: 'finance', method: 'POST', path: pathOf(input, 'create'), body } as const;
    const fits = settles.lte(amount) && allocations.every(({ invoice }) => isSettleable(invoice, party_id));
    if (!fits) return { ...call, ...INVALID };
    const excess = overAllocation(allocations, amount);
    if (excess) return { ...call, ...excess };
    const draft = { kind, id: '', party_id, date, amount, allocations, status: 'draft', number: null, payment: null };
    const cash = draft as Cash;
    return {
      ...call,
      status: 201,
      happens({ id }) {
        cash.id = id;
        model.cash.push(cash);
      },
      shows: () => cashResponse(cash),
    };
  };

type Verb = 'approve' | 'unapprove' | 'delete';
const MOVES = {
  approve: { from: 'draft', to: 'approved' },
  unapprove: { from: 'approved', to: 'draft' },
  delete: { from: 'draft', to: 'deleted' },
} as const;

/** Operations on revenues and expenses that are not posted yet. */
export const decide =
  (verb: Verb, which: Choice): Plan =>
  (model) => {
    const { from, to } = MOVES[verb];
    const cash = choose(model.cash, which, ({ status }) => status === from);
    if (!cash) return undefined;
    const method = verb === 'delete' ? 'DELETE' : 'POST';
    const call = { service: 'finance', method, path: pathOf(cash, verb, cash.id) } as const;
    if (cash.status === 'deleted') return { ...call, ...NOT_FOUND };
    if (cash.status !== from && cash.status !== to) return { ...call, ...ILLEGAL };
    return {
      ...call,
      status: 200,
      happens() {
        cash.status = to;
      },
      ...(verb !== 'delete' && { shows: () => cashResponse(cash) }),
    };
  };

/** Posts money. Reverses it if `sign` is -1. */
function postCashJournal(model: Model, cash: Cash, settles: ExactDecimal, sign: 1 | -1): void {
  const isRevenue = cash.kind === 'revenue';
  const amount = cash.amount.times(isRevenue ? sign : -sign);
  const settled = settles.times(isRevenue ? sign : -sign);
  postEntry(model, 'till', amount);
  if (!cash.payment) {
    postEntry(model, isRevenue ? 'services' : 'rent', amount.negated());
    return;
  }
  const [control, advances]: [Account, Account] = isRevenue
    ? ['receivable', 'customer_advances']
    : ['payable', 'vendor_advances'];
  postEntry(model, control, settled.negated());
  postEntry(model, advances, settled.minus(amount));
}

/**
 * Returns the refusal for the first allocation that exceeds the open amount of its invoice or the remaining money.
 * Undefined if all fit.
 */
export const overAllocation = (parts: Cash['allocations'], left: ExactDecimal) => {
  let rest = left;
  for (const { invoice, amount } of parts) {
    if (amount.gt(openAmount(invoice))) return rejection('over_allocated', 409, { open: money(openAmount(invoice)) });
    if (amount.gt(rest)) return rejection('over_allocated', 409, { left: money(rest) });
    rest = rest.minus(amount);
  }
  return undefined;
};

export const settle = (cash: Cash, parts: Cash['allocations'], date: string) => {
  for (const { invoice, amount } of parts) {
    invoice.settlements.push({ by: cash, amount, date: effectiveDate(date, invoice) });
  }
};

/** A settlement takes effect on the later of both documents' dates at the earliest. */
const effectiveDate = (date: string, invoice: Invoice): string => (invoice.date > date ? invoice.date : date);

/** Posts an approved payment once, even if the request is repeated. */
export const postCash =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const cash = choose(model.cash, which, ({ status }) => status === 'approved');
    if (!cash) return undefined;
    const { kind, allocations, date, amount } = cash;
    const touches = allocations.map(({ invoice }) => invoice);
    const call = { service: 'finance', method: 'POST', path: pathOf(cash, 'post', cash.id), touches } as const;
    if (cash.status === 'deleted') return { ...call, ...NOT_FOUND };
    const done = { ...call, status: 200, shows: () => cashResponse(cash) };
    if (cash.status === 'posted') return done;
    if (cash.status !== 'approved') return { ...call, ...ILLEGAL };
    if (isLocked(model, date, sideNameOf(kind))) return { ...call, ...LOCKED };
    const refusal = overAllocation(allocations, amount);
    if (refusal) return { ...call, ...refusal };
    const effective = touches.map((invoice) => effectiveDate(date, invoice));
    if (effective.some((day) => isLocked(model, day, sideNameOf(kind)))) return { ...call, ...LOCKED };
    return {
      ...done,
      happens({ payment_id }) {
        const { prefix, series } = sideOf(kind);
        cash.number = nextNumber(model, prefix, date);
        cash.payment = allocations.length > 0 ? { id: payment_id, number: nextNumber(model, series, date) } : null;
        cash.status = 'posted';
        settle(cash, allocations, date);
        postCashJournal(model, cash, total(allocations.map((part) => part.amount)), 1);
      },
    };
  };

/** Reverses posted money: the settled invoices are open again. */
export const reverseCash =
  (which: Choice): Plan =>
  (model): Attempt | undefined => {
    const cash = choose(model.cash, which, ({ status }) => status === 'posted');
    if (!cash) return undefined;
    const touches = model.invoices.filter(({ settlements }) => settlements.some(({ by }) => by === cash));
    const call = { service: 'finance', method: 'POST', path: pathOf(cash, 'reverse', cash.id), touches } as const;
    if (cash.status === 'deleted') return { ...call, ...NOT_FOUND };
    const done = { ...call, status: 200, shows: () => cashResponse(cash) };
    if (cash.status === 'reversed') return done;
    if (cash.status !== 'posted') return { ...call, ...ILLEGAL };
    // Each entry is reversed on its own day.
    const parts = touches.flatMap(({ settlements }) => settlements.filter(({ by }) => by === cash));
    const days = [cash.date, ...parts.map(({ date }) => date)];
    if (days.some((day) => isLocked(model, day, sideNameOf(cash.kind)))) return { ...call, ...LOCKED };
    return {
      ...done,
      happens() {
        postCashJournal(model, cash, spentAmount(model, cash), -1);
        for (const invoice of touches) {
          invoice.settlements = invoice.settlements.filter(({ by }) => by !== cash);
        }
        cash.status = 'reversed';
      },
    };
  };
