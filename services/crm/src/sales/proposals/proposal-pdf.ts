import type { ResponseWriter } from '@suite/chassis/operations';
import { sendPdf, type PdfDocument } from '@suite/pdf';
import type { z } from 'zod';
import { fetchRecipient, offerPdfParts, type OfferPdfInput } from '../documents/offer-pdf.ts';
import type { ProposalDetails } from './proposal.schema.ts';

/**
 * Creates the PDF of a proposal, with a watermark for drafts. The customer address comes from finance. Internal notes
 * are omitted.
 */
export async function printProposal({
  record,
  caller,
  rpc,
}: OfferPdfInput<z.output<typeof ProposalDetails>>): Promise<ResponseWriter> {
  const { customer_id, customer_name: name } = record;
  const known = await fetchRecipient({ rpc }, customer_id);
  const pdf: PdfDocument = {
    title: 'proposal',
    ...offerPdfParts(record, record.valid_until),
    from: await rpc.platform.getLetterhead({}),
    to: { ...known, name },
    texts: [['terms', record.terms]],
  };
  return await sendPdf(pdf, caller.workspace_id);
}
