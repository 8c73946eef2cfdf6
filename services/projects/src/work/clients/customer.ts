/** Customers in finance that projects and their invoices reference. */
import { invalid } from '@suite/chassis/faults';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Rpc } from '../../operations.ts';

/**
 * Requests the customer of a project or an invoice from finance.
 * @returns undefined if there is no customer ID
 * @throws a 422 if the customer is unknown in finance or archived
 */
export async function requestCustomer(rpc: Rpc, customer_id: string | null | undefined): Promise<Customer | undefined> {
  if (!customer_id) return undefined;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const [customer] = customers;
  if (!customer?.active) throw invalid('customer_id', 'Customer not found.');
  return customer;
}
