/** How commissions are shown. */
import { type Caller, one, readOne, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { commissionStates } from './commission.rules.ts';
import { CommissionLine } from './commission.schema.ts';

/** How commission lines are read for a caller. */
export const commissionView = (db: Db, caller: Caller) => ({
  table: 'commission_lines',
  compute: {
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
