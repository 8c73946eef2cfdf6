/** PDFs of offers: the parts that quotes and proposals have in common. */
import type { Discount } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { computeTotals, printedAmounts } from '@suite/document-lines';
import type { PdfLabel, PdfDocument, PdfRecipient } from '@suite/pdf';
import type { z } from 'zod';
import type { Rpc } from '../../operations.ts';
import type { SalesLine } from './document.schema.ts';

/** Watermarks of offers and orders that are not valid. */
const WATERMARKS: Readonly<Record<string, PdfLabel>> = { draft: 'draft', expired: 'expired', cancelled: 'cancelled' };

/** Fields of quotes and proposals that their PDFs show. */
interface Offer {
  number: string | null;
  status: string;
  currency: string;
  issue_date: string;
  revision: number;
  discount: Discount | null;
  lines: z.output<typeof SalesLine>[];
}

/** Record and context for printing a PDF. */
export interface OfferPdfInput<Shown> {
  record: Shown;
  caller: Caller;
  rpc: Rpc;
}

/** Returns the addressee of an offer, with the customer details from finance. */
export async function fetchRecipient(
  { rpc }: Pick<OfferPdfInput<unknown>, 'rpc'>,
  customer_id: string,
): Promise<PdfRecipient> {
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const { name = '', company = null, billing_address: address = null, country, language } = customers[0] ?? {};
  return { name, company, address, country: country || null, language: language || null };
}

/** Returns the parts that the PDFs of offers and orders share. */
export const documentPdfParts = ({
  number,
  status,
  lines,
  currency,
  discount,
}: Pick<Offer, 'number' | 'status' | 'lines' | 'currency' | 'discount'>) => ({
  number,
  mark: WATERMARKS[status] ?? null,
  currency,
  discount,
  settlement: [],
  // The same amounts that the document stores.
  ...printedAmounts(lines, computeTotals(lines, currency, discount).lines, currency),
});

/** Returns the parts that the PDFs of all offers share. */
export const offerPdfParts = (offer: Offer, until: string) => ({
  ...documentPdfParts(offer),
  // Drafts and ended offers cannot be accepted.
  acceptance: offer.status === 'sent',
  facts: [
    ['date', { day: offer.issue_date }],
    ['valid_until', { day: until }],
    ['revision', { text: offer.revision > 1 ? String(offer.revision) : null }],
  ] satisfies PdfDocument['facts'],
});
