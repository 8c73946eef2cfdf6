import { lifecycle } from '@suite/chassis/operations';

const states = ['draft', 'open', 'partially_applied', 'applied', 'refunded', 'voided'] as const;
const applicable = ['open', 'partially_applied'] as const;

/** Returns the states of a side's notes. They change only with the used amount. */
const noteLifecycle = (noun: string, document: string) =>
  lifecycle(
    noun,
    { draft: {}, open: {}, partially_applied: {}, applied: {}, refunded: {}, voided: {} },
    {
      actions: {
        apply: { permission: `${document}.complete`, in: applicable },
        refund: { permission: `${document}.complete`, in: applicable },
        unapply: { permission: `${document}.complete`, in: ['partially_applied', 'applied', 'refunded'] },
      },
      derived: { among: states, from: 'the spent amount' },
    },
  );

export const noteStates = {
  sales: noteLifecycle('credit_note', 'sales_return'),
  purchase: noteLifecycle('debit_note', 'purchase_return'),
};
