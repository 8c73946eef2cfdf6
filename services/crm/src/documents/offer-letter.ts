/** Offers on paper: what the letters of quotes and of proposals have in common. */
import type { Caller, Discount } from '@suite/chassis';
import { computeTotals, printedFigures } from '@suite/document-lines';
import type { Letter } from '@suite/pdf';
import type { z } from 'zod';
import type { Rpc } from '../operations.ts';
import type { SalesLine } from './document.schema.ts';

/** The watermark of an offer that is not valid. */
const MARKS: Record<string, string> = { draft: 'DRAFT', expired: 'EXPIRED', cancelled: 'CANCELLED' };

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

/** The parts that the letters of all offers share. */
export const offered = ({ lines, currency, discount, ...offer }: Offer, until: string) => ({
  number: offer.number,
  mark: MARKS[offer.status] ?? null,
  currency,
  discount,
  settlement: [],
  // The same figures that the offer stores.
  ...printedFigures(lines, computeTotals(lines, currency, discount).lines, currency),
  facts: [
    ['Date', { day: offer.issue_date }],
    ['Valid until', { day: until }],
    ['Revision', { text: offer.revision > 1 ? String(offer.revision) : null }],
  ] satisfies Letter['facts'],
});
