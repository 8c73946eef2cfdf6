/** View of revaluations. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { revaluationStates } from './revaluation.rules.ts';
import { RevaluationDetails } from './revaluation.schema.ts';

/** Returns the view of revaluations for a caller. */
export const revaluationView = (caller: Caller) => ({
  table: 'revaluations',
  compute: {
    reversal_date: sql`revaluations.date + 1`,
    allowed_actions: revaluationStates.shownTo(caller, 'revaluations'),
  },
});

/** Reads a revaluation with its balances. */
export const readRevaluation = (db: Db, caller: Caller, id: string) =>
  readOne(db, RevaluationDetails, id, revaluationView(caller));
