import { sql } from '@suite/chassis/database';
import { one, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { Agent } from './agent.schema.ts';

/** Returns the view of agents. */
export const agentView = (db: Db) => ({
  table: 'agents',
  expand: {
    plan: one('plan_id', (ids) => db.rows(sql`SELECT id, name FROM commission_plans WHERE id = ANY(${ids}::uuid[])`)),
  },
});

export const readAgent = (db: Db, id: string) => readOne(db, Agent, id, agentView(db));
