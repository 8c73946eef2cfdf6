/** Offers on paper: quotes and proposals. */
import type { Send } from '@suite/chassis';
import { asPdf, type Letter } from '@suite/paper';
import type { z } from 'zod';
import type { Rpc } from '../operations.ts';
import type { ProposalDetails } from '../proposals/proposal.schema.ts';
import type { QuoteDetails } from '../sales/quote.schema.ts';

/** What stands across an offer that does not hold. */
const MARKS: Record<string, string> = { draft: 'DRAFT', expired: 'EXPIRED', cancelled: 'CANCELLED' };

type Offer = z.output<typeof QuoteDetails> | z.output<typeof ProposalDetails>;

/** What the letters of all offers say alike. */
const offered = ({ number, status, revision, issue_date, currency, lines, taxes, ...sums }: Offer, until: string) => ({
  ...{ number, mark: MARKS[status] ?? null, currency, lines, sums, taxes, settlement: [] },
  facts: [
    ['Date', { day: issue_date }],
    ['Valid until', { day: until }],
    ['Revision', { text: revision > 1 ? String(revision) : null }],
  ] satisfies Letter['facts'],
});

/** Prints a quote, a draft as a draft. */
export async function printQuote({ record, rpc }: { record: z.output<typeof QuoteDetails>; rpc: Rpc }): Promise<Send> {
  const { customer_name: company, contact, billing_address: address, shipping_address } = record;
  return await asPdf({
    ...{ title: 'Quote', ...offered(record, record.expiry_date), from: await rpc.platform.getLetterhead({}) },
    to: { company, name: contact ?? '', address },
    texts: [
      ['Delivery address', shipping_address === address ? null : shipping_address],
      ['Terms', record.terms],
    ],
  });
}

/** Prints a proposal, a draft as a draft. Finance is asked where its customer is; notes are for ourselves, and stay here. */
export async function printProposal({
  record,
  rpc,
}: {
  record: z.output<typeof ProposalDetails>;
  rpc: Rpc;
}): Promise<Send> {
  const { customer_id, customer_name: name } = record;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const { company = null, billing_address: address = null } = customers[0] ?? {};
  return await asPdf({
    ...{ title: 'Proposal', ...offered(record, record.valid_until), from: await rpc.platform.getLetterhead({}) },
    to: { name, company, address },
    texts: [['Terms', record.terms]],
  });
}
