/** Taxes collected and paid in a span, as a tax return needs them: from the journal alone. */
import { type Caller, sql } from '@suite/chassis';
import { subtract, sum } from '@suite/money';
import type { Db, Read, Rpc } from '../operations.ts';
import { type Spanned, spanOf } from './span.ts';

interface Levied {
  tax_id: string | null;
  output: string;
  input: string;
}

/** The entries of each tax; without an id those that name none (an adjustment by hand). */
const levied = (db: Db, { from, to }: Spanned): Promise<Levied[]> =>
  db.rows<Levied>(sql`
    SELECT line.tax_id, coalesce(sum(line.credit - line.debit) FILTER (WHERE account.system_role = 'tax_output'), 0) AS output,
      coalesce(sum(line.debit - line.credit) FILTER (WHERE account.system_role = 'tax_input'), 0) AS input
    FROM journal_lines AS line JOIN gl_accounts AS account ON account.id = line.account_id
    WHERE account.system_role IN ('tax_output', 'tax_input') AND line.date BETWEEN ${from}::date AND ${to}::date
    GROUP BY line.tax_id`);

/** Reads what was booked, and asks inventory what the taxes are called. */
export async function prepareTaxes(
  { read, rpc, caller }: { read: Read; rpc: Rpc; caller: Caller },
  asked: Parameters<typeof spanOf>[2],
) {
  const found = await read(async (db) => {
    const span = await spanOf(db, caller, asked);
    return { ...span, rows: await levied(db, span) };
  });
  const tax_ids = found.rows.flatMap(({ tax_id }) => tax_id ?? []);
  const { taxes } = tax_ids.length > 0 ? await rpc.inventory.batchGetTaxes({ tax_ids }) : { taxes: [] };
  return { ...found, known: new Map(taxes.map((tax) => [tax.tax_id, tax])) };
}

/** The taxes by name, and what is owed to the tax office altogether; less than nothing is owed to us. */
export function taxSummary({ from, to, books, rows, known }: Awaited<ReturnType<typeof prepareTaxes>>) {
  const { base_currency: currency } = books;
  const taxes = rows
    .map(({ tax_id, output, input }) => {
      const tax = known.get(tax_id ?? '');
      const named = { name: tax?.name ?? null, kind: tax?.kind ?? null, rate: tax?.rate ?? null };
      return { tax_id, ...named, output, input, payable: subtract(output, input, currency) };
    })
    .toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''));
  const total = (column: 'output' | 'input' | 'payable') =>
    sum(
      taxes.map((tax) => tax[column]),
      currency,
    );
  return {
    from,
    to,
    currency,
    taxes,
    output_total: total('output'),
    input_total: total('input'),
    payable_total: total('payable'),
  };
}
