/** Outstanding commissions of an agent on a day: the sum of the entries up to that day. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { marginFields } from '../commissions/commission.view.ts';
import type { OutstandingCommissions } from '../commissions/commission.schema.ts';

type OutstandingReport = z.input<typeof OutstandingCommissions>;

/** Maximum number of lines in a response. */
const LINES_MAX = 500;

/** Returns the outstanding commissions of an agent on a day. @param agent an agent whom the caller may see */
export async function outstandingOf(
  { db, caller }: { db: Db; caller: Caller },
  agent: OutstandingReport['agent'],
  as_of: string,
): Promise<OutstandingReport> {
  const { base_amount, rate } = marginFields(caller, 'line');
  const moved = sql`
    FROM commission_lines AS line JOIN commission_moves AS move ON move.line_id = line.id AND move.date <= ${as_of}::date
    WHERE line.agent_id = ${agent.id}::uuid`;
  const currencies = await db.rows<OutstandingReport['currencies'][number]>(sql`
    SELECT line.currency, coalesce(sum(move.amount) FILTER (WHERE move.kind = 'accrual'), 0) AS accrued,
      coalesce(sum(move.amount) FILTER (WHERE move.kind = 'adjustment'), 0) AS adjusted,
      coalesce(- sum(move.amount) FILTER (WHERE move.kind = 'reversal'), 0) AS reversed,
      coalesce(- sum(move.amount) FILTER (WHERE move.kind = 'payment'), 0) AS paid, sum(move.amount) AS outstanding
    ${moved} GROUP BY line.currency ORDER BY line.currency`);
  const lines = await db.rows<OutstandingReport['lines'][number] & { lines_total: number }>(sql`
    SELECT found.*, invoice.number AS invoice_number, count(*) OVER ()::int AS lines_total
    FROM (SELECT line.id, line.invoice_id, line.kind, line.date, line.currency, ${base_amount} AS base_amount,
        ${rate} AS rate, line.amount,
        line.status, sum(move.amount) AS outstanding
      ${moved} GROUP BY line.id HAVING sum(move.amount) <> 0) AS found
      JOIN sales_invoices AS invoice ON invoice.id = found.invoice_id
    ORDER BY found.date DESC, found.id DESC LIMIT ${LINES_MAX}`);
  return { agent, as_of, currencies, lines, lines_total: lines[0]?.lines_total ?? 0 };
}
