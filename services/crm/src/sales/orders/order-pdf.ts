import type { ResponseWriter } from '@suite/chassis/operations';
import { sendPdf, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import { fetchRecipient, type OfferPdfInput, documentPdfParts } from '../documents/offer-pdf.ts';
import type { SalesOrderDetails } from './sales-order.schema.ts';

/** Creates the PDF of a sales order, which confirms it to the customer. Internal notes are omitted. */
export async function printOrder({
  record,
  caller,
  rpc,
}: OfferPdfInput<z.output<typeof SalesOrderDetails>>): Promise<ResponseWriter> {
  const { billing_address, shipping_address } = record;
  const known = await fetchRecipient({ rpc }, record.customer_id);
  const pdf: PdfDocument = {
    title: 'order_confirmation',
    ...documentPdfParts(record),
    from: await rpc.platform.getLetterhead({}),
    to: { ...known, address: billing_address ?? known.address ?? null },
    facts: [
      ['date', { day: record.order_date }],
      ...(record.delivery_date ? ([['delivery_date', { day: record.delivery_date }]] as const) : []),
      ['reference', { text: record.reference }],
    ],
    texts: [['delivery_address', shipping_address === billing_address ? null : shipping_address]],
  };
  return await sendPdf(pdf, caller.workspace_id);
}
