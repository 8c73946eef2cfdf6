/** Customers of the finance service. Documents keep the name at the time of writing. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Db, Rpc } from '../../operations.ts';
import { CHOICES_MAX } from './choices.ts';

/**
 * Requests the customer in the body from finance, before the transaction.
 * @throws a 422 that names the field, if the customer is unknown or archived
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
  if (!customer.active) throw invalid(field, 'This customer is archived. Choose another one.');
  return customer;
}

/** Stores the portal user of a customer, who sees the customer's documents. A copy never replaces a newer one. */
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

/** Returns the customers that finance finds for a search term, limited to those visible to the caller. */
export async function customerChoices(rpc: Rpc, q = ''): Promise<Customer[]> {
  return (await rpc.finance.listCustomers({ q, limit: CHOICES_MAX })).customers;
}
