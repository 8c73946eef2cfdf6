/** Payment of commissions: approved amounts leave a bank account, less clawbacks of the agent. */
import { randomUUIDv7 } from 'node:crypto';
import { find, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { clock, today } from '@suite/chassis/runtime';
import { compare, subtract, sum } from '@suite/money';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { lockUsableBank } from '../../banking/banking/bank-account.ts';
import { lockItems } from '../../ledger/ledger/open-items.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import type { Db, CommandContext } from '../../operations.ts';
import type { CommissionPaymentInput } from './commission.schema.ts';
import { commissionStates, payoutLines } from './commission.rules.ts';

interface CommissionRow {
  id: string;
  agent_id: string;
  kind: string;
  status: string;
  date: string;
  amount: string;
  reversed: string;
  currency: string;
}

/**
 * Locks the lines until the transaction ends. The items of their invoices are locked first, like in all changes of the
 * lines.
 */
async function lockCommissions(db: Db, ids: readonly string[]): Promise<Map<string, CommissionRow>> {
  const items = await db.rows<{ id: string }>(sql`
    SELECT item.id FROM commission_lines AS line
      JOIN open_items AS item ON item.document_type = 'sales_invoice' AND item.document_id = line.invoice_id
    WHERE line.id = ANY(${ids}::uuid[])`);
  await lockItems(
    db,
    items.map(({ id }) => id),
  );
  const lines = await db.rows<CommissionRow>(sql`
    SELECT id, agent_id, kind, status, date, amount, reversed, currency FROM commission_lines
    WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
  return new Map(lines.map((line) => [line.id, line]));
}

/**
 * Returns the clawbacks that a payment offsets. @throws a 422 for a clawback that is not approved or belongs to another
 * agent
 */
function clawbacksToOffset(
  line: CommissionRow,
  locked: ReadonlyMap<string, CommissionRow>,
  ids: readonly string[],
): CommissionRow[] {
  return ids.map((id, at) => {
    const other = locked.get(id);
    const fits = other?.agent_id === line.agent_id && other.kind === 'clawback' && other.status === 'approved';
    if (!fits || id === line.id || ids.indexOf(id) !== at)
      throw invalid(`set_off_ids.${at}`, 'Approved clawback of this agent not found.');
    return other;
  });
}

const openAmountOf = ({ amount, reversed, currency }: CommissionRow): string => subtract(amount, reversed, currency);

interface CommissionPayout {
  id: string;
  lines: readonly CommissionRow[];
  bank: { id: string };
  date: string;
  reference: string | null;
}

async function postPayout(
  db: Db,
  { id, lines, bank, date, reference }: CommissionPayout,
  { base_currency }: Books,
): Promise<string> {
  const agent = await find(db.agent, lines[0]!.agent_id);
  const entry = await postEntry(db, {
    date,
    scope: 'banking',
    source_type: 'commission',
    source_id: id,
    purpose: 'pay',
    reference,
    narration: `Commission of ${agent.code}`,
    counterparty: agent.name,
    lines: toBaseCurrency(payoutLines(bank, lines.map(openAmountOf), agent.code, base_currency), {
      currency: base_currency,
      rate: '1',
      base_currency,
    }),
  });
  return entry.id;
}

/**
 * Pays an approved line. Repeating the request has no further effect. A clawback that is paid alone is money that the
 * agent returns.
 * @throws InvalidTransition, PeriodLocked, a 422 that names the field
 */
export async function payCommission(context: CommandContext, id: string, input: CommissionPaymentInput): Promise<void> {
  const { db, caller } = context;
  const { bank_account_id, set_off_ids = [], reference = null } = input;
  const books = await booksOf(db, caller);
  const locked = await lockCommissions(db, [id, ...set_off_ids]);
  const line = locked.get(id)!;
  if (line.status === 'paid') return;
  const clawbacks = clawbacksToOffset(line, locked, set_off_ids);
  const lines = [line, ...clawbacks];
  // Chosen: commissions are payable in the base currency, and therefore paid in it.
  const { gl_account_id } = await lockUsableBank(db, bank_account_id, books.base_currency);
  const date = input.date ?? today(books.timezone);
  if (lines.some((one) => one.date > date)) throw invalid('date', 'The date must not be before the commission.');
  const net = sum(lines.map(openAmountOf), books.base_currency);
  if (clawbacks.length > 0 && compare(net, '0') < 0)
    throw invalid('set_off_ids', 'The clawbacks are more than the commission. Select fewer.');
  const payment = { bank_account_id, paid_by: caller?.user_id ?? null, paid_at: clock.now() };
  for (const one of lines) await commissionStates.move(db.commissionLine, one.id, 'pay', payment, caller);
  const journal_id = await postPayout(db, { id, lines, bank: { id: gl_account_id }, date, reference }, books);
  await db.commissionMove.createMany({
    data: lines.map((one) => ({
      id: randomUUIDv7(),
      line_id: one.id,
      kind: 'payment',
      date: midnight(date),
      journal_id,
      amount: subtract('0', openAmountOf(one), one.currency),
    })),
  });
}
