import type { Send } from '@suite/chassis/operations';
import { asPdf, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import { addressee, type OfferPrint, printedParts } from '../documents/offer-letter.ts';
import type { SalesOrderDetails } from './sales-order.schema.ts';

/** Creates the PDF of a sales order, which confirms it to the customer. Internal notes are omitted. */
export async function printOrder({
  record,
  caller,
  rpc,
}: OfferPrint<z.output<typeof SalesOrderDetails>>): Promise<Send> {
  const { billing_address, shipping_address } = record;
  const known = await addressee({ rpc }, record.customer_id);
  const letter: PdfDocument = {
    title: 'order_confirmation',
    ...printedParts(record),
    from: await rpc.platform.getLetterhead({}),
    to: { ...known, address: billing_address ?? known.address ?? null },
    facts: [
      ['date', { day: record.order_date }],
      ...(record.delivery_date ? ([['delivery_date', { day: record.delivery_date }]] as const) : []),
      ['reference', { text: record.reference }],
    ],
    texts: [['delivery_address', shipping_address === billing_address ? null : shipping_address]],
  };
  return await asPdf(letter, caller.workspace_id);
}
