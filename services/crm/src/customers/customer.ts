/** Customers belong to finance: it is asked who exists, and documents keep the name that a customer had then. */
import { invalid } from '@suite/chassis';
import type { Customer } from '@suite/proto/finance/v1/finance';
import { CHOICES_MAX } from '../choices.ts';
import type { Rpc } from '../operations.ts';

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

/** The customers to choose from, as finance finds them by what somebody typed: those that the caller may see. */
export async function customerChoices(rpc: Rpc, q = ''): Promise<Customer[]> {
  return (await rpc.finance.listCustomers({ q, limit: CHOICES_MAX })).customers;
}
