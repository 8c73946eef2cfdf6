import { choice, Currency, Email, foreignId, input, ShortText, Money, Name, Phone, refTo } from '@suite/chassis/fields';
import { z } from 'zod';

const KnownClient = z.strictObject({
  id: foreignId('platform.user').describe('ID of an existing client user of this workspace.'),
});
const NewClient = z.strictObject({
  name: Name,
  email: Email,
  phone: Phone.optional(),
  password: ShortText(200)
    .min(10)
    .optional()
    .describe(
      'Password of the new client, valid after the invitation is accepted. If omitted, the client chooses one then. Rejected for a client with an account.',
    ),
});

/** Deal fields for the conversion of a lead. */
export const LeadConversion = input({
  deal_name: Name.optional().describe('Name of the deal. Defaults to the name of the lead.'),
  price: Money.optional().describe('Price of the deal. Defaults to the expected value of the lead.'),
  currency: Currency.optional(),
  pipeline_id: refTo('pipelines').optional().describe('Defaults to the pipeline of the lead.'),
  stage_id: refTo('deal_stages').optional(),
  client: z
    .union([KnownClient, NewClient])
    .optional()
    .describe(
      'The buyer: a client user, or the details of a new one. Defaults to the client with the e-mail address of the lead, if any.',
    ),
  copy: z
    .array(choice('products', 'sources', 'files', 'discussions', 'calls', 'emails'))
    .default([])
    .describe('Parts of the lead to copy to the deal.'),
});

export type LeadConversion = z.output<typeof LeadConversion>;
