/** Project expenses posted by finance: local copies for computing project costs. */
import { sql } from '@suite/chassis/database';
import type { ExpensePosted } from '@suite/proto/finance/v1/events';
import type { Db } from '../../operations.ts';

/**
 * Stores a project expense under its ID. Repeated events and any order of events result in one row, and a reversed
 * expense stays reversed. The project may be created later.
 */
export async function storeExpense(db: Db, event: ExpensePosted, { reversed }: { reversed: boolean }): Promise<void> {
  const { expense_id, project_id, date, net, currency, rate, base_net, base_currency } = event;
  if (!project_id) return;
  await db.rows(sql`
    INSERT INTO project_expenses AS kept (id, project_id, date, net, currency, rate, base_net, base_currency, reversed)
    VALUES (${expense_id}::uuid, ${project_id}::uuid, ${date}::date, ${net}::numeric, ${currency}, ${rate}::numeric,
      ${base_net}::numeric, ${base_currency}, ${reversed}::boolean)
    ON CONFLICT (workspace_id, id) DO UPDATE SET reversed = kept.reversed OR EXCLUDED.reversed`);
}
