/** Customers belong to finance. Documents keep the name that a customer had when they were written. */
import { invalid, sql } from '@suite/chassis';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { CHOICES_MAX } from '../choices.ts';
import type { Db, Rpc } from '../operations.ts';

/**
 * Asks finance for the customer that a body names; before the transaction.
 * @throws a 422 that names the field, for a customer that is unknown there or archived
 */
export async function askForCustomer(
  rpc: Rpc,
  customer_id: string | null | undefined,
  field = 'customer_id',
): Promise<Customer | undefined> {
  if (!customer_id) return undefined;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const [customer] = customers;
  if (!customer) throw invalid(field, 'Customer not found.');
  if (!customer.active) throw invalid(field, 'This customer is archived.');
  return customer;
}

/** Keeps the portal user of a customer, by whom its documents are seen. A copy never replaces a newer one. */
export async function keepCustomerLink(
  db: Db,
  { customer_id, user_id, version }: Pick<Customer, 'customer_id' | 'user_id' | 'version'>,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO customer_links AS known (customer_id, user_id, known_version)
    VALUES (${customer_id}::uuid, ${user_id || null}::uuid, ${version}) ON CONFLICT (workspace_id, customer_id)
    DO UPDATE SET user_id = EXCLUDED.user_id, known_version = EXCLUDED.known_version
    WHERE known.known_version < EXCLUDED.known_version`);
}

/** The customers to choose from, as finance finds them by what somebody typed: those that the caller may see. */
export async function customerChoices(rpc: Rpc, q = ''): Promise<Customer[]> {
  return (await rpc.finance.listCustomers({ q, limit: CHOICES_MAX })).customers;
}
