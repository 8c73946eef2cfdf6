/** The customers of finance that projects and their invoices name. */
import { invalid } from '@suite/chassis';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Rpc } from '../operations.ts';

/**
 * Asks finance for the customer of a project or of an invoice.
 * @returns undefined where no customer is named
 * @throws a 422 for a customer that is unknown in finance or archived
 */
export async function askForCustomer(rpc: Rpc, customer_id: string | null | undefined): Promise<Customer | undefined> {
  if (!customer_id) return undefined;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  const [customer] = customers;
  if (!customer?.active) throw invalid('customer_id', 'Customer not found.');
  return customer;
}
