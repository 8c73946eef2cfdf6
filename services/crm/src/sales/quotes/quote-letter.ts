import type { Send } from '@suite/chassis/operations';
import { asPdf, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import { addressee, offered, type OfferPrint } from '../documents/offer-letter.ts';
import type { QuoteDetails } from './quote.schema.ts';

/** Creates the PDF of a quote, with a watermark for drafts. */
export async function printQuote({ record, caller, rpc }: OfferPrint<z.output<typeof QuoteDetails>>): Promise<Send> {
  const { customer_name: company, contact, billing_address: address, shipping_address } = record;
  const { country = null, language = null } = await addressee({ rpc }, record.customer_id);
  const letter: PdfDocument = {
    title: 'quote',
    ...offered(record, record.expiry_date),
    from: await rpc.platform.getLetterhead({}),
    to: { country, language, company, name: contact ?? '', address },
    texts: [
      ['delivery_address', shipping_address === address ? null : shipping_address],
      ['terms', record.terms],
    ],
  };
  return await asPdf(letter, caller.workspace_id);
}
