/** Posting of an invoice: its number, open item, journal entry and status, in pipelined statements. */
import { randomUUIDv7 } from 'node:crypto';
import { batch, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { toBase } from '@suite/money';
import type { RoleAccounts } from '../../ledger/accounts/account.ts';
import type { SystemRole } from '../../ledger/books/seeded-chart.ts';
import { invoicePostings, type PostingLine } from '../documents/document.rules.ts';
import { partyOf, type Side, SIDES } from '../documents/side.ts';
import { type PostedTax, postedTaxes, taxBases } from '../../ledger/accounts/tax-bases.rules.ts';
import { openItem } from '../../ledger/ledger/open-items.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { type BaseLine, toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import { type CommandContext, tableNamed } from '../../operations.ts';
import type { Invoice } from './invoice.ts';

/** System accounts that an invoice may post to, in addition to the accounts of its lines. */
export const POSTING_ROLES: Readonly<Record<Side, readonly SystemRole[]>> = {
  sales: ['receivable', 'sales', 'tax_output', 'cogs', 'inventory', 'rounding'],
  purchase: ['payable', 'inventory', 'cogs', 'purchased_services', 'tax_input', 'rounding'],
};

/** Draft about to be posted, with its prepared data. */
interface DraftToPost {
  invoice: Invoice;
  entry: PlannedEntry;
  accounts: RoleAccounts;
  base_currency: string;
}

/** Journal entry of an invoice before it is posted. */
interface PlannedEntry {
  /** Null if there is nothing to post: both the total and the cost of the goods are zero. */
  journal_id: string | null;
  open_item_id: string;
  lines: readonly BaseLine[];
  taxes: readonly PostedTax[];
}

/** Computes the journal entry of an invoice. */
export function planEntry(
  side: Side,
  { total, currency, rate, party_id }: Invoice,
  lines: readonly PostingLine[],
  base_currency: string,
): PlannedEntry {
  const open_item_id = randomUUIDv7();
  const document = { total, currency, base_currency, party: partyOf(side, party_id), open_item_id, lines };
  const terms = { currency, rate, base_currency };
  const booked = toBaseCurrency(invoicePostings[side](document), terms);
  const taxes = postedTaxes(taxBases(lines, currency), SIDES[side].tax_side, 1, terms);
  return { journal_id: booked.length > 0 ? randomUUIDv7() : null, open_item_id, lines: booked, taxes };
}

/**
 * Takes the number, creates the open item, writes the journal entry and posts the invoice. Returns the number. Other
 * postings wait from the first statement until the end of the transaction. The statements are therefore pipelined, and
 * later ones read the number that the first one has taken.
 */
export async function postDraft(
  { db, caller }: CommandContext,
  side: Side,
  draft: DraftToPost,
  note: string,
): Promise<string> {
  const { invoice, accounts, base_currency } = draft;
  const { journal_id, open_item_id, lines, taxes } = draft.entry;
  const { id, party_id, party_name, total, currency, rate, invoice_date: date, due_date, reference } = invoice;
  const { invoice: source_type, invoices, claim_role, scope, states } = SIDES[side];
  const party = partyOf(side, party_id);
  const taken = sql`SELECT number FROM open_items WHERE id = ${open_item_id}::uuid`;
  const opened = openItem(db, {
    id: open_item_id,
    kind: 'claim',
    party,
    document_type: source_type,
    document_id: id,
    number: issueNumber.inStatement(source_type, date),
    role: claim_role,
    date,
    due_date,
    currency,
    rate,
    amount: total,
    base_amount: toBase(total, rate, base_currency),
  });
  const entry = {
    date,
    scope,
    source_type,
    source_id: id,
    purpose: 'post',
    reference,
    narration: sql`left((${taken}) || ': ' || ${party_name}::text, 400) || ${note}::text`,
    counterparty: party_name,
    lines,
    taxes,
  };
  const posted = states.moving('post');
  const [{ number }] = await batch([
    opened,
    journal_id && postEntry(db, { ...entry, id: journal_id }, accounts),
    db.rows(sql`
      UPDATE ${tableNamed(invoices)} SET ${posted.set}, number = (${taken}), journal_id = ${journal_id}::uuid,
        posted_at = ${clock.now()}, posted_by = ${caller?.user_id ?? null}::uuid
      WHERE id = ${id}::uuid AND ${posted.guard}`),
  ]);
  return number;
}
