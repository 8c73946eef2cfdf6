import { type Caller, NotFound, raw, type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/**
 * Which rows of sales somebody may see: all, or those that `column` gives to them. People from outside never see more than
 * their own, whatever the role says.
 */
export function visibleTo(caller: Caller, noun: string, column: string): Sql {
  const own = caller.record_scopes[noun] === 'own' || caller.kind === 'client' || caller.kind === 'vendor';
  return own ? sql`${raw(column)} = ${caller.user_id}::uuid` : sql`TRUE`;
}

/**
 * Makes sure that there is a row for this caller. Called before neighbours are asked about a body: whoever may not see a
 * record is not told what is wrong with a change of it.
 * @throws NotFound
 */
export async function assertVisible(db: Db, table: string, id: string, visible: Sql): Promise<void> {
  const rows = await db.rows(sql`SELECT id FROM ${raw(table)} WHERE id = ${id}::uuid AND ${visible}`);
  if (rows.length === 0) throw NotFound();
}

/** The same, and holds it until the transaction ends. @throws NotFound */
export async function holdVisible(db: Db, table: string, id: string, visible: Sql): Promise<void> {
  const rows = await db.rows(sql`
    SELECT id FROM ${raw(table)} WHERE id = ${id}::uuid AND ${visible} FOR NO KEY UPDATE`);
  if (rows.length === 0) throw NotFound();
}

/** The actions of these that the caller has the permission for. */
export const permitted = (caller: Caller, actions: readonly string[], permissions: Record<string, string>): string[] =>
  actions.filter((action) => {
    const permission = permissions[action];
    return permission !== undefined && caller.permissions.includes(permission);
  });
