/** Views of commissions. */
import { raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { one, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { commissionStates } from './commission.rules.ts';
import { CommissionLine } from './commission.schema.ts';

/** Fields that reveal the margin of a sale. */
const MARGINS = ['base_amount', 'rate'] as const;

/**
 * Returns the base and the rate of commission lines for a caller. Null for a commission on the margin of a sale, unless
 * the caller has `product.cost`.
 * @param line the name of the commission line in the statement
 */
export const marginFields = ({ permissions }: Caller, line: 'commission_lines' | 'line'): Record<string, Sql> =>
  Object.fromEntries(
    MARGINS.map((name) => {
      const column = raw(`${line}.${name}`);
      if (permissions.includes('product.cost')) return [name, column];
      const isMargin = sql`EXISTS (
        SELECT FROM commission_terms AS agreed WHERE agreed.invoice_id = ${raw(line)}.invoice_id
          AND agreed.agent_id = ${raw(line)}.agent_id AND agreed.terms->>'base' = 'margin')`;
      return [name, sql`CASE WHEN ${isMargin} THEN NULL ELSE ${column} END`];
    }),
  );

/** Returns the view of commission lines for a caller. */
export const commissionView = (db: Db, caller: Caller) => ({
  table: 'commission_lines',
  compute: {
    ...marginFields(caller, 'commission_lines'),
    outstanding: sql`CASE WHEN commission_lines.status = 'paid' THEN 0
      ELSE commission_lines.amount - commission_lines.reversed END`,
    allowed_actions: commissionStates.shownTo(caller, 'commission_lines'),
  },
  expand: {
    agent: one('agent_id', (ids) => db.rows(sql`SELECT id, code, name FROM agents WHERE id = ANY(${ids}::uuid[])`)),
    invoice: one('invoice_id', (ids) =>
      db.rows(sql`SELECT id, number FROM sales_invoices WHERE id = ANY(${ids}::uuid[])`),
    ),
  },
});

export const readCommission = (db: Db, caller: Caller, id: string) =>
  readOne(db, CommissionLine, id, commissionView(db, caller));
