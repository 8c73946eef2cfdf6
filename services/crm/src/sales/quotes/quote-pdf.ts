import type { ResponseWriter } from '@suite/chassis/operations';
import { sendPdf, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import { fetchRecipient, offerPdfParts, type OfferPdfInput } from '../documents/offer-pdf.ts';
import type { QuoteDetails } from './quote.schema.ts';

/** Creates the PDF of a quote, with a watermark for drafts. */
export async function printQuote({
  record,
  caller,
  rpc,
}: OfferPdfInput<z.output<typeof QuoteDetails>>): Promise<ResponseWriter> {
  const { customer_name: company, contact, billing_address: address, shipping_address } = record;
  const { country = null, language = null } = await fetchRecipient({ rpc }, record.customer_id);
  const pdf: PdfDocument = {
    title: 'quote',
    ...offerPdfParts(record, record.expiry_date),
    from: await rpc.platform.getLetterhead({}),
    to: { country, language, company, name: contact ?? '', address },
    texts: [
      ['delivery_address', shipping_address === address ? null : shipping_address],
      ['terms', record.terms],
    ],
  };
  return await sendPdf(pdf, caller.workspace_id);
}
