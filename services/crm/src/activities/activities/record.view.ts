import { sql } from '@suite/chassis/database';
import { type Expansion, many, one } from '@suite/chassis/lists';
import { membersOf } from '../../pipeline/board/members.ts';
import { productsOf } from '../products/product-operations.ts';
import { type Db, tableNamed } from '../../operations.ts';
import { type Board, namesOf } from '../../pipeline/board/board.ts';

/** Returns the expansions that lists of leads and lists of deals have in common. */
export function expansionsOf(db: Db, board: Board): Record<string, Expansion> {
  const { key, stages } = namesOf(board);
  return {
    pipeline: one('pipeline_id', (ids) => db.rows(sql`SELECT id, name FROM pipelines WHERE id = ANY(${ids}::uuid[])`)),
    stage: one('stage_id', (ids) =>
      db.rows(sql`SELECT id, name, type, color FROM ${tableNamed(stages)} WHERE id = ANY(${ids}::uuid[])`),
    ),
    labels: many(key, membersOf(db, board.kind, 'label')),
    sources: many(key, membersOf(db, board.kind, 'source')),
    users: many(key, membersOf(db, board.kind, 'user')),
    products: many(key, productsOf(db, board.kind)),
  };
}
