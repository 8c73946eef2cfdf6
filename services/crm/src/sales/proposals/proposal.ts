/** Creation, update and deletion of proposals, with their rules. */
import { assertVersion, change, find, remove } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { CommandContext, Db, Read, Rpc } from '../../operations.ts';
import {
  fetchCustomer,
  fetchCustomerChange,
  type CustomerChange,
  customerColumns,
  storeCustomerLink,
} from '../references/customer.ts';
import { fetchChangedLines, fetchLines, type DraftLine, repriceLines, writeLines } from '../documents/lines.ts';
import { endOfDay, lockOffer } from '../documents/validity.ts';
import { readProposal } from './proposal.view.ts';
import { proposalStates } from './proposal.rules.ts';
import type { ProposalChanges, ProposalInput, ProposalRow } from './proposal.schema.ts';

export const ProposalIsSettled = fault(
  409,
  'proposal_is_settled',
  'This proposal was answered or has expired. Create a new proposal instead.',
);

/** Records of other services in a request body. */
interface ProposalReferences {
  customer: Customer | undefined;
  lines: DraftLine[] | undefined;
}

/** Requests the referenced customer and products from their services, before the transaction. */
export const fetchReferences = async (
  rpc: Rpc,
  { customer_id, lines }: ProposalInput,
): Promise<ProposalReferences> => ({
  customer: await fetchCustomer(rpc, customer_id),
  lines: await fetchLines(rpc, lines),
});

/** Requests the referenced records of an update from their services, before the transaction. */
export const fetchChangeReferences = async (
  { rpc, read }: { rpc: Rpc; read: Read },
  id: string,
  { customer_id, lines }: ProposalChanges,
): Promise<ProposalReferences & CustomerChange> => ({
  ...(await fetchCustomerChange({ rpc, read }, customer_id, (db) => find(db.proposal, id))),
  lines: await fetchChangedLines({ rpc, read }, { key: 'proposal_id', id }, lines),
});

/**
 * Moves a proposal to another status. @returns false if it already has that status @throws InvalidTransition, with the
 * actions that the caller may take instead
 */
export const moveProposal = (
  { db, caller }: Pick<CommandContext, 'db' | 'caller'>,
  id: string,
  verb: 'send' | 'accept' | 'reject' | 'convert' | 'revise',
  patch: object,
): Promise<boolean> => proposalStates.move(db.proposal, id, verb, patch, caller);

/** Locks a proposal until the transaction ends. @throws NotFound if it does not exist or the caller cannot see it */
export async function lockProposal(db: Db, id: string): Promise<void> {
  await lockOffer(db, 'proposals', id);
  await find(db.proposal, id);
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function assertDays(issue_date: string, valid_until: string): void {
  if (valid_until < issue_date) throw invalid('valid_until', 'The last day must not be before the date of issue.');
}

/**
 * Returns the customer fields that a proposal copies. Also stores the portal user of the customer, for all its
 * documents.
 */
export async function copyCustomer(db: Db, customer: Customer | undefined): Promise<{ customer_name?: string }> {
  if (!customer) return {};
  await storeCustomerLink(db, customer);
  return { customer_name: customer.name };
}

/** Creates a draft. */
export async function createProposal(
  { db, caller }: CommandContext,
  input: ProposalInput,
  known: ProposalReferences,
): Promise<ProposalRow> {
  const { lines: _, discount = null, issue_date = today(caller.timezone), valid_until, ...columns } = input;
  const { customer, lines = [] } = known;
  assertDays(issue_date, valid_until);
  const currency = input.currency ?? (customer?.currency || caller.currency);
  const { id } = await db.proposal.create({
    data: {
      customer_name: '',
      ...columns,
      ...(await copyCustomer(db, customer)),
      currency,
      issue_date: midnight(issue_date),
      valid_until: midnight(valid_until),
      expires_at: await endOfDay(db, valid_until, caller),
    },
  });
  await change(db.proposal, id, await writeLines(db, { key: 'proposal_id', id }, lines, { currency, discount }));
  return readProposal(db, caller, id);
}

/** Updates a proposal. A sent proposal becomes a draft of the next revision. @throws ProposalIsSettled */
export async function updateProposal(
  { db, caller }: CommandContext,
  id: string,
  { version: _, lines: __, ...input }: ProposalChanges,
  { expect, ...known }: ProposalReferences & CustomerChange & { expect: number | undefined },
): Promise<ProposalRow> {
  await lockProposal(db, id);
  const before = await find(db.proposal, id);
  assertVersion(before, expect);
  if (!proposalStates.fits('update', before)) throw ProposalIsSettled();
  if (Object.keys(input).length === 0 && !known.lines) return readProposal(db, caller, id);
  if (before.status === 'sent') {
    await moveProposal({ db, caller }, id, 'revise', { revision: before.revision + 1, sent_at: null });
  }
  const { discount, issue_date, valid_until, ...columns } = input;
  const until = valid_until ?? dayOf(before.valid_until);
  assertDays(issue_date ?? dayOf(before.issue_date), until);
  const lineChanges = { lines: known.lines, currency: input.currency, discount };
  await change(db.proposal, id, {
    ...customerColumns(before, input, known),
    ...columns,
    ...(await copyCustomer(db, known.customer)),
    ...(issue_date && { issue_date: midnight(issue_date) }),
    ...(valid_until && { valid_until: midnight(valid_until), expires_at: await endOfDay(db, until, caller) }),
    ...(await repriceLines(db, { key: 'proposal_id', id }, before, lineChanges)),
  });
  return readProposal(db, caller, id);
}

/** Deletes a draft, or a rejected or expired proposal. @throws InvalidTransition */
export async function removeProposal(db: Db, caller: Caller, id: string): Promise<{ id: string }> {
  await lockProposal(db, id);
  proposalStates.assertFits('delete', await find(db.proposal, id), caller);
  return await remove(db.proposal, id);
}
