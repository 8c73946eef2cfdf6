/** Undoing of single allocations by a reversing entry. The invoice and the payment or note are open again. */
import { sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { booksOf } from '../../ledger/books/books.ts';
import {
  applicationLines,
  assertNotBefore,
  type OpenItem,
  type Settlement,
} from '../../ledger/ledger/open-items.rules.ts';
import { lockItems, undoSettlements, type UndoneSettlement } from '../../ledger/ledger/open-items.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { updateSettledDocuments } from './settlement.ts';

export const RefundAllocation = fault(
  409,
  'refund_allocation',
  'This allocation belongs to a refund. Reverse the refund instead.',
);

interface AllocationRow {
  id: string;
  claim_id: string;
  document_type: string;
}

/** Returns the allocations of a credit in the request. @throws a 422 that names the field, RefundAllocation */
async function allocationsOf(db: Db, credit_id: string, ids: readonly string[]): Promise<AllocationRow[]> {
  const rows = await db.rows<AllocationRow>(sql`
    SELECT part.id, part.claim_id, claim.document_type FROM allocations AS part JOIN open_items AS claim ON claim.id = part.claim_id
    WHERE part.credit_id = ${credit_id}::uuid AND part.id = ANY(${ids}::uuid[])`);
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, at) => {
    const found = known.get(id);
    if (!found) throw invalid(`allocation_ids.${at}`, 'Allocation not found.');
    if (ids.indexOf(id) !== at) throw invalid(`allocation_ids.${at}`, 'Enter each allocation only once.');
    if (found.document_type === 'refund') throw RefundAllocation({ allocation_id: id });
    return found;
  });
}

/** Returns the reversing lines of a settlement, in base currency. An exchange gain becomes a loss, and vice versa. */
function undoLines(credit: OpenItem, part: Settlement, base_currency: string) {
  const lines = applicationLines(credit, [part]).map((line) => ({
    ...line,
    side: line.side === 'debit' ? ('credit' as const) : ('debit' as const),
  }));
  const { currency, rate } = credit;
  return toBaseCurrency(lines, { currency, rate, base_currency });
}

/** Rebuilds the settlement of an undone allocation from its stored amounts. */
function settlementOf(claim: OpenItem, part: UndoneSettlement, base_currency: string): Settlement {
  const { amount, credit_amount, rate, claim_base, credit_base } = part;
  const exchange_base = rate && (claim.currency === base_currency ? claim_base : credit_base);
  return { claim, amount, credit_amount, rate, claim_base, credit_base, exchange_base };
}

/**
 * Undoes allocations of a credit. Each has a separate entry, so that other allocations of the same payment remain.
 * @param date of the entries. By default each entry has the date of its allocation
 * @throws RefundAllocation, BeforeDocument, PeriodLocked, a 422 for an allocation of another credit
 */
export async function undoAllocations(
  context: CommandContext,
  {
    credit_id,
    allocation_ids,
    date,
  }: { credit_id: string; allocation_ids: readonly string[]; date?: string | undefined },
): Promise<void> {
  const { db, caller } = context;
  const { base_currency } = await booksOf(db, caller);
  const found = await allocationsOf(db, credit_id, allocation_ids);
  const items = await lockItems(db, [credit_id, ...found.map(({ claim_id }) => claim_id)]);
  const undone = await undoSettlements(db, allocation_ids);
  if (undone.length < found.length) throw invalid('allocation_ids', 'Allocation not found.');
  const credit = items.get(credit_id)!;
  for (const part of undone) {
    const claim = items.get(part.claim_id)!;
    if (date) assertNotBefore(date, [{ date: part.date, number: `The settlement of ${claim.number}` }]);
    const day = date ?? part.date;
    await postEntry(db, {
      date: day,
      scope: credit.customer_id ? 'sales' : 'purchases',
      source_type: 'deallocation',
      source_id: part.journal_id,
      purpose: `allocation ${part.id}`,
      narration: `${credit.number} no longer allocated to ${claim.number}`,
      lines: undoLines(credit, settlementOf(claim, part, base_currency), base_currency),
    });
    await updateSettledDocuments(context, [part.claim_id], day);
  }
}

/** Returns the entries that undid parts of these entries and are not reversed. */
export const undoEntriesOf = async (db: Db, journals: Iterable<string>): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
      SELECT id FROM journal_entries AS entry
      WHERE source_type = 'deallocation' AND source_id = ANY(${[...journals]}::uuid[]) AND reversal_of IS NULL
        AND NOT EXISTS (SELECT FROM journal_entries AS other WHERE other.reversal_of = entry.id)`)
  ).map(({ id }) => id);
