/** Allocations of the unallocated part of a payment to later invoices. */
import { type Attempt, INVALID, LOCKED, type Plan, rejection } from '../state/attempt.ts';
import { isSettleable, settle, overAllocation, sideNameOf } from './cash.ts';
import { type Choice, choose } from '../state/choice.ts';
import { ExactDecimal, money } from '../state/exact-decimal.ts';
import { type Account, postEntry, isLocked, openAmount, spentAmount } from '../state/model.ts';

export interface Allocation extends Choice {
  date: string;
  invoice: Choice;
  amount: string;
  /** Allocates the whole remaining amount, up to the open amount. */
  whole: boolean;
}

/** Allocates the remainder of a payment to an invoice. */
export const allocate =
  ({ date, invoice: where, amount: some, whole, ...which }: Allocation): Plan =>
  (model): Attempt | undefined => {
    const paid = model.cash.filter(({ payment }) => payment);
    const cash = choose(paid, which, (one) => one.status === 'posted' && one.amount.gt(spentAmount(model, one)));
    const side = cash && sideNameOf(cash.kind);
    const sold = model.invoices.filter(
      (one) => one.side === side && (where.anywhere || one.party_id === cash!.party_id),
    );
    const invoice = choose(sold, where, (one) => one.status === 'posted' && openAmount(one).gt(0));
    if (!cash || !invoice) return undefined;
    const left = cash.amount.minus(spentAmount(model, cash));
    const most = ExactDecimal.min(left, openAmount(invoice));
    const amount = whole && most.gt(0) ? most : new ExactDecimal(some);
    const path = `/api/${cash.kind === 'revenue' ? 'customer' : 'vendor'}-payments/allocate/${cash.payment!.id}`;
    const body = { date, allocations: [{ invoice_id: invoice.id, amount: money(amount) }] };
    const call = { service: 'finance', method: 'POST', path, body, touches: [invoice] } as const;
    const fits = isSettleable(invoice, cash.party_id!) && cash.status === 'posted';
    if (!fits) return { ...call, ...INVALID, touches: invoice.status === 'deleted' ? [] : [invoice] };
    if (date < cash.date || date < invoice.date) return { ...call, ...rejection('before_document', 422) };
    const refusal = overAllocation([{ invoice, amount }], left);
    if (refusal) return { ...call, ...refusal };
    if (isLocked(model, date, sideNameOf(cash.kind))) return { ...call, ...LOCKED };
    return {
      ...call,
      status: 200,
      happens() {
        settle(cash, [{ invoice, amount }], date);
        const [control, advances]: [Account, Account] =
          cash.kind === 'revenue' ? ['receivable', 'customer_advances'] : ['payable', 'vendor_advances'];
        const booked = cash.kind === 'revenue' ? amount : amount.negated();
        postEntry(model, advances, booked);
        postEntry(model, control, booked.negated());
      },
      shows: () => ({ number: cash.payment!.number, unallocated: money(cash.amount.minus(spentAmount(model, cash))) }),
    };
  };
