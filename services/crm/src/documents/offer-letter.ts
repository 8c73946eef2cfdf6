/** Offers on paper: quotes and proposals. */
import type { Caller, Send } from '@suite/chassis';
import { documentTotals, printedTotals } from '@suite/money';
import { asPdf, type Letter } from '@suite/paper';
import type { z } from 'zod';
import type { Rpc } from '../operations.ts';
import type { ProposalDetails } from '../proposals/proposal.schema.ts';
import type { QuoteDetails } from '../quotes/quote.schema.ts';

/** What stands across an offer that does not hold. */
const MARKS: Record<string, string> = { draft: 'DRAFT', expired: 'EXPIRED', cancelled: 'CANCELLED' };

type Offer = z.output<typeof QuoteDetails> | z.output<typeof ProposalDetails>;

interface Print<Shown> {
  record: Shown;
  caller: Caller;
  rpc: Rpc;
}

/** Lines and sums in the order in which a reader adds them up, from the same figures that the offer stores. */
function printedFigures({ lines, currency, discount }: Offer): Pick<Letter, 'lines' | 'sums' | 'discount'> {
  const { amounts, ...sums } = printedTotals(documentTotals({ currency, discount, lines }).lines, currency);
  return { lines: lines.map((line, at) => ({ ...line, amount: amounts[at]! })), sums, discount };
}

/** What the letters of all offers say alike. */
const offered = (offer: Offer, until: string) => ({
  ...{ number: offer.number, mark: MARKS[offer.status] ?? null, currency: offer.currency, settlement: [] },
  ...printedFigures(offer),
  facts: [
    ['Date', { day: offer.issue_date }],
    ['Valid until', { day: until }],
    ['Revision', { text: offer.revision > 1 ? String(offer.revision) : null }],
  ] satisfies Letter['facts'],
});

/** Prints a quote, a draft as a draft. */
export async function printQuote({ record, caller, rpc }: Print<z.output<typeof QuoteDetails>>): Promise<Send> {
  const { customer_name: company, contact, billing_address: address, shipping_address } = record;
  const letter: Letter = {
    ...{ title: 'Quote', ...offered(record, record.expiry_date), from: await rpc.platform.getLetterhead({}) },
    to: { company, name: contact ?? '', address },
    texts: [
      ['Delivery address', shipping_address === address ? null : shipping_address],
      ['Terms', record.terms],
    ],
  };
  return await asPdf(letter, caller.workspace_id);
}

/** Prints a proposal, a draft as a draft. Finance is asked where its customer is; notes are for ourselves, and stay here. */
export async function printProposal({ record, caller, rpc }: Print<z.output<typeof ProposalDetails>>): Promise<Send> {
  const { customer_id, customer_name: name } = record;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const { company = null, billing_address: address = null } = customers[0] ?? {};
  const letter: Letter = {
    ...{ title: 'Proposal', ...offered(record, record.valid_until), from: await rpc.platform.getLetterhead({}) },
    to: { name, company, address },
    texts: [['Terms', record.terms]],
  };
  return await asPdf(letter, caller.workspace_id);
}
