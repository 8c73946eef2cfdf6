/** What the accounting half of finance answers to other services, always inside the caller's workspace. */
import { type Caller, type Database, Day, Fault, Id, invalid, sql, today, Unauthenticated } from '@suite/chassis';
import { compare, isOverPrecise, isZero, sum } from '@suite/money';
import type {
  BatchGetCustomersResponse,
  CheckAccountsRequest,
  CheckAccountsResponse,
  CheckPeriodOpenResponse,
  GetPartyBalancesResponse,
  PostJournalRequest,
  PostJournalResponse,
} from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { booksOf } from '../accounts/books.ts';
import { accountsByRole } from '../accounts/account.ts';
import { refusals, USES } from '../accounts/usable.ts';
import { SYSTEM_ROLES, type SystemRole } from '../accounts/chart.ts';
import { postEntry } from '../ledger/journal.ts';
import { booked, credit, debit, type Side } from '../ledger/recipe.ts';
import type { Db } from '../operations.ts';
import { partyFigures } from '../parties/party.ts';

interface Given {
  caller: Caller | null;
  request_id: string;
  database: Database<Db>;
}

/** The caller's workspace; these methods answer about no other. */
export function contextOf({ caller, request_id }: Given, operation: string) {
  if (!caller) throw Unauthenticated();
  return { workspace_id: caller.workspace_id, caller, operation, request_id };
}

/** Checks ids that another service sends. @throws a 422 */
function idsOf(ids: readonly string[], field: string): readonly string[] {
  const isWrong = ids.length > 1_000 || ids.some((id) => !Id.safeParse(id).success);
  if (isWrong) throw invalid(field, 'Send at most 1000 ids.');
  return ids;
}

export async function batchGetCustomers(
  { customer_ids }: { customer_ids: string[] },
  given: Given,
): Promise<BatchGetCustomersResponse> {
  const ids = idsOf(customer_ids, 'customer_ids');
  const customers = await given.database.read(contextOf(given, 'rpc:batchGetCustomers'), (db) =>
    db.rows<BatchGetCustomersResponse['customers'][number]>(sql`
      SELECT id AS customer_id, code, name, coalesce(company, '') AS company, coalesce(email, '') AS email, currency,
        payment_terms_days, active, coalesce(billing_address, '') AS billing_address,
        coalesce(shipping_address, '') AS shipping_address, coalesce(user_id::text, '') AS user_id
      FROM customers WHERE id = ANY(${ids}::uuid[])`),
  );
  return { customers };
}

const Amount = z.string().regex(/^(\d{1,15}(\.\d{1,4})?)?$/);

