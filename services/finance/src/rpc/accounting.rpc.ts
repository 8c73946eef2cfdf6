/** Accounting methods of finance, always limited to the caller's workspace. */
import { sql } from '@suite/chassis/database';
import { Day, Id } from '@suite/chassis/fields';
import { type Customer, FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { rejectionReasons, USES } from '../ledger/accounts/usable-accounts.ts';
import { method } from '../operations.ts';
import { countActiveCustomers } from '../parties/customer-limit.ts';

const { methods } = FinanceServiceDefinition;

const MAX_IDS = 1_000;
const Ids = z.array(Id).max(MAX_IDS, `Send at most ${MAX_IDS} IDs.`);

const customerColumns = sql`id AS customer_id, code, name, coalesce(company, '') AS company,
  coalesce(email, '') AS email, currency, payment_terms_days, active, coalesce(billing_address, '') AS billing_address,
  coalesce(shipping_address, '') AS shipping_address, coalesce(user_id::text, '') AS user_id, version,
  coalesce(country, '') AS country, coalesce(language, '') AS language`;

/** Returns customers by their IDs. */
export const batchGetCustomers = method(methods.batchGetCustomers, {
  summary: 'Get customers by ID',
  only: ['crm', 'inventory', 'projects', 'support'],
  visible: true,
  input: z.object({ customer_ids: Ids }),
  handle: async ({ db, input }) => ({
    customers: await db.rows<Customer>(
      sql`SELECT ${customerColumns} FROM customers WHERE id = ANY(${input.customer_ids}::uuid[])`,
    ),
  }),
});

/**
 * Returns the number of active customers. Platform requests it on its own behalf before a workspace changes to a
 * smaller plan.
 */
export const getCustomerCount = method(methods.getCustomerCount, {
  summary: 'Count active customers',
  access: 'settling',
  only: ['platform'],
  handle: async ({ db }) => ({ customers: await countActiveCustomers(db) }),
});

const CHOICES_MAX = 500;

/** Returns customers that match a search term, limited to customers visible to the caller. */
export const listCustomers = method(methods.listCustomers, {
  summary: 'List customers for a picker',
  only: ['crm'],
  visible: true,
  input: z.object({
    q: z.string().max(200, 'Send at most 200 characters.'),
    limit: z.int().min(1).max(CHOICES_MAX, `Request 1 to ${CHOICES_MAX} customers.`),
  }),
  async handle({ db, input: { q, limit } }) {
    const typed = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    const customers = await db.rows<Customer>(sql`
      SELECT ${customerColumns} FROM customers
      WHERE active AND suite_unaccented(concat_ws(' ', name, company, code, email)) ILIKE suite_unaccented(${typed})
      ORDER BY updated_at DESC, id DESC LIMIT ${limit}`);
    return { customers };
  },
});

/** Returns whether a day can be posted to, and if not, the last locked day and the reason. */
export const checkPeriodOpen = method(methods.checkPeriodOpen, {
  summary: 'Check whether a period is open',
  only: ['hr', 'inventory'],
  input: z.object({ date: Day, scope: z.string() }),
  async handle({ db, input: { date, scope } }) {
    const [lock] = await db.rows<{ locked_through: string; reason: string }>(sql`
      SELECT locked_through, reason FROM period_lock_of(current_setting('suite.workspace_id')::uuid, ${date}::date, ${scope})`);
    return { open: !lock, locked_through: lock?.locked_through ?? '', reason: lock?.reason ?? '' };
  },
});

/** Returns whether accounts are allowed for a use, for services that store their IDs. */
export const checkAccounts = method(methods.checkAccounts, {
  summary: 'Check the accounts of a product',
  only: ['hr', 'inventory'],
  input: z.object({ uses: z.array(z.object({ account_id: Id, use: z.enum(USES) })).max(MAX_IDS) }),
  async handle({ db, input }) {
    const reasons = await rejectionReasons(db, input.uses);
    return { answers: reasons.map((reason) => ({ usable: reason === null, reason: reason ?? '' })) };
  },
});
