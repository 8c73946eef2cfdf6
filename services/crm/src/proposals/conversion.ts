/** A proposal becomes a draft invoice, once. Finance makes one draft for one key, whoever asks and however often. */
import { randomUUIDv7 } from 'node:crypto';
import { assertSeen, type Caller, clock, find, sql, today } from '@suite/chassis';
import { ProposalConverted } from '@suite/proto/crm/v1/events';
import type { z } from 'zod';
import type { Read, Rpc, Work } from '../operations.ts';
import { drafted } from '../sales/drafting.ts';
import { assertConvertible } from './answer.ts';
import { holdProposal, proposalStates, readProposal } from './proposal-view.ts';
import { type ProposalConversion, ProposalDetails, type ProposalRow } from './proposal.schema.ts';

interface Means {
  caller: Caller;
  rpc: Rpc;
  read: Read;
  expect: number | undefined;
}

/**
 * Has finance make the draft of an accepted proposal; before the transaction. The key holds the revision, which cannot
 * change any more: a repeat after a crash finds the same draft.
 * @returns the id of the draft; nothing when the proposal is converted already
 * @throws InvalidTransition, Stale
 */
export async function prepareInvoice({ caller, rpc, read, expect }: Means, id: string, dry_run: boolean) {
  const proposal = ProposalDetails.parse(await read((db) => readProposal(db, caller, id)));
  assertSeen(proposal, expect);
  assertConvertible(proposal.status);
  if (proposal.status === 'converted') return undefined;
  // Rehearsed, nobody is asked: the transaction is undone, and with it this id.
  if (dry_run) return randomUUIDv7();
  const { sales_invoice_id } = await rpc.finance.createDraftInvoice({
    idempotency_key: `${id}:${proposal.revision}`,
    invoice_date: today(caller.timezone),
    reference: proposal.number ?? '',
    notes: proposal.terms ?? '',
    ...{ customer_id: proposal.customer_id, currency: proposal.currency, warehouse_id: '' },
    ...{ proposal_id: id, sales_order_id: '' },
    ...{ lines: drafted(proposal.lines), discount: proposal.discount ?? undefined },
  });
  return sales_invoice_id;
}

/** What somebody should look at before the invoice is posted. */
async function warningsOf({ db, caller }: Work, proposal: ProposalRow): Promise<string[]> {
  const [{ is_over } = { is_over: false }] = await db.rows<{ is_over: boolean }>(sql`
    SELECT expires_at <= ${clock.now()}::timestamptz AS is_over FROM proposals WHERE id = ${proposal.id}::uuid`);
  return [
    ...(is_over ? ['The day until which the proposal was valid is over.'] : []),
    ...(proposal.currency === caller.currency ? [] : ['The invoice is not in the currency of the workspace.']),
  ];
}

/** Converts an accepted proposal. Whoever comes second finds what is there. */
export async function convertProposal(
  work: Work,
  id: string,
  invoice_id: string | undefined,
  { expect, dry_run }: { expect: number | undefined; dry_run: boolean },
): Promise<z.input<typeof ProposalConversion>> {
  const { db, caller, emit } = work;
  await holdProposal(db, caller, id);
  const before = await find(db.proposal, id);
  if (invoice_id) {
    if (before.status !== 'converted') assertSeen(before, expect);
    const moved = await proposalStates.move(db.proposal, id, 'convert', { invoice_id, converted_at: clock.now() });
    if (moved) emit(ProposalConverted, { proposal_id: id, number: before.number ?? '', sales_invoice_id: invoice_id });
  }
  const proposal = await readProposal(db, caller, id);
  const warnings = await warningsOf(work, proposal);
  return { ...proposal, warnings, ...(dry_run && before.status !== 'converted' && { invoice_id: null }) };
}
