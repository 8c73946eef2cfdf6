/** Expenses that finance has booked on projects: copies, by which the cost of a project is computed here. */
import { sql } from '@suite/chassis';
import type { ExpensePosted } from '@suite/proto/finance/v1/events';
import type { Db } from '../operations.ts';

/**
 * Keeps an expense of a project under its id. However often finance tells of it, and in which order, there is one, and one that was
 * taken back stays so. The project may come later.
 */
export async function keepExpense(db: Db, event: ExpensePosted, { reversed }: { reversed: boolean }): Promise<void> {
  const { expense_id, project_id, date, net, currency, rate, base_net, base_currency } = event;
  if (!project_id) return;
  await db.rows(sql`
    INSERT INTO project_expenses AS kept (id, project_id, date, net, currency, rate, base_net, base_currency, reversed)
    VALUES (${expense_id}::uuid, ${project_id}::uuid, ${date}::date, ${net}::numeric, ${currency}, ${rate}::numeric,
      ${base_net}::numeric, ${base_currency}, ${reversed}::boolean)
    ON CONFLICT (workspace_id, id) DO UPDATE SET reversed = kept.reversed OR EXCLUDED.reversed`);
}
