/** Compares rejections in all tests with `allowed_actions`: of transitions and of record scopes. */
import { expect } from '@jest/globals';
import { type Operation, operationsOf, type Service } from '@suite/chassis/declarations';
import type { z } from 'zod';
import type { Reply } from './http.ts';
import type { Member } from './member.ts';

/** Reads a record with its `allowed_actions`. */
interface Reader {
  path(id: string): string;
  row(body: Reply['body']): Record<string, unknown> | undefined;
  words: readonly string[];
}

const VARIABLE = /\{\w+\}/g;

function wordsOf({ reply: { schema } }: Operation): readonly string[] | undefined {
  const { shape } = schema as Partial<z.ZodObject>;
  const { element } = (shape?.['allowed_actions'] ?? {}) as { element?: { out: { options: string[] } } };
  return element?.out.options;
}

/** Returns a reader for a noun's record by its ID: the record itself, or else its row in the list. */
function readerOf(operations: ReadonlyMap<string, Operation>, noun: string): Reader | undefined {
  const [show, list] = [operations.get(`${noun}.show`), operations.get(`${noun}.list`)];
  const shown = show && wordsOf(show);
  if (shown) return { path: (id) => show.path.replace(VARIABLE, id), row: ({ data }) => data, words: shown };
  const listed = list && wordsOf(list);
  if (!listed) return undefined;
  return { path: (id) => `${list.path}?id[in]=${id}`, row: ({ data }) => data[0], words: listed };
}

/**
 * Returns the state of a record. A record in the same state always answers the same. A record that has changed state in
 * the meantime is not compared.
 */
const stateOf = (row: Record<string, unknown>) => row['status'] ?? row['stage'];

export type RejectionCheck = (by: Member, method: string, path: string, reply: Reply) => Promise<void>;

/**
 * Compares every refusal of a transition with what the record shows to the same caller: `details.action` is an action
 * that the noun has, and `details.allowed` is its `allowed_actions`. An action that is rejected because the record is beyond
 * the caller's record scope is not an allowed action.
 */
export function rejectionCheckOf(contents: Service): RejectionCheck {
  const operations = operationsOf(contents);
  const routes = [...operations].flatMap(([id, { method, path, access }]) => {
    const variables = path.match(VARIABLE) ?? [];
    const reader = readerOf(operations, id.split('.')[0]!);
    if (!reader || variables.length !== 1) return [];
    const does = access.kind === 'permission' ? access.does : undefined;
    return [{ method, pattern: new RegExp(`^${path.replace(VARIABLE, '([^/?]+)')}(\\?|$)`), reader, does }];
  });
  return async (by, method, path, { status, body }) => {
    const isOutOfScope = status === 403 && body?.details?.record_scope !== undefined;
    if (!isOutOfScope && (status !== 409 || body?.code !== 'invalid_transition')) return;
    const { from, action, allowed } = body.details as { from: string; action: string; allowed: string[] };
    for (const { method: other, pattern, reader, does } of routes) {
      const [, id] = (other === method && pattern.exec(path)) || [];
      if (!id) continue;
      // A rejection that concerns another kind of record depends on the body.
      if (isOutOfScope && (body.details.noun === undefined || body.details.noun !== does?.noun)) continue;
      if (isOutOfScope) {
        const { status: found, body: seen } = await by.get(reader.path(id));
        const offered = (found === 200 && (reader.row(seen)?.['allowed_actions'] as string[] | undefined)) || [];
        expect({ path, offered: offered.filter((word) => does?.actions.includes(word)) }).toEqual({
          path,
          offered: [],
        });
        continue;
      }
      expect(reader.words).toEqual(expect.arrayContaining([action, ...allowed]));
      const shown = await by.get(reader.path(id));
      const row = shown.status === 200 ? reader.row(shown.body) : undefined;
      if (row && stateOf(row) === from) expect({ path, allowed }).toEqual({ path, allowed: row['allowed_actions'] });
    }
  };
}
