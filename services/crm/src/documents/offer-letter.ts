/** Offers on paper: what the letters of quotes and of proposals have in common. */
import type { Caller, Discount } from '@suite/chassis';
import { computeTotals, printedFigures } from '@suite/document-lines';
import type { Label, Letter, Recipient } from '@suite/pdf';
import type { z } from 'zod';
import type { Rpc } from '../operations.ts';
import type { SalesLine } from './document.schema.ts';

/** The watermark of an offer that is not valid. */
const MARKS: Readonly<Record<string, Label>> = { draft: 'draft', expired: 'expired', cancelled: 'cancelled' };

/** The fields that quotes and proposals share, as far as their letters show them. */
interface Offer {
  number: string | null;
  status: string;
  currency: string;
  issue_date: string;
  revision: number;
  discount: Discount | null;
  lines: z.output<typeof SalesLine>[];
}

/** The record and the context that a letter is printed from. */
export interface Print<Shown> {
  record: Shown;
  caller: Caller;
  rpc: Rpc;
}

/** The addressee of an offer, as finance knows the customer. */
export async function addressee({ rpc }: Pick<Print<unknown>, 'rpc'>, customer_id: string): Promise<Recipient> {
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const { name = '', company = null, billing_address: address = null, country, language } = customers[0] ?? {};
  return { name, company, address, country: country || null, language: language || null };
}

/** The parts that the letters of all offers share. */
export const offered = ({ lines, currency, discount, ...offer }: Offer, until: string) => ({
  number: offer.number,
  mark: MARKS[offer.status] ?? null,
  currency,
  discount,
  settlement: [],
  // A draft, and an offer that has ended, cannot be accepted.
  acceptance: offer.status === 'sent',
  // The same figures that the offer stores.
  ...printedFigures(lines, computeTotals(lines, currency, discount).lines, currency),
  facts: [
    ['date', { day: offer.issue_date }],
    ['valid_until', { day: until }],
    ['revision', { text: offer.revision > 1 ? String(offer.revision) : null }],
  ] satisfies Letter['facts'],
});
