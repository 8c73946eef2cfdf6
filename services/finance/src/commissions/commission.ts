/** Commission lines: earned with a sale, approved by somebody, paid from a bank account. */
import { type Caller, clock, lifecycle, one, readOne, sql } from '@suite/chassis';
import { actionsOf } from '../actions.ts';
import type { Db, Work } from '../operations.ts';
import { CommissionLine } from './commission.schema.ts';

/** `reverse` is what a return or a voided payment does to what is not paid yet. */
export const commissionStates = lifecycle('commission', {
  accrued: { approve: 'approved', reverse: 'reversed' },
  approved: { pay: 'paid', reverse: 'reversed' },
  paid: {},
  reversed: {},
});

const actions = actionsOf(commissionStates, { approve: 'commission.update', pay: 'commission.update' });

/** What a caller may do with a line, by its state. */
export const allowedTo =
  (caller: Caller | null) =>
  (status: string): string[] =>
    actions.in(status, caller);

/** How commission lines are read for a caller. */
export const commissionView = (db: Db, caller: Caller) => ({
  table: 'commission_lines',
  compute: {
    outstanding: sql`CASE WHEN commission_lines.status = 'paid' THEN 0
      ELSE commission_lines.amount - commission_lines.reversed END`,
    allowed_actions: actions.shown('commission_lines', caller),
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

/** Approves what was accrued, so that it can be paid; once, however often it is asked. @throws InvalidTransition */
export async function approveCommission({ db, caller }: Work, id: string): Promise<void> {
  const approval = { approved_by: caller?.user_id ?? null, approved_at: clock.now() };
  await commissionStates.move(db.commissionLine, id, 'approve', approval, allowedTo(caller));
}
