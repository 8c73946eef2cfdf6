/** What may happen to a sales order, and who may do it. */
import { type Caller, lifecycle } from '@suite/chassis';
import { permitted } from '../transitions.ts';

export const orderStates = lifecycle('sales_order', {
  draft: { confirm: 'confirmed', cancel: 'cancelled' },
  confirmed: { hold: 'on_hold', complete: 'completed', cancel: 'cancelled', close: 'closed' },
  on_hold: { resume: 'confirmed' },
  completed: { reopen: 'confirmed' },
  cancelled: {},
  closed: {},
});

/** Orders that nobody has ever promised to deliver may go: one that was confirmed has a number. */
const DELETABLE = ['draft', 'cancelled'];
/** What is over takes no more changes. */
const OVER = ['completed', 'cancelled', 'closed'];

const PERMISSIONS: Record<string, string> = {
  ...{ confirm: 'sales_order.update', hold: 'sales_order.update', resume: 'sales_order.update' },
  ...{ cancel: 'sales_order.update', close: 'sales_order.update', update: 'sales_order.update' },
  invoice: 'sales_order.update',
  delete: 'sales_order.delete',
};

/** What the caller may do with an order in a state. */
export const orderActions = (caller: Caller, status: string, number: string | null): string[] =>
  permitted(
    caller,
    [
      ...orderStates.allowed(status),
      ...(status === 'confirmed' ? ['invoice'] : []),
      ...(OVER.includes(status) ? [] : ['update']),
      ...(DELETABLE.includes(status) && number === null ? ['delete'] : []),
    ],
    PERMISSIONS,
  );
