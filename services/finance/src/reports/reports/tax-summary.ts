/**
 * Tax report: taxable bases and taxes of a span, by tax and rate at posting, including zero rates and untaxed amounts.
 * Current master data is not used.
 */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { roundTo, subtract, sum } from '@suite/money';
import type { Db } from '../../operations.ts';
import { type ReportSpan, reportSpanOf } from './report-span.ts';

interface TaxTotal {
  tax_id: string | null;
  name: string | null;
  kind: string | null;
  rate: string | null;
  output_base: string;
  output: string;
  input_base: string;
  input: string;
}

const readTaxTotals = (db: Db, { from, to }: ReportSpan): Promise<TaxTotal[]> =>
  db.rows<TaxTotal>(sql`
    SELECT tax_id, name, kind, trim_scale(rate)::text AS rate,
      coalesce(sum(base) FILTER (WHERE side = 'output'), 0)::text AS output_base,
      coalesce(sum(tax) FILTER (WHERE side = 'output'), 0)::text AS output,
      coalesce(sum(base) FILTER (WHERE side = 'input'), 0)::text AS input_base,
      coalesce(sum(tax) FILTER (WHERE side = 'input'), 0)::text AS input
    FROM tax_lines WHERE date BETWEEN ${from}::date AND ${to}::date
    GROUP BY tax_id, name, kind, rate ORDER BY name NULLS LAST, tax_lines.rate, kind, tax_id`);

/** Returns the taxes of a period, and the amount payable to the tax office. A negative amount is refundable. */
export async function taxSummary(db: Db, caller: Caller, requestedSpan: Parameters<typeof reportSpanOf>[2]) {
  const span = await reportSpanOf(db, caller, requestedSpan);
  const { from, to } = span;
  const { base_currency: currency } = span.books;
  const taxes = (await readTaxTotals(db, span)).map((row) => ({
    ...row,
    output_base: roundTo(row.output_base, currency),
    input_base: roundTo(row.input_base, currency),
    payable: subtract(row.output, row.input, currency),
  }));
  const total = (column: 'output' | 'input' | 'payable' | 'output_base' | 'input_base') =>
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