const Wanted = z.object({
  idempotency_key: z.string().min(1).max(255),
  date: Day,
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
type Wanted = z.output<typeof Wanted>;

/** What is owed by customers, to vendors and to agents is booked with its documents only, which others know nothing of. */
const CONTROL: readonly SystemRole[] = [
  'receivable',
  'payable',
  'customer_advances',
  'vendor_advances',
  'commission_payable',
];

function understand(request: PostJournalRequest): Wanted {
  const { data: wanted, error } = Wanted.safeParse(request);
  if (error)
    throw invalid(error.issues[0]?.path.join('.') || 'request', error.issues[0]?.message ?? 'This is not valid.');
  return wanted;
}

function sidesOf({ lines }: Wanted, currency: string): Side[] {
  const sides = lines.map(({ account, memo, ...line }, at) => {
    const [debited, credited] = [line.debit || '0', line.credit || '0'];
    if (isZero(debited) === isZero(credited)) throw invalid(`lines.${at}`, 'Give one of debit and credit.');
    if (isOverPrecise(debited, currency) || isOverPrecise(credited, currency)) {
      throw invalid(`lines.${at}`, `This has more decimals than ${currency}.`);
    }
    const of = account.$case === 'account_id' ? { id: account.value } : account.value;
    return isZero(debited) ? credit(of, credited, { memo }) : debit(of, debited, { memo });
  });
  const total = (which: Side['side']) =>
    sum(
      sides.filter(({ side }) => side === which).map(({ amount }) => amount),
      currency,
    );
  if (compare(total('debit'), total('credit')) !== 0) throw invalid('lines', 'Debits and credits do not balance.');
  return sides;
}

/** Refuses accounts that are none, groups, archived, or kept by open items. */
async function assertAccounts(db: Db, { lines }: Wanted): Promise<void> {
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
  if (wrong >= 0) throw invalid(`lines.${wrong}.account`, 'This account cannot be posted to.');
}

async function postOrFind(db: Db, wanted: Wanted, caller: Caller): Promise<PostJournalResponse> {
  const { date, source_type, source_id, purpose, narration } = wanted;
  const { base_currency } = await booksOf(db, caller);
  const [known] = await db.rows<{ id: string; number: string }>(sql`
    SELECT id, number FROM journal_entries
    WHERE source_type = ${source_type} AND source_id = ${source_id}::uuid AND purpose = ${purpose}`);
  if (known) return { journal_entry_id: known.id, number: known.number };
  const sides = sidesOf(wanted, base_currency);
  await assertAccounts(db, wanted);
  const scope = source_type.startsWith('payroll') ? 'payroll' : 'all';
  const lines = booked(sides, { currency: base_currency, rate: '1', base_currency });
  const entry = await postEntry(db, { date, scope, source_type, source_id, purpose, narration, lines });
  return { journal_entry_id: entry.id, number: entry.number };
}

/** Posts for another service. A source posts once for each purpose: a repeat answers the entry that is there. */
export async function postJournal(request: PostJournalRequest, given: Given): Promise<PostJournalResponse> {
  const context = contextOf(given, 'rpc:postJournal');
  const wanted = understand(request);
  const attempt = () => given.database.write(context, (db) => postOrFind(db, wanted, context.caller));
  // Whoever was a moment later than another of the same source finds what that one has posted.
  return await attempt().catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'already_exists') return attempt();
    throw error;
  });
}

export async function getPartyBalances(
  { kind, party_ids }: { kind: string; party_ids: string[] },
  given: Given,
): Promise<GetPartyBalancesResponse> {
  const ids = idsOf(party_ids, 'party_ids');
  if (kind !== 'customer' && kind !== 'vendor') throw invalid('kind', 'customer or vendor.');
  const context = contextOf(given, 'rpc:getPartyBalances');
  const { balance, overdue_balance } = partyFigures(kind, today(context.caller.timezone));
  const from = kind === 'customer' ? sql`customers` : sql`vendors`;
  const balances = await given.database.read(context, (db) =>
    db.rows<GetPartyBalancesResponse['balances'][number]>(sql`
      SELECT id AS party_id, (${balance})::text AS balance, (${overdue_balance})::text AS overdue_balance
      FROM ${from} WHERE id = ANY(${ids}::uuid[])`),
  );
  return { balances };
}

export async function checkPeriodOpen(
  { date, scope }: { date: string; scope: string },
  given: Given,
): Promise<CheckPeriodOpenResponse> {
  if (!Day.safeParse(date).success) throw invalid('date', 'Write a day as YYYY-MM-DD.');
  const [lock] = await given.database.read(contextOf(given, 'rpc:checkPeriodOpen'), (db) =>
    db.rows<{ locked_through: string; reason: string }>(sql`
      SELECT locked_through, reason FROM period_lock_of(current_setting('suite.workspace_id')::uuid, ${date}::date, ${scope})`),
  );
  return { open: !lock, locked_through: lock?.locked_through ?? '', reason: lock?.reason ?? '' };
}

const AccountUses = z.array(z.object({ account_id: Id, use: z.enum(USES) })).max(1_000);

/** Whether accounts may be kept for a use, for services that keep their ids. */
export async function checkAccounts(request: CheckAccountsRequest, given: Given): Promise<CheckAccountsResponse> {
  const { data: uses, error } = AccountUses.safeParse(request.uses);
  if (error) throw invalid(['uses', ...error.issues[0]!.path].join('.'), error.issues[0]!.message);
  const reasons = await given.database.read(contextOf(given, 'rpc:checkAccounts'), (db) => refusals(db, uses));
  return { answers: reasons.map((reason) => ({ usable: reason === null, reason: reason ?? '' })) };
}
