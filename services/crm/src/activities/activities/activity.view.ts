import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, many } from '@suite/chassis/lists';
import type { RecordKind } from '../../pipeline/board/board.ts';
import { callActions } from '../calls/call.rules.ts';
import { fileActions } from '../files/file.rules.ts';
import type { StoredObject } from '../files/file-operations.ts';
import { taskActions } from '../tasks/task.rules.ts';
import { columnNamed, type Db, type Table, tableNamed } from '../../operations.ts';
import { userLabelOf } from '@suite/user-copies';

type FileActions = Pick<typeof fileActions, 'shownTo'>;

/** Maximum number of activities of each type in one response. */
const SHOWN_MAX = 100;

/**
 * Returns the expansions that fill `activityFields` with the activities of a lead or deal.
 * @param link creates the download URL of a stored file
 */
export function activityExpansions(
  db: Db,
  caller: Caller,
  kind: RecordKind,
  link: (file: StoredObject) => string,
): Record<string, Expansion> {
  const key = `${kind}_id` as const;
  const id = columnNamed(key);
  const newest = (table: Table, columns: Sql, order: Sql) =>
    many(key, (ids) =>
      db.rows(sql`
        SELECT ${id}, ${columns} FROM ${tableNamed(table)}
        WHERE ${id} = ANY(${ids}::uuid[]) ORDER BY ${order} LIMIT ${SHOWN_MAX}`),
    );
  const latest = sql`created_at DESC, id DESC`;
  const withActions = (table: Table, { shownTo }: FileActions) => sql`*, ${shownTo(caller, table)} AS allowed_actions`;
  const files = newest('files', withActions('files', fileActions), latest);
  return {
    tasks: newest('tasks', withActions('tasks', taskActions), sql`status DESC, date, time, id`),
    calls: newest('calls', withActions('calls', callActions), sql`at DESC, id DESC`),
    discussions: newest('discussions', sql`*`, latest),
    emails: newest('emails', sql`*`, latest),
    async files(rows, name) {
      await files(rows, name);
      for (const row of rows)
        for (const file of row[name] as (StoredObject & { url?: string })[]) file.url = link(file);
    },
    stage_history: newest('stage_changes', sql`*`, sql`at DESC, id DESC`),
    timeline: newest(
      'activities',
      sql`id, type, payload, at, ${userLabelOf(sql`actor_id`)} AS actor`,
      sql`at DESC, id DESC`,
    ),
  };
}
