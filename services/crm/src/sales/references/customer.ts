/** Customers of the finance service. Documents keep the name at the time of writing. */
import { sql } from '@suite/chassis/database';
import { invalid, Stale } from '@suite/chassis/faults';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Db, Read, Rpc } from '../../operations.ts';
import { CHOICES_MAX } from './choices.ts';

/** @throws a 422 that names the field, if the customer is unknown or archived */
function assertUsable(customer: Customer | undefined, field: string): Customer {
  if (!customer) throw invalid(field, 'Customer not found.');
  if (!customer.active) throw invalid(field, 'This customer is archived. Choose another one.');
  return customer;
}

/**
 * Requests the customer in the body from finance, before the transaction.
 * @throws a 422 that names the field, if the customer is unknown or archived
 */
export async function fetchCustomer(
  rpc: Rpc,
  customer_id: string | null | undefined,
  field = 'customer_id',
): Promise<Customer | undefined> {
  if (!customer_id) return undefined;
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  return assertUsable(customers[0], field);
}

/** Requests the customer of an accepted quote, which may be archived. @throws a 422 for an unknown customer */
export async function fetchAgreedCustomer(rpc: Rpc, customer_id: string): Promise<Customer> {
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids: [customer_id] });
  if (!customers[0]) throw invalid('quote_id', 'Customer not found.');
  return customers[0];
}

/** Customer in a request, and the previous customer of the document. */
export interface CustomerChange {
  customer: Customer | undefined;
  previous: Customer | undefined;
}

/**
 * Requests the customer in the body of an update and the document's previous customer from finance. The previous
 * customer may be archived.
 * @throws a 422 that names the field, if the customer is unknown, or archived and not the previous one
 */
export async function fetchCustomerChange(
  { rpc, read }: { rpc: Rpc; read: Read },
  customer_id: string | null | undefined,
  document: (db: Db) => Promise<{ customer_id: string }>,
): Promise<CustomerChange> {
  const before = await read(document);
  if (!customer_id) return { customer: undefined, previous: undefined };
  const customer_ids = [...new Set([customer_id, before.customer_id])];
  const { customers } = await rpc.finance.batchGetCustomers({ customer_ids });
  const named = (id: string) => customers.find((customer) => customer.customer_id === id);
  const previous = named(before.customer_id);
  const customer = named(customer_id);
  if (customer_id !== before.customer_id) assertUsable(customer, 'customer_id');
  return { customer, previous };
}

const ADDRESSES = ['billing_address', 'shipping_address'] as const;

interface DocumentAddresses {
  customer_id: string;
  currency: string;
  version: number;
  billing_address?: string | null;
  shipping_address?: string | null;
}

/**
 * Returns the columns of a document that follow its new customer. Addresses that differ from the defaults of the
 * previous customer stay unchanged.
 * @throws a 422 for `currency` if the customer has another one and the request contains none, Stale if the document has
 * another customer since
 */
export function customerColumns(
  before: DocumentAddresses,
  { currency }: { currency?: string | undefined },
  { customer, previous }: CustomerChange,
): { customer_name?: string; billing_address?: string | null; shipping_address?: string | null } {
  if (!customer) return {};
  const { name: customer_name } = customer;
  if (customer.customer_id === before.customer_id) return { customer_name };
  if (previous?.customer_id !== before.customer_id) throw Stale({ version: before.version });
  // Chosen: like for invoices, the request confirms the currency, since the prices are in the old one.
  if (currency === undefined && customer.currency && customer.currency !== before.currency) {
    throw invalid(
      'currency',
      `The document is in ${before.currency}, and this customer uses ${customer.currency}. Specify the currency.`,
    );
  }
  const defaults = ADDRESSES.filter(
    (field) => before[field] !== undefined && before[field] === (previous[field] || null),
  );
  return { customer_name, ...Object.fromEntries(defaults.map((field) => [field, customer[field] || null])) };
}

/** Stores the portal user of a customer, who sees the customer's documents. A copy never replaces a newer one. */
export async function storeCustomerLink(
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
