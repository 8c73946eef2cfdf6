/** Credit and debit notes: the value of a return, to be applied to open items. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { midnight } from '@suite/chassis/fields';
import { toBase } from '@suite/money';
import type { PostingLine } from '../../invoices/documents/document.rules.ts';
import { partyOf, type Side, SIDES } from '../../invoices/documents/side.ts';
import { postedTaxes, taxBases } from '../../ledger/accounts/tax-bases.rules.ts';
import { openItem } from '../../ledger/ledger/open-items.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency, type JournalLine } from '../../ledger/ledger/journal.rules.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import { columnNamed, type CommandContext, type Db } from '../../operations.ts';

/** Return that a note is created for. */
export interface ReturnForNote {
  id: string;
  number: string | null;
  invoice_id: string;
  party_id: string;
  return_date: string;
  currency: string;
  rate: string;
  net_total: string;
  tax_total: string;
  total: string;
}

/** Drafts the note of an approved return, with its future amount. Returns its ID. */
export async function draftNote(db: Db, side: Side, goodsReturn: ReturnForNote): Promise<string> {
  const { return_key, party_column } = SIDES[side];
  const { return_date: date, currency, rate, total, net_total, tax_total, party_id, invoice_id } = goodsReturn;
  const id = randomUUIDv7();
  await db.note.create({
    data: {
      id,
      kind: side === 'sales' ? 'credit' : 'debit',
      invoice_id,
      [party_column]: party_id,
      [return_key]: goodsReturn.id,
      date: midnight(date),
      currency,
      rate,
      net_total,
      tax_total,
      total,
    },
  });
  return id;
}

/** Returns the draft note of a return. Returns approved before the introduction of draft notes have none. */
const draftOf = async (db: Db, side: Side, goodsReturn: ReturnForNote): Promise<string> => {
  const { return_key } = SIDES[side];
  const [draft] = await db.rows<{ id: string }>(sql`
    SELECT id FROM notes WHERE ${columnNamed(return_key)} = ${goodsReturn.id}::uuid AND number IS NULL FOR UPDATE`);
  return draft?.id ?? (await draftNote(db, side, goodsReturn));
};

/**
 * Issues the note of a return: number, open item, and the entry for the whole return, if there is anything to post.
 * @throws PeriodLocked
 */
export async function issueNote(
  { db }: CommandContext,
  side: Side,
  goodsReturn: ReturnForNote,
  base_currency: string,
  { sidesOf, lines }: { sidesOf: (open_item_id: string) => JournalLine[]; lines: readonly PostingLine[] },
): Promise<{ id: string; number: string; open_item_id: string; journal_id: string | null }> {
  const { note: document_type, claim_role: role, scope, return: source_type } = SIDES[side];
  const { return_date: date, currency, rate, total, party_id } = goodsReturn;
  const id = await draftOf(db, side, goodsReturn);
  const party = partyOf(side, party_id);
  const { number } = await issueNumber(db, document_type, date);
  const { id: open_item_id } = await openItem(db, {
    kind: 'credit',
    party,
    document_type,
    document_id: id,
    number,
    role,
    date,
    due_date: date,
    currency,
    rate,
    amount: total,
    base_amount: toBase(total, rate, base_currency),
  });
  const terms = { currency, rate, base_currency };
  const entry = {
    date,
    scope,
    source_type,
    source_id: goodsReturn.id,
    purpose: 'complete',
    reference: goodsReturn.number,
    narration: `${number}: return ${goodsReturn.number ?? ''}`,
    lines: toBaseCurrency(sidesOf(open_item_id), terms),
    taxes: postedTaxes(taxBases(lines, currency), SIDES[side].tax_side, -1, terms),
  };
  // A return of free goods without a cost has no entry.
  const journal_id = entry.lines.length > 0 ? (await postEntry(db, entry)).id : null;
  await db.note.update({ where: { id }, data: { number, open_item_id, journal_id } });
  return { id, number, open_item_id, journal_id };
}
