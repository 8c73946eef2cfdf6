import { describe, expect, test } from '@jest/globals';
import {
  type ListQuery,
  type Operation,
  operationsOf,
  type Service,
  tables,
  type Visibility,
} from '@suite/chassis/declarations';
import type { z } from 'zod';
import type { Member, Reply, Rights } from './member.ts';
import type { Serving } from './start.ts';

const ABSENT = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';

export interface Seclusion {
  contents: Service;
  serving: Serving;
  /** A workspace that has a record of every kind, made by somebody else than the callers of these tests. */
  workspace: string;
  /** Makes more of everything in the same workspace: what strangers are answered must not change by it. */
  more?: () => Promise<unknown>;
  /** Bodies of queries that need one, by operation. */
  bodies?: Record<string, object>;
  /** Tables of which a stranger may see rows all the same, and why that is right. */
  open?: Record<string, string>;
  /** Operations whose answers are the same for every member of staff who may ask, and why. */
  whole?: Record<string, string>;
}

const isOutside = (kind: Rights['kind']): boolean => kind === 'client' || kind === 'vendor';

/** The tables of which a stranger of this kind must not see a row, by what is declared; found without any SQL. */
function hiddenTables(declared: readonly Visibility[], kind: Rights['kind'], open: Seclusion['open'] = {}): string[] {
  const rules = new Map(declared.map((visible) => [visible.table, visible]));
  const isHidden = (table: string): boolean => {
    const visible = rules.get(table);
    if (!visible || table in open) return false;
    if (visible.rule === 'follows')
      return (isOutside(kind) && !visible.outsiders) || Object.values(visible.parents).every(isHidden);
    if (visible.rule === 'staff') return isOutside(kind);
    return visible.rule === 'conditions' || visible.rule === 'mine' || visible.rule === 'nobody';
  };
  return [...rules.keys()].filter(isHidden);
}

const tableOf = (schema: unknown): string | undefined => tables.get(schema as z.ZodType)?.table;

const isList = (query: Operation['query']): query is ListQuery =>
  query !== undefined && 'parse' in query && typeof query.parse === 'function';

/** The callers who have every permission, and own nothing in the workspace. */
function strangers({ contents, serving, workspace }: Seclusion): Record<string, Member> {
  const declared = [...operationsOf(contents).values()];
  const can = [...new Set(declared.flatMap(({ access }) => (access.kind === 'permission' ? [access.permission] : [])))];
  const modules = [...new Set(declared.flatMap(({ module }) => module ?? []))];
  const nouns = contents.visibility.flatMap((visible) =>
    visible.rule === 'conditions' ? [visible.conditions.noun] : [],
  );
  const scoped = (scope: 'own' | 'team') => Object.fromEntries(nouns.map((noun) => [noun, scope]));
  const one = (rights: Rights) => serving.member({ can, modules, workspace, ...rights });
  return {
    'a client': one({ kind: 'client', role: 'client' }),
    'a vendor': one({ kind: 'vendor', role: 'vendor' }),
    'a member with the scope own': one({ record_scopes: scoped('own') }),
    'a member with the scope of another team': one({ record_scopes: scoped('team'), team: [ABSENT] }),
  };
}

