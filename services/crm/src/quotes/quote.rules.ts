/** What may happen to a quote, and who may do it. */
import { type Caller, lifecycle } from '@suite/chassis';
import { permitted } from '../transitions.ts';

export const quoteStates = lifecycle('quote', {
  draft: { send: 'sent', cancel: 'cancelled' },
  sent: { accept: 'accepted', decline: 'declined', cancel: 'cancelled', expire: 'expired', revise: 'draft' },
  accepted: { order: 'ordered' },
  ordered: { reopen: 'accepted' },
  declined: {},
  expired: {},
  cancelled: {},
});

/** Chosen: an offer that nobody holds us to may go, as long as it has no number: what was sent once stays in the books. */
const DELETABLE = ['draft', 'declined', 'expired', 'cancelled'];
/** Quotes whose text and lines take changes. */
const EDITABLE = ['draft', 'sent'];

const PERMISSIONS: Record<string, string> = {
  ...{ send: 'quote.update', accept: 'quote.update', decline: 'quote.update', cancel: 'quote.update' },
  ...{ update: 'quote.update', order: 'sales_order.create', delete: 'quote.delete' },
};

/** What the caller may do with a quote in a state. */
export const quoteActions = (caller: Caller, status: string, number: string | null): string[] =>
  permitted(
    caller,
    [
      ...quoteStates.allowed(status),
      ...(EDITABLE.includes(status) ? ['update'] : []),
      ...(DELETABLE.includes(status) && number === null ? ['delete'] : []),
    ],
    PERMISSIONS,
  );
