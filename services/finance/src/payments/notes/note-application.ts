/** Use of notes: the remainder is applied to other invoices of the same party, or refunded. */
import { sql } from '@suite/chassis/database';
import { fault, NotFound } from '@suite/chassis/faults';
import { partyOf, type Side } from '../../invoices/documents/side.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { claimsOf, type InvoicePart } from '../payments/payment.ts';
import { refundCredit, type RefundableCredit } from '../refunds/refund.ts';
import type { RefundInput } from '../refunds/refund.schema.ts';
import { undoAllocations } from '../settlement/deallocation.ts';
import { applyCredit } from '../settlement/settlement.ts';

export const NoteIsDraft = fault(409, 'note_is_draft', 'This note is a draft. Complete its return first.');

/** Returns a note of this side. @throws NotFound, NoteIsDraft */
async function noteOf(db: Db, side: Side, id: string): Promise<RefundableCredit> {
  const [note] = await db.rows<RefundableCredit>(sql`
    SELECT number, coalesce(customer_id, vendor_id) AS party_id, open_item_id, date, currency, rate FROM notes
    WHERE id = ${id}::uuid AND kind = ${side === 'sales' ? 'credit' : 'debit'}`);
  if (!note) throw NotFound();
  if (!note.open_item_id) throw NoteIsDraft();
  return note;
}

/** Applies the remainder of a note to invoices. @throws OverAllocated, CurrencyMismatch, PeriodLocked */
export async function applyNote(
  context: CommandContext,
  side: Side,
  id: string,
  { allocations, date }: { allocations: readonly InvoicePart[]; date?: string | undefined },
): Promise<void> {
  const { db } = context;
  const note = await noteOf(db, side, id);
  const claims = await claimsOf(db, partyOf(side, note.party_id), allocations, 'allocations');
  await applyCredit(context, { credit_id: note.open_item_id, allocations: claims, date });
}

/** Refunds the remainder of a note, or a part. @throws NoteIsDraft, and the faults of `refundCredit` */
export async function refundNote(context: CommandContext, side: Side, id: string, input: RefundInput): Promise<void> {
  const source = await noteOf(context.db, side, id);
  await refundCredit(context, side, { source, owner: { note_id: id } }, input);
}

/** Undoes applications of a note. @throws NoteIsDraft, and the faults of `undoAllocations` */
export async function unapplyNote(
  context: CommandContext,
  side: Side,
  id: string,
  input: { allocation_ids: readonly string[]; date?: string | undefined },
): Promise<void> {
  const { open_item_id: credit_id } = await noteOf(context.db, side, id);
  await undoAllocations(context, { credit_id, ...input });
}
