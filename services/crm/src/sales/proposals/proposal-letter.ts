import type { Send } from '@suite/chassis/operations';
import { asPdf, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import { addressee, offered, type OfferPrint } from '../documents/offer-letter.ts';
import type { ProposalDetails } from './proposal.schema.ts';

/**
 * Creates the PDF of a proposal, with a watermark for drafts. The customer address comes from finance. Internal notes
 * are omitted.
 */
export async function printProposal({
  record,
  caller,
  rpc,
}: OfferPrint<z.output<typeof ProposalDetails>>): Promise<Send> {
  const { customer_id, customer_name: name } = record;
  const known = await addressee({ rpc }, customer_id);
  const letter: PdfDocument = {
    title: 'proposal',
    ...offered(record, record.valid_until),
    from: await rpc.platform.getLetterhead({}),
    to: { ...known, name },
    texts: [['terms', record.terms]],
  };
  return await asPdf(letter, caller.workspace_id);
}
