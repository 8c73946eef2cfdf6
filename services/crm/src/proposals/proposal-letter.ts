import type { Send } from '@suite/chassis';
import { asPdf, type Letter } from '@suite/pdf';
import type { z } from 'zod';
import { offered, type Print } from '../documents/offer-letter.ts';
import type { ProposalDetails } from './proposal.schema.ts';

/** Prints a proposal, a draft as a draft. Finance is asked where its customer is; notes are for ourselves, and stay here. */
export async function printProposal({ record, caller, rpc }: Print<z.output<typeof ProposalDetails>>): Promise<Send> {
  const { customer_id, customer_name: name } = record;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const { company = null, billing_address: address = null } = customers[0] ?? {};
  const letter: Letter = {
    title: 'Proposal',
    ...offered(record, record.valid_until),
    from: await rpc.platform.getLetterhead({}),
    to: { name, company, address },
    texts: [['Terms', record.terms]],
  };
  return await asPdf(letter, caller.workspace_id);
}
