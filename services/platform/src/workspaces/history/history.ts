/** The history of any record: its service returns the changes, and platform adds the names of users and keys. */
import { sql } from '@suite/chassis/database';
import type { ListChangesResponse, RecordChange } from '@suite/proto/records/v1/records';
import type { Db, RecordServiceName, Rpc } from '../../operations.ts';
import type { HistoryEntry } from './history.schema.ts';

/** Requests a page of the changes of a record from its service. */
export function fetchChanges(
  rpc: Rpc,
  {
    record_type,
    record_id,
    page,
    per_page,
  }: { record_type: string; record_id: string; page: number; per_page: number },
): Promise<ListChangesResponse> {
  const service = record_type.split('.')[0] as RecordServiceName;
  const place = { offset: (page - 1) * per_page, limit: per_page };
  return rpc[`${service}.records`].listChanges({ record_type, record_id, ...place });
}

/** Returns the names of records by their ID. */
async function namesOf(db: Db, table: 'users' | 'api_keys', ids: readonly (string | undefined)[]) {
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  if (known.length === 0) return new Map<string, string>();
  const rows = await db.rows<{ id: string; name: string }>(
    table === 'users'
      ? sql`SELECT id, name FROM users WHERE id = ANY(${known}::uuid[])`
      : sql`SELECT id, name FROM api_keys WHERE id = ANY(${known}::uuid[])`,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const named = (id: string | undefined, names: ReadonlyMap<string, string>) =>
  id === undefined ? null : { id, name: names.get(id) ?? null };

const parsed = (json: string | undefined): unknown => (json === undefined ? null : JSON.parse(json));

/** Returns changes as the history shows them. */
export async function describeChanges(db: Db, changes: readonly RecordChange[]): Promise<HistoryEntry[]> {
  const users = await namesOf(
    db,
    'users',
    changes.map(({ user_id }) => user_id),
  );
  const keys = await namesOf(
    db,
    'api_keys',
    changes.map(({ api_key_id }) => api_key_id),
  );
  return changes.map(({ id, at, action, user_id, api_key_id, operation, request_id, fields }) => ({
    id,
    at,
    action: action as HistoryEntry['action'],
    user: named(user_id, users),
    api_key: named(api_key_id, keys),
    operation: operation ?? null,
    request_id: request_id ?? null,
    changes: fields.map(({ field, old_json, new_json, concealed }) => {
      return { field, old: parsed(old_json), new: parsed(new_json), concealed };
    }),
  }));
}
