import {
  choice,
  Currency,
  BusinessDay,
  PlannedDay,
  Day,
  Email,
  Id,
  foreignId,
  inner,
  input,
  Name,
  LongText,
  record,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { conversionFields } from '@suite/document-lines';
import { proposalStates } from './proposal.rules.ts';
import { Lines, LineTax, pricing, SalesLine, totals } from '../documents/document.schema.ts';

const Acceptance = z
  .object({
    name: z.string(),
    email: z.string().nullable(),
    ip: z.string(),
    user_id: Id.describe('ID of the user who took the action.'),
    on_behalf: z.boolean().describe('Whether a staff user accepted it on behalf of the customer.'),
  })
  .meta({ id: 'ProposalAcceptance' });

/** Proposal, as returned in lists. */
export const Proposal = record({
  number: z.string().nullable().describe('Proposal number, assigned when first sent or accepted.'),
  customer_id: Id,
  customer_name: z.string(),
  issue_date: Day,
  valid_until: Day.describe("Last day for acceptance, in the workspace's time zone."),
  currency: Currency,
  terms: z.string().nullable(),
  notes: inner(z.string().nullable().describe('Internal notes.')),
  ...totals,
  status: choice('draft', 'sent', 'accepted', 'rejected', 'expired', 'converted'),
  revision: z.int().describe('Revision number. Increases with each change after sending.'),
  sent_at: Timestamp.nullable(),
  accepted_at: Timestamp.nullable(),
  accepted_by: Acceptance.nullable(),
  rejected_at: Timestamp.nullable(),
  reject_reason: z.string().nullable(),
  converted_at: Timestamp.nullable(),
  invoice_id: Id.nullable().describe('ID of the draft invoice that the proposal was converted to.'),
  public_token: z.string().describe('Token of the public link to the proposal.'),
  allowed_actions: Actions(proposalStates),
}).meta({ id: 'Proposal' });

/** Proposal with its lines. */
export const ProposalDetails = Proposal.extend({ taxes: z.array(LineTax), lines: z.array(SalesLine) }).meta({
  id: 'ProposalDetails',
});

/** Response of a conversion. A dry run has no invoice. */
export const ProposalConversion = ProposalDetails.extend({
  exchange_rate: conversionFields.exchange_rate,
  warnings: z.array(z.string()).describe('Warnings to check before posting the invoice.'),
}).meta({ id: 'ProposalConversion' });

export const ProposalFilter = list(Proposal, {
  filter: [
    ...(['number', 'customer_id', 'issue_date', 'valid_until', 'currency', 'total', 'status', 'invoice_id'] as const),
    ...(['created_by', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'number', 'issue_date', 'valid_until', 'total', 'customer_name'],
  search: true,
});

const optional = {
  issue_date: BusinessDay.optional().describe('Defaults to today.'),
  ...pricing,
  terms: LongText.nullable().optional(),
  notes: LongText.nullable().optional(),
};

export const ProposalInput = input({
  customer_id: foreignId('finance.customer'),
  valid_until: PlannedDay,
  lines: Lines,
  ...optional,
});

export const ProposalChanges = input({
  customer_id: foreignId('finance.customer').optional(),
  valid_until: PlannedDay.optional(),
  lines: Lines.optional(),
  ...optional,
  version,
});

export const AcceptanceInput = input({
  name: Name.optional().describe('Name of the person who accepts for the customer. Defaults to the caller.'),
  email: Email.optional(),
  version,
});

export const RejectionInput = input({ reason: LongText.max(500).min(1), version });

export type ProposalRow = z.input<typeof ProposalDetails>;
export type ProposalInput = z.output<typeof ProposalInput>;
export type ProposalChanges = z.output<typeof ProposalChanges>;
export type AcceptanceInput = z.output<typeof AcceptanceInput>;
