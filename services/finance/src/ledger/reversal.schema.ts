import { BusinessDay, input } from '@suite/chassis';

/** The body of a reversal or a cancellation: the day on which it is booked. */
export const ReversalInput = input({
  date: BusinessDay.optional().describe(
    'Day of the reversal, in an open period and not before the document. Defaults to the date of the document, or to the day on which its last settlement was undone. With a day of its own, money that is reconciled can be reversed, too: the reversal is a bank transaction of its own, as for a bounced cheque.',
  ),
});
