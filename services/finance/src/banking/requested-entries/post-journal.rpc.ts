/** Journal entries requested by other services, each posted once. */
import { sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { BusinessDay, Id } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { fingerprintOf } from '@suite/chassis/rpc';
import { assertExact } from '@suite/document-lines';
import { compare, isZero, sum } from '@suite/money';
import { FinanceServiceDefinition, type PostJournalResponse } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { accountsByRole } from '../../ledger/accounts/account.ts';
import { booksOf } from '../../ledger/books/books.ts';
import { SYSTEM_ROLES, type SystemRole } from '../../ledger/books/seeded-chart.ts';
import { PeriodLocked, postEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency, credit, debit, type JournalLine } from '../../ledger/ledger/journal.rules.ts';
import { type Db, method } from '../../operations.ts';
import { REQUESTING_SERVICES } from './requesting-services.ts';

export const AlreadyPosted = fault(
  409,
  'already_posted',
  'This was already posted with other lines. Use another purpose.',
);

const Amount = z.string().regex(/^(\d{1,15}(\.\d{1,4})?)?$/);

const JournalRequest = z.object({
  idempotency_key: z.string().min(1).max(255),
  date: BusinessDay,
  source_type: z.string().regex(/^[a-z][a-z_.]{0,49}$/),
  source_id: Id,
  purpose: z.string().min(1).max(50),
  narration: z.string().max(500),
  lines: z
    .array(
      z.object({
        account: z.union([
          z.object({ $case: z.literal('account_id'), value: Id }),
          z.object({ $case: z.literal('system_role'), value: z.enum(SYSTEM_ROLES) }),
        ]),
        debit: Amount,
        credit: Amount,
        memo: z.string().max(500),
      }),
    )
    .min(2)
    .max(1_000),
});
type JournalRequest = z.output<typeof JournalRequest>;

/**
 * Control accounts of customers, vendors and agents. Only their documents post to them, and other services have none.
 */
const CONTROL: readonly SystemRole[] = [
  'receivable',
  'payable',
  'customer_advances',
  'vendor_advances',
  'commission_payable',
];

function journalLinesOf({ lines }: JournalRequest, currency: string): JournalLine[] {
  const sides = lines.map(({ account, memo, ...line }, at) => {
    const [debited, credited] = [line.debit || '0', line.credit || '0'];
    if (isZero(debited) === isZero(credited)) throw invalid(`lines.${at}`, 'Enter either debit or credit.');
    for (const amount of [debited, credited]) assertExact(amount, currency, `lines.${at}`);
    const of = account.$case === 'account_id' ? { id: account.value } : account.value;
    return isZero(debited) ? credit(of, credited, { memo }) : debit(of, debited, { memo });
  });
  const totalOf = (lineSide: JournalLine['side']) =>
    sum(
      sides.filter(({ side }) => side === lineSide).map(({ amount }) => amount),
      currency,
    );
  if (compare(totalOf('debit'), totalOf('credit')) !== 0) throw invalid('lines', 'Debits and credits do not balance.');
  return sides;
}

/** Rejects accounts that are unknown, groups, archived, or control accounts. */
async function assertAccounts(db: Db, { lines }: JournalRequest): Promise<void> {
  const roles = lines.flatMap(({ account }) => (account.$case === 'system_role' ? [account.value] : []));
  const ids = lines.flatMap(({ account }) => (account.$case === 'account_id' ? [account.value] : []));
  const byRole = await accountsByRole(db, roles);
  const usable = await db.rows<{ id: string }>(sql`
    SELECT id FROM gl_accounts WHERE id = ANY(${[...ids, ...byRole.values()]}::uuid[]) AND active AND NOT is_group
      AND coalesce(system_role, '') <> ALL(${CONTROL}::text[])`);
  const known = new Set(usable.map(({ id }) => id));
  const wrong = lines.findIndex(({ account: { $case, value } }) => {
    const id = $case === 'account_id' ? value : byRole.get(value);
    return !id || !known.has(id);
  });
  if (wrong >= 0) throw invalid(`lines.${wrong}.account`, 'This account cannot be posted to. Choose another account.');
  await assertNoPayout(db, lines, byRole);
}

/** Rejects entries that credit a bank account: outgoing money must be a payout (requested-entries/payout.ts). */
async function assertNoPayout(
  db: Db,
  lines: JournalRequest['lines'],
  byRole: ReadonlyMap<string, string>,
): Promise<void> {
  const banks = await db.rows<{ id: string }>(sql`SELECT gl_account_id AS id FROM bank_accounts`);
  const ids = new Set(banks.map(({ id }) => id));
  const wrong = lines.findIndex(
    ({ account: { $case, value }, credit: credited }) =>
      !isZero(credited || '0') && ids.has($case === 'account_id' ? value : (byRole.get(value) ?? '')),
  );
  if (wrong >= 0) throw invalid(`lines.${wrong}.account`, 'Choose an expense category for outgoing money.');
}

/** Returns the fingerprint of a request. Identical requests have the same fingerprint. */
const fingerprintOfEntry = ({ idempotency_key: _, ...content }: JournalRequest): string => fingerprintOf(content);

/** Returns the existing entry for this purpose of this source. @throws AlreadyPosted */
async function findPostedEntry(db: Db, request: JournalRequest): Promise<PostJournalResponse | undefined> {
  const { source_type, source_id, purpose } = request;
  const [posted] = await db.rows<PostJournalResponse & { fingerprint: string | null }>(sql`
    SELECT entry.id AS journal_entry_id, entry.number, asked.fingerprint FROM journal_entries AS entry
    LEFT JOIN requested_entries AS asked ON asked.journal_id = entry.id
    WHERE entry.source_type = ${source_type} AND entry.source_id = ${source_id}::uuid AND entry.purpose = ${purpose}
    LIMIT 1`);
  if (!posted) return undefined;
  const { fingerprint, ...answer } = posted;
  // Entries from before fingerprints were stored cannot be compared.
  if (fingerprint !== null && fingerprint !== fingerprintOfEntry(request)) throw AlreadyPosted();
  return answer;
}

async function postOrFind(db: Db, request: JournalRequest, caller: Caller): Promise<PostJournalResponse> {
  const { date, source_type, source_id, purpose, narration } = request;
  const { base_currency } = await booksOf(db, caller);
  const known = await findPostedEntry(db, request);
  if (known) return known;
  const sides = journalLinesOf(request, base_currency);
  await assertAccounts(db, request);
  const scope = source_type.startsWith('payroll') ? 'payroll' : 'all';
  const lines = toBaseCurrency(sides, { currency: base_currency, rate: '1', base_currency });
  const entry = await postEntry(db, { date, scope, source_type, source_id, purpose, narration, lines });
  await db.rows(sql`
    INSERT INTO requested_entries (journal_id, fingerprint)
    VALUES (${entry.id}::uuid, ${fingerprintOfEntry(request)})`);
  return { journal_entry_id: entry.id, number: entry.number };
}

/**
 * Posts a journal entry for another service. A source posts once for each purpose. Repeating the request under any key
 * returns the existing entry. Calls of the same source wait for each other.
 */
export const postJournal = method(FinanceServiceDefinition.methods.postJournal, {
  summary: 'Post a journal entry',
  only: REQUESTING_SERVICES,
  idempotent: true,
  dry_run: true,
  input: JournalRequest,
  faults: [AlreadyPosted, PeriodLocked],
  async handle({ db, caller, input }) {
    await db.rows(sql`
      SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${`journal of ${input.source_type} ${input.source_id}`}, 0))`);
    return await postOrFind(db, input, caller);
  },
});
