/** Sending of a proposal to its customer, and the customer's answer. */
import { assertVersion, find } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { ProposalAccepted, ProposalRejected, ProposalSent } from '@suite/proto/crm/v1/events';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Read, Rpc, CommandContext } from '../../operations.ts';
import { fetchCustomer } from '../references/customer.ts';
import { assignNumber } from '../documents/document-numbers.ts';
import { ValidityIsOver } from '../documents/validity.ts';
import { readProposal } from './proposal.view.ts';
import { copyCustomer, lockProposal, moveProposal } from './proposal.ts';
import { assertMayAccept, assertMayAnswer, isClient } from './proposal.rules.ts';
import type { AcceptanceInput, ProposalRow } from './proposal.schema.ts';

type ExpectedVersion = number | undefined;

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Locks a proposal that is about to change until the transaction ends. */
async function lockForAnswer({ db }: CommandContext, id: string, expect: ExpectedVersion) {
  await lockProposal(db, id);
  const proposal = await find(db.proposal, id);
  assertVersion(proposal, expect);
  return proposal;
}

/**
 * Fetches the current customer of a draft from finance before the transaction, with its portal user. Rejects an
 * archived customer.
 */
export async function fetchRecipient(
  { rpc, read, caller }: { rpc: Rpc; read: Read; caller: Caller },
  id: string,
): Promise<Customer | undefined> {
  const { status, customer_id } = await read((db) => readProposal(db, caller, id));
  return status === 'draft' ? await fetchCustomer(rpc, customer_id) : undefined;
}

/** Sends a draft to its customer. @throws ValidityIsOver */
export async function sendProposal(
  context: CommandContext,
  id: string,
  recipient: Customer | undefined,
  expect: ExpectedVersion,
): Promise<ProposalRow> {
  const { db, caller, emit } = context;
  const before = await lockForAnswer(context, id, expect);
  if (before.status === 'draft' && before.expires_at <= clock.now()) throw ValidityIsOver();
  if (await moveProposal(context, id, 'send', { sent_at: clock.now(), ...(await copyCustomer(db, recipient)) })) {
    const assigned = await assignNumber(db, 'proposal', id, dayOf(before.issue_date));
    emit(ProposalSent, { proposal_id: id, number: assigned, customer_id: before.customer_id });
  }
  return readProposal(db, caller, id);
}

/** Accepts a sent proposal, or a draft on behalf of the customer, which is recorded. */
export async function acceptProposal(
  work: CommandContext & { address: string },
  id: string,
  { name, email }: AcceptanceInput,
  expect: ExpectedVersion,
): Promise<ProposalRow> {
  const { db, caller, emit, address: ip } = work;
  assertMayAccept(caller);
  const before = await lockForAnswer(work, id, expect);
  const isDraft = before.status === 'draft';
  assertMayAnswer(caller, isDraft ? 'proposal.accept_on_behalf' : 'proposal.update');
  if (isDraft && before.expires_at <= clock.now()) throw ValidityIsOver();
  const { user_id, user_name } = caller;
  const on_behalf = !isClient(caller);
  const accepted_by = { name: name ?? user_name, email: email ?? null, ip, user_id, on_behalf };
  if (await moveProposal(work, id, 'accept', { accepted_at: clock.now(), accepted_by })) {
    const assigned = await assignNumber(db, 'proposal', id, dayOf(before.issue_date));
    emit(ProposalAccepted, { proposal_id: id, number: assigned });
  }
  return readProposal(db, caller, id);
}

/** Rejects a sent proposal. */
export async function rejectProposal(
  context: CommandContext,
  id: string,
  reason: string,
  expect: ExpectedVersion,
): Promise<ProposalRow> {
  const { db, caller, emit } = context;
  assertMayAnswer(caller, 'proposal.reject');
  const before = await lockForAnswer(context, id, expect);
  const rejection = { rejected_at: clock.now(), reject_reason: reason };
  if (await moveProposal(context, id, 'reject', rejection)) {
    emit(ProposalRejected, { proposal_id: id, number: before.number ?? '', reason });
  }
  return readProposal(db, caller, id);
}
