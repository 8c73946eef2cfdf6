import { BusinessDay, input } from '@suite/chassis/fields';

/** Request body of a reversal or a cancellation, with its date. */
export const ReversalInput = input({
  date: BusinessDay.optional().describe(
    'Date of the reversal, in an open period and not before the document. Defaults to the date of the document, or the date when its last settlement was undone. With a separate date, a reconciled entry can be reversed, too. The reversal is then a separate bank transaction, as for a bounced cheque.',
  ),
});
