/** Hand-written customers baseline: one by its ID, and a new one with the next code. */
import { randomUUIDv7 } from 'node:crypto';
import { finance } from './books.ts';
import { transaction, workspace_id } from './program.ts';

const SHOWN = `id, external_id, name, company, email, phone, tax_number, billing_address, shipping_address, currency,
  payment_terms_days, metadata, active, created_at, updated_at, version`;

export async function showCustomer(id: string) {
  const { rows } = await finance.query(`SELECT ${SHOWN} FROM customers WHERE workspace_id = $1 AND id = $2`, [
    workspace_id,
    id,
  ]);
  return rows[0];
}

/** The balance of a customer without ledger entries. */
const NOTHING = {
  opening_balance: null,
  opening_balance_id: null,
  balance: '0.00',
  overdue_balance: '0.00',
  base_balance: '0.00',
  base_overdue_balance: '0.00',
  credit_available: null,
  balances: [],
};

export const createCustomer = ({ name, email, phone, company }: Record<string, string>) =>
  transaction(finance, 'customers.create', async (client) => {
    const { rows: counters } = await client.query<{ last: number }>(
      `INSERT INTO number_counters AS counter (workspace_id, type, year, last) VALUES ($1, 'customer', 0, 1)
       ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counter.last + 1 RETURNING last`,
      [workspace_id],
    );
    const code = `CUS-${String(counters[0]?.last).padStart(5, '0')}`;
    const id = randomUUIDv7();
    const { rows } = await client.query(
      `INSERT INTO customers (id, workspace_id, code, name, email, phone, company, currency)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'EUR') RETURNING *`,
      [id, workspace_id, code, name, email, phone, company],
    );
    return { ...rows[0], ...NOTHING };
  });
