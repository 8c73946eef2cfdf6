/** A change of a record: from a row of the journal to the message for platform. */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { RecordChange as RecordChangeMessage } from '@suite/proto/records/v1/records';
import type { Columns, FieldChange } from './field-changes.ts';

/** A change of a record. */
export interface RecordChange {
  /** Unique among the changes of the record. */
  id: string;
  /** RFC 3339, in UTC. */
  at: string;
  /** Hidden: after this change, the caller no longer sees the record. */
  action: 'created' | 'updated' | 'deleted' | 'hidden';
  /** Null for a change by the suite itself. */
  user_id: string | null;
  api_key_id: string | null;
  operation: string | null;
  request_id: string | null;
  fields: FieldChange[];
}

/** A change in the journal. */
export interface JournalChange {
  id: string;
  record_id: string;
  action: keyof typeof ACTIONS;
  at: string;
  actor: { user_id?: string; api_key_id?: string | null } | null;
  operation: string | null;
  request_id: string | null;
  before: Columns | null;
  after: Columns | null;
}

const ACTIONS = { insert: 'created', update: 'updated', delete: 'deleted' } as const;

/** Returns a JSON object with each number as a text: a number in JavaScript would lose digits. */
export const exact = (expression: string): Sql =>
  raw(`
  (SELECT jsonb_object_agg(key, CASE jsonb_typeof(value) WHEN 'number' THEN to_jsonb(value #>> '{}') ELSE value END)
    FROM jsonb_each(${expression}))`);

/** The columns of a `JournalChange` in the view `journal_changes`. */
export const CHANGE: Sql = sql`position::text || '.' || number AS id, record_id, action, at, actor, operation, request_id,
  ${exact('before')} AS before, ${exact('after')} AS after`;

/** Returns a change without its fields. */
export const recordChangeOf = ({ id, at, action, actor, operation, request_id }: JournalChange) => ({
  id,
  at,
  action: ACTIONS[action],
  user_id: actor?.user_id ?? null,
  api_key_id: actor?.api_key_id ?? null,
  operation,
  request_id,
});

const jsonOf = (change: FieldChange, key: 'old' | 'new') => (key in change ? JSON.stringify(change[key]) : undefined);

/** Returns the message of a change. */
export function changeMessage({
  user_id,
  api_key_id,
  operation,
  request_id,
  fields,
  ...change
}: RecordChange): RecordChangeMessage {
  return {
    ...change,
    user_id: user_id ?? undefined,
    api_key_id: api_key_id ?? undefined,
    operation: operation ?? undefined,
    request_id: request_id ?? undefined,
    fields: fields.map((field) => ({
      field: field.field,
      concealed: field.concealed,
      old_json: jsonOf(field, 'old'),
      new_json: jsonOf(field, 'new'),
    })),
  };
}
