/** Customers belong to finance: it is asked who exists, and documents keep the name that a customer had then. */
import { invalid, sql } from '@suite/chassis';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Db, Read, Rpc } from '../operations.ts';

/**
 * Asks finance for the customer that a body names; before the transaction.
 * @throws a 422 that names the field, for one that is unknown there or archived
 */
export async function askForCustomer(
  rpc: Rpc,
  customer_id: string | null | undefined,
  field = 'customer_id',
): Promise<Customer | undefined> {
  if (!customer_id) return undefined;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const [customer] = customers;
  if (!customer?.active) throw invalid(field, 'There is no such customer.');
  return customer;
}

const KNOWN_MAX = 200;

/** The customers that have been dealt with here, those of late first. */
const knownCustomers = (db: Db): Promise<{ customer_id: string }[]> =>
  db.rows(sql`
    SELECT customer_id FROM (
      SELECT customer_id, created_at FROM quotes UNION ALL SELECT customer_id, created_at FROM sales_orders
      UNION ALL SELECT customer_id, created_at FROM proposals UNION ALL SELECT customer_id, created_at FROM opportunities
      UNION ALL SELECT customer_id, created_at FROM deals) AS dealings
    WHERE customer_id IS NOT NULL GROUP BY customer_id ORDER BY max(created_at) DESC LIMIT ${KNOWN_MAX}`);

/**
 * The customers to choose from, as finance knows them today.
 * Chosen: those that somebody has dealt with in sales. Finance offers no search to its neighbours; GET /api/customers has all.
 */
export async function customerChoices(read: Read, rpc: Rpc): Promise<Customer[]> {
  const customer_ids = (await read(knownCustomers)).map(({ customer_id }) => customer_id);
  if (customer_ids.length === 0) return [];
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids });
  const known = new Map(customers.map((customer) => [customer.customer_id, customer]));
  return customer_ids.flatMap((id) => known.get(id) ?? []).filter((customer) => customer.active);
}
