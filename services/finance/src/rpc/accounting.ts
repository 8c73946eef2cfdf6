/** What the accounting half of finance answers to other services: of customers and vendors, those whom the caller sees. */
import { type Caller, type Database, Day, Id, invalid, sql, today, Unauthenticated } from '@suite/chassis';
import type {
  BatchGetCustomersResponse,
  CheckAccountsRequest,
  CheckAccountsResponse,
  CheckPeriodOpenResponse,
  Customer,
  GetPartyBalancesResponse,
  ListCustomersResponse,
} from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { refusals, USES } from '../accounts/usable.ts';
import type { Db } from '../operations.ts';
import { inBase } from '../parties/party.ts';

export interface Given {
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

const customerColumns = sql`id AS customer_id, code, name, coalesce(company, '') AS company,
  coalesce(email, '') AS email, currency, payment_terms_days, active, coalesce(billing_address, '') AS billing_address,
  coalesce(shipping_address, '') AS shipping_address, coalesce(user_id::text, '') AS user_id`;

export async function batchGetCustomers(
  { customer_ids }: { customer_ids: string[] },
  given: Given,
): Promise<BatchGetCustomersResponse> {
  const ids = idsOf(customer_ids, 'customer_ids');
  const customers = await given.database.view(contextOf(given, 'rpc:batchGetCustomers'), (db) =>
    db.rows<Customer>(sql`SELECT ${customerColumns} FROM customers WHERE id = ANY(${ids}::uuid[])`),
  );
  return { customers };
}

const CHOICES_MAX = 500;

/** Customers to choose from, found by what somebody typed. */
export async function listCustomers(
  { q, limit }: { q: string; limit: number },
  given: Given,
): Promise<ListCustomersResponse> {
  if (limit < 1 || limit > CHOICES_MAX) throw invalid('limit', `Ask for 1 to ${CHOICES_MAX} customers.`);
  if (q.length > 200) throw invalid('q', 'Send at most 200 characters.');
  const context = contextOf(given, 'rpc:listCustomers');
  const typed = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const customers = await given.database.view(context, (db) =>
    db.rows<Customer>(sql`
      SELECT ${customerColumns} FROM customers
      WHERE active AND (name ILIKE ${typed} OR company ILIKE ${typed} OR code ILIKE ${typed} OR email ILIKE ${typed})
      ORDER BY updated_at DESC, id DESC LIMIT ${limit}`),
  );
  return { customers };
}

export async function getPartyBalances(
  { kind, party_ids }: { kind: string; party_ids: string[] },
  given: Given,
): Promise<GetPartyBalancesResponse> {
  const ids = idsOf(party_ids, 'party_ids');
  if (kind !== 'customer' && kind !== 'vendor') throw invalid('kind', 'customer or vendor.');
  const context = contextOf(given, 'rpc:getPartyBalances');
  const day = today(context.caller.timezone);
  const [balance, overdue] = [inBase(kind, day, 'balance'), inBase(kind, day, 'overdue_balance')];
  const from = kind === 'customer' ? sql`customers` : sql`vendors`;
  const balances = await given.database.view(context, (db) =>
    db.rows<GetPartyBalancesResponse['balances'][number]>(sql`
      SELECT id AS party_id, (${balance})::text AS balance, (${overdue})::text AS overdue_balance
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
