/** Period locks: finance locks the books, and no goods move on a locked day. */
import { Fault, fault } from '@suite/chassis/faults';
import type { Rpc } from '../operations.ts';

export const PeriodLocked = fault(
  409,
  'period_locked',
  'The books are locked for this day. Choose a later date, or ask accounting to move the lock.',
);

/** Lock scopes that apply to a movement. A lock of `all` includes every scope. */
const SCOPES = { stock: ['inventory'], cash_sale: ['sales', 'banking'], sale: ['sales'] } as const;

/**
 * Checks with finance that the books are open on a day, before the transaction.
 * @throws PeriodLocked with the last locked day and the reason
 */
export async function assertBooksOpen(rpc: Rpc, date: string, kind: keyof typeof SCOPES): Promise<void> {
  const replies = await Promise.all(SCOPES[kind].map((scope) => rpc.finance.checkPeriodOpen({ date, scope })));
  const closed = replies.find(({ open }) => !open);
  if (closed) throw PeriodLocked({ date, locked_through: closed.locked_through, reason: closed.reason });
}

/**
 * Checks the same for a sale or refund at a point of sale. Chosen: a shop continues to sell while finance is
 * unavailable. Finance then posts on the first open day.
 * @param hasCash true if the sale has a cash payment. Only cash is posted to a bank account: other payments are in transit.
 * @throws PeriodLocked
 */
export async function assertShopOpen(rpc: Rpc, date: string, hasCash: boolean): Promise<void> {
  try {
    await assertBooksOpen(rpc, date, hasCash ? 'cash_sale' : 'sale');
  } catch (error) {
    if (!(error instanceof Fault && error.status === 503)) throw error;
  }
}
