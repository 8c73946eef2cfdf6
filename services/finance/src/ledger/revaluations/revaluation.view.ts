/** View of revaluations. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { FIRST_PAGE, type ReportPage } from './page.schema.ts';
import { listBalances } from './balances.ts';
import { revaluationStates } from './revaluation.rules.ts';
import { Revaluation } from './revaluation.schema.ts';

/** Returns the view of revaluations for a caller. */
export const revaluationView = (caller: Caller) => ({
  table: 'revaluations',
  compute: {
    reversal_date: sql`revaluations.date + 1`,
    allowed_actions: revaluationStates.shownTo(caller, 'revaluations'),
  },
});

/** Reads a revaluation with a page of its balances. Defaults to the first page. */
export async function readRevaluation(db: Db, caller: Caller, id: string, page: ReportPage = FIRST_PAGE) {
  const { per_page } = page;
  const revaluation = await readOne(db, Revaluation, id, revaluationView(caller));
  return { ...revaluation, ...(await listBalances(db, id, page)), page: page.page, per_page };
}