/** Sends an operation its path and, where it takes one, a body. */
async function ask(by: Member, { method, upload }: Operation, path: string, body: object = {}): Promise<Reply> {
  if (method === 'GET') return await by.get(path);
  if (!upload) return await by.send(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
  const form = new FormData();
  form.set(upload.field, new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
  return await by.upload(path, form);
}

/** An answer but for what differs every time: the id of the request, and links that expire. */
const comparable = ({ status, body }: Reply): string =>
  JSON.stringify({ status, body: { ...body, request_id: '' } }).replaceAll(/\/[\w.-]{60,}/g, '/link');

/**
 * Tests, generated from the declarations, that nobody learns of records inside the workspace that he may not see: those
 * whose id he knows answer like absent ones, no list, count, sum or expansion holds them, and no answer shows a field that
 * is marked as inner.
 */
export function seclusion(options: Seclusion): void {
  const { contents, serving, workspace, open, whole = {}, more, bodies = {} } = options;
  const operations = [...operationsOf(contents)].filter(([, { access }]) => access.kind !== 'public');

  async function idsIn(table: string): Promise<string[]> {
    const { rows } = await serving.database.pool.query<{ row: { id?: string; workspace_id?: string } }>(
      `SELECT to_jsonb(t) AS row FROM ${table} AS t`,
    );
    return rows.flatMap(({ row }) => (row.id && row.workspace_id === workspace ? [row.id] : []));
  }
  const withIds = async (path: string, params: object, hidden: readonly string[]) => {
    let absent = path;
    let named = path;
    let isHidden = false;
    for (const [name, schema] of Object.entries(params)) {
      const table = tableOf(schema);
      const [id] = table ? await idsIn(table) : [];
      isHidden ||= table !== undefined && id !== undefined && hidden.includes(table);
      absent = absent.replace(`{${name}}`, ABSENT);
      named = named.replace(`{${name}}`, table && hidden.includes(table) ? (id ?? ABSENT) : ABSENT);
    }
    return { absent, named, isHidden };
  };

  describe.each(Object.entries(strangers(options)))('for %s', (_, stranger) => {
    const { kind } = stranger.caller;
    const hidden = hiddenTables(contents.visibility, kind, open);

    test.each(operations.filter(([, { params = {} }]) => Object.values(params).some(tableOf)))(
      '%s answers 404 alike for a record that he must not see and for none',
      async (_id, operation) => {
        const { absent, named, isHidden } = await withIds(operation.path, operation.params ?? {}, hidden);
        if (!isHidden) return;
        const one = await ask(stranger, operation, named);
        expect(one.status).toBe(404);
        expect(comparable(one)).toBe(comparable(await ask(stranger, operation, absent)));
      },
    );

    const readable = operations.filter(
      ([id, { kind: verb, params = {}, reply }]) =>
        verb === 'query' &&
        Object.keys(params).length === 0 &&
        reply.shape !== 'stream' &&
        (isOutside(kind) || !(id in whole)),
    );
    const everything = ({ query }: Operation): string => {
      if (!isList(query)) return '';
      return `?per_page=100${query.expand.length ? `&expand=${query.expand.join(',')}` : ''}`;
    };
    const askAll = async () => {
      const replies: [string, Reply][] = [];
      for (const [id, operation] of readable)
        replies.push([id, await ask(stranger, operation, `${operation.path}${everything(operation)}`, bodies[id])]);
      return replies;
    };

    test('no list, count, sum, board or choice holds what he must not see', async () => {
      const shown = contents.visibility.map(({ table }) => table).filter((table) => !hidden.includes(table));
      // A password has the id of its user, for example.
      const known = new Set((await Promise.all(shown.map(idsIn))).flat());
      const secrets = (await Promise.all(hidden.map(idsIn))).flat().filter((id) => !known.has(id));
      expect(secrets.length).toBeGreaterThan(0);
      const before = await askAll();
      const failed = before.filter(([, { status }]) => status >= 500).map(([id]) => id);
      const told = before.flatMap(([id, reply]) => {
        const text = comparable(reply);
        const [shown] = secrets.filter((secret) => text.includes(secret));
        const { meta, data } = reply.body ?? {};
        const counted = meta && meta.total !== data.length ? `${meta.total} in all` : undefined;
        return shown || counted ? [[id, shown ?? counted]] : [];
      });
      expect({ failed, told }).toEqual({ failed: [], told: [] });
      if (!more) return;
      await more();
      const after = new Map(await askAll());
      for (const [id, reply] of before) expect([id, comparable(after.get(id)!)]).toEqual([id, comparable(reply)]);
    });
  });
}
