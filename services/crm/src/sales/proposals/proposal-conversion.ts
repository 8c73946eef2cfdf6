/**
 * Conversion of a proposal to a draft invoice, once. Finance creates one draft per key, for any number of requests. If
 * that draft is deleted, or its invoice is cancelled, the status returns to `accepted`, and the next draft has another
 * key.
 * Chosen: a proposal has one invoice. A remainder after a reduced draft needs a separate invoice, or an order instead of
 * a proposal, since a client accepts the offer as a whole.
 */
import { assertVersion, find, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import { type ExchangeRate, exchangeRateOf, rateWarnings, toDraftInvoice } from '@suite/document-lines';
import { ProposalConverted } from '@suite/proto/crm/v1/events';
import type { z } from 'zod';
import type { Db, Read, Rpc, CommandContext } from '../../operations.ts';
import { readProposal } from './proposal.view.ts';
import { lockProposal, moveProposal } from './proposal.ts';
import { proposalStates } from './proposal.rules.ts';
import { type ProposalConversion, ProposalDetails, type ProposalRow } from './proposal.schema.ts';

export const DraftWasDeleted = fault(
  409,
  'draft_was_deleted',
  'The draft invoice was deleted while the proposal was being converted. Convert it again.',
  { retryable: true },
);

/** Draft that finance created, or would create, and the number of earlier deleted drafts of the proposal. */
interface DraftInvoice {
  invoice_id: string;
  deleted_drafts: number;
  exchange_rate: z.input<typeof ExchangeRate> | null;
}

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  read: Read;
  expect: number | undefined;
}

/** Uses only the revision for the first draft. Later drafts add the number of deleted drafts. */
const keyOf = (id: string, revision: number, deleted_drafts: number): string =>
  [id, revision, ...(deleted_drafts > 0 ? [deleted_drafts] : [])].join(':');

/**
 * Requests the draft of an accepted proposal from finance, before the transaction. The key and the content of the draft
 * can no longer change, so a repeat after a crash finds the same draft.
 * @returns undefined if the proposal is already converted
 * @throws InvalidTransition, Stale
 */
export async function prepareProposalInvoice(
  { caller, rpc, read, expect }: PrepareContext,
  id: string,
  { dry_run, rate = '' }: { dry_run: boolean; rate?: string | undefined },
): Promise<DraftInvoice | undefined> {
  const { shown, deleted_drafts } = await read(async (db) => ({
    shown: await readProposal(db, caller, id),
    deleted_drafts: (await find(db.proposal, id)).deleted_drafts,
  }));
  const proposal = ProposalDetails.parse(shown);
  assertVersion(proposal, expect);
  if (proposal.status === 'converted') return undefined;
  proposalStates.assertFits('convert', proposal, caller);
  const draft = await rpc.finance.createDraftInvoice({
    idempotency_key: keyOf(id, proposal.revision, deleted_drafts),
    invoice_date: today(caller.timezone),
    reference: proposal.number ?? '',
    notes: proposal.terms ?? '',
    customer_id: proposal.customer_id,
    currency: proposal.currency,
    warehouse_id: '',
    proposal_id: id,
    sales_order_id: '',
    lines: toDraftInvoice(proposal.lines, 'proposal'),
    discount: proposal.discount ?? undefined,
    rate,
    sequence: 0,
    dry_run,
  });
  const exchange_rate = exchangeRateOf(draft, caller);
  return { invoice_id: draft.sales_invoice_id, deleted_drafts, exchange_rate };
}

/** Returns warnings to check before the invoice is posted. */
async function warningsOf({ db, caller }: CommandContext, proposal: ProposalRow): Promise<string[]> {
  const [{ is_over } = { is_over: false }] = await db.rows<{ is_over: boolean }>(sql`
    SELECT expires_at <= ${clock.now()}::timestamptz AS is_over FROM proposals WHERE id = ${proposal.id}::uuid`);
  return [
    ...(is_over ? ['The validity of the proposal has ended.'] : []),
    ...(proposal.currency === caller.currency
      ? []
      : ['The currency of the invoice differs from the currency of the workspace.']),
  ];
}

/** Converts an accepted proposal. A second call returns the invoice of the first. @throws DraftWasDeleted */
export async function convertProposal(
  context: CommandContext,
  id: string,
  drafted: DraftInvoice | undefined,
  { expect, dry_run }: { expect: number | undefined; dry_run: boolean },
): Promise<z.input<typeof ProposalConversion>> {
  const { db, caller, emit } = context;
  await lockProposal(db, id);
  const before = await find(db.proposal, id);
  if (drafted) {
    const { invoice_id, deleted_drafts } = drafted;
    if (before.deleted_drafts !== deleted_drafts) throw DraftWasDeleted();
    if (before.status !== 'converted') assertVersion(before, expect);
    const moved = await moveProposal(context, id, 'convert', { invoice_id, converted_at: clock.now() });
    if (moved) emit(ProposalConverted, { proposal_id: id, number: before.number ?? '', sales_invoice_id: invoice_id });
  }
  const proposal = await readProposal(db, caller, id);
  const exchange_rate = drafted?.exchange_rate ?? null;
  const warnings = [...(await warningsOf(context, proposal)), ...rateWarnings(exchange_rate)];
  return {
    ...proposal,
    exchange_rate,
    warnings,
    ...(dry_run && before.status !== 'converted' && { invoice_id: null }),
  };
}

/**
 * Forgets an invoice that was deleted as a draft or cancelled. Its proposal can then be converted again. A concurrent
 * conversion does not end with a deleted draft.
 */
export async function clearDraft(db: Db, proposal_id: string, sales_invoice_id: string): Promise<void> {
  const [proposal] = await db.rows<{ invoice_id: string | null }>(sql`
    UPDATE proposals SET deleted_drafts = deleted_drafts + 1 WHERE id = ${proposal_id}::uuid RETURNING invoice_id`);
  if (proposal?.invoice_id !== sales_invoice_id) return;
  await proposalStates.move(db.proposal, proposal_id, 'reopen', { invoice_id: null, converted_at: null });
}
