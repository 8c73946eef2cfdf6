import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type ListQuery,
  callerCheckOf,
  type Operation,
  operationsOf,
  everyPermissionOf,
  type Service,
  tables,
  type Visibility,
} from '@suite/chassis/declarations';
import type { z } from 'zod';
import type { Reply } from '../http.ts';
import type { Member, CallerOptions } from '../member.ts';
import type { ServiceUnderTest } from '../start.ts';

const ABSENT = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';

export interface VisibilityConformance {
  contents: Service;
  serving: ServiceUnderTest;
  /** Workspace that has a record of every kind, created by other users than the callers of these tests. */
  workspace: string;
  /** Adds more records of every kind in the same workspace. The responses to outsiders must not change. */
  more?: () => Promise<unknown>;
  /** Request bodies of queries that need one, by operation. */
  bodies?: Record<string, object>;
  /** Tables with rows that an outsider may see, with the reason. */
  open?: Record<string, string>;
  /**
   * User whose scope `team` contains records of the workspace, if teams are not those from platform: a line manager.
   */
  mate?: Pick<CallerOptions, 'user_id'>;
  /** Operations with the same response for all permitted staff, with the reason. */
  whole?: Record<string, string>;
}

const isOutside = (kind: CallerOptions['kind']): boolean => kind === 'client' || kind === 'vendor';

/**
 * Returns the tables whose rows an outsider of this kind must not see. Derived from the declarations, without any SQL.
 */
function hiddenTables(
  declared: readonly Visibility[],
  kind: CallerOptions['kind'],
  open: VisibilityConformance['open'] = {},
): string[] {
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

/** Creates callers with all permissions and no records in the workspace. */
function outsiders({ contents, serving, workspace }: VisibilityConformance) {
  const declared = [...operationsOf(contents).values()];
  const can = [...new Set(declared.flatMap(everyPermissionOf))];
  const modules = [...new Set(declared.flatMap(({ module }) => module ?? []))];
  const nouns = contents.visibility.flatMap((visible) =>
    visible.rule === 'conditions' ? [visible.conditions.noun] : [],
  );
  const scoped = (scope: 'own' | 'team') => Object.fromEntries(nouns.map((noun) => [noun, scope]));
  const one = (rights: CallerOptions) => serving.member({ can, modules, workspace, ...rights });
  const inTeam = (...mates: string[]) => {
    const user_id = randomUUID();
    return one({ user_id, record_scopes: scoped('team'), team: [user_id, ...mates] });
  };
  return { one, scoped, inTeam };
}

function otherCallers(options: VisibilityConformance): Record<string, Member> {
  const { one, scoped, inTeam } = outsiders(options);
  return {
    'a client': one({ kind: 'client', role: 'client' }),
    'a vendor': one({ kind: 'vendor', role: 'vendor' }),
    'a member with the scope own': one({ record_scopes: scoped('own') }),
    'a member with the scope of another team': inTeam(ABSENT),
  };
}

/** Sends a request to an operation, with a body if it accepts one. */
async function ask(by: Member, { method, upload }: Operation, path: string, body: object = {}): Promise<Reply> {
  if (method === 'GET') return await by.get(path);
  if (!upload) return await by.send(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
  const form = new FormData();
  form.set(upload.field, new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
  return await by.upload(path, form);
}

/** Returns a response without its variable parts: request ID, expiring links and server time. */
const comparable = ({ status, body }: Reply): string =>
  JSON.stringify({ status, body: { ...body, request_id: '' } })
    .replaceAll(/\/[\w.-]{60,}/g, '/link')
    .replaceAll(/"server_time":"[^"]+"/g, '"server_time":""');

/** Returns the IDs of a workspace's rows in a table. */
async function idsIn({ serving, workspace }: VisibilityConformance, table: string): Promise<string[]> {
  const { rows } = await serving.database.pool.query<{ row: { id?: string; workspace_id?: string } }>(
    `SELECT to_jsonb(t) AS row FROM ${table} AS t`,
  );
  return rows.flatMap(({ row }) => (row.id && row.workspace_id === workspace ? [row.id] : []));
}

/** Returns the users who created a workspace's rows. */
async function creatorsIn({ contents, serving, workspace }: VisibilityConformance): Promise<string[]> {
  const makers = contents.visibility.map(async ({ table }) => {
    const { rows } = await serving.database.pool.query<{ row: { created_by?: string; workspace_id?: string } }>(
      `SELECT to_jsonb(t) AS row FROM ${table} AS t`,
    );
    return rows.flatMap(({ row }) => (row.created_by && row.workspace_id === workspace ? [row.created_by] : []));
  });
  return [...new Set((await Promise.all(makers)).flat())];
}

/**
 * Returns a path with a hidden record and a path with an absent one. Returns undefined for paths without a hidden
 * record.
 */
async function paths(options: VisibilityConformance, { path, params = {} }: Operation, hidden: readonly string[]) {
  let [absent, named] = [path, path];
  for (const [name, schema] of Object.entries(params)) {
    const table = tableOf(schema);
    const [id] = table && hidden.includes(table) ? await idsIn(options, table) : [];
    absent = absent.replace(`{${name}}`, ABSENT);
    named = named.replace(`{${name}}`, id ?? ABSENT);
  }
  return absent === named ? undefined : { absent, named };
}

/**
 * Returns the IDs that an outsider must not receive. For example, a password has the ID of its user, who may be shown.
 */
async function secretsOf(options: VisibilityConformance, hidden: readonly string[]): Promise<string[]> {
  const idsOf = async (all: readonly string[]) => (await Promise.all(all.map((table) => idsIn(options, table)))).flat();
  const tablesShown = options.contents.visibility.map(({ table }) => table).filter((table) => !hidden.includes(table));
  const shown = new Set(await idsOf(tablesShown));
  return (await idsOf(hidden)).filter((id) => !shown.has(id));
}

/** Returns the responses of all queries without a record in their path, with the largest pages and all expansions. */
async function askAll(options: VisibilityConformance, stranger: Member): Promise<[string, Reply][]> {
  const { contents, whole = {}, bodies = {} } = options;
  const replies: [string, Reply][] = [];
  for (const [id, operation] of operationsOf(contents)) {
    const { kind, access, params = {}, reply, path, query } = operation;
    const isTested = kind === 'query' && access.kind !== 'public' && reply.shape !== 'stream';
    const isWhole = id in whole && !isOutside(stranger.caller.kind);
    if (!isTested || isWhole || Object.keys(params).length > 0) continue;
    const expand = isList(query) && query.expand.length ? `&expand=${query.expand.join(',')}` : '';
    const address = isList(query) ? `${path}?per_page=100${expand}` : path;
    replies.push([id, await ask(stranger, operation, address, bodies[id])]);
  }
  return replies;
}

/** Returns the faults of a response: it failed, it reveals a secret, or it counts what it does not show. */
function faultsOf([id, reply]: [string, Reply], secrets: readonly string[]): string[] {
  const text = comparable(reply);
  const { meta, data } = reply.body ?? {};
  return [
    ...(reply.status >= 500 ? [`${id} failed`] : []),
    ...secrets.filter((secret) => text.includes(secret)).map((secret) => `${id} reveals ${secret}`),
    ...(meta && meta.total !== data.length ? [`${id} shows ${data.length} and counts ${meta.total}`] : []),
  ];
}

/** Returns true if an operation is for staff, and the caller is not. The ID does not matter then. */
const isRejectedAnyway = ({ access }: Operation, { caller }: Member): boolean =>
  access.kind === 'session' && 'staff' in access && !['owner', 'staff'].includes(caller.kind);

const noHiddenRecordsMessage = (hidden: readonly string[]): string =>
  `The workspace has no hidden record, so the tests prove nothing. Create one of ${hidden.join(', ')} before these tests.`;

/**
 * Tests, generated from the declarations, that callers learn nothing about hidden records inside the workspace. Hidden
 * records with a known ID answer like absent ones. No list, count, sum, board, choice or expansion contains a hidden
 * record.
 */
export function visibilityConformance(options: VisibilityConformance): void {
  const { contents, open, more } = options;
  const named = [...operationsOf(contents)].filter(
    ([, { access, params = {} }]) => access.kind !== 'public' && Object.values(params).some(tableOf),
  );

  describe.each(Object.entries(otherCallers(options)))('for %s', (_, stranger) => {
    const hidden = hiddenTables(contents.visibility, stranger.caller.kind, open);

    test.each(named)('%s returns the same 404 for a hidden record and for an absent one', async (_id, operation) => {
      const found = await paths(options, operation, hidden);
      if (!found) return;
      const reply = await ask(stranger, operation, found.named);
      const absent = await ask(stranger, operation, found.absent);
      const isExcluded = callerCheckOf(operation) !== undefined && absent.body.code !== 'not_found';
      expect(reply.status).toBe(isExcluded || isRejectedAnyway(operation, stranger) ? 403 : 404);
      expect(comparable(reply)).toBe(comparable(absent));
    });

    test('shows hidden records in no list, count, sum, board or choice', async () => {
      const secrets = await secretsOf(options, hidden);
      if (hidden.length > 0 && secrets.length === 0) throw new Error(noHiddenRecordsMessage(hidden));
      const before = await askAll(options, stranger);
      expect(before.flatMap((answered) => faultsOf(answered, secrets))).toEqual([]);
      if (!more) return;
      await more();
      const after = new Map(await askAll(options, stranger));
      for (const [id, reply] of before) expect([id, comparable(after.get(id)!)]).toEqual([id, comparable(reply)]);
    });
  });

  test('shows some records to a team member of their creators', async () => {
    const unseen = new Set(contents.visibility.filter(({ rule }) => rule === 'nobody').map(({ table }) => table));
    const hidden = hiddenTables(contents.visibility, 'staff', open).filter((table) => !unseen.has(table));
    if (hidden.length === 0) return;
    const secrets = await secretsOf(options, hidden);
    const { one, scoped, inTeam } = outsiders(options);
    const mate = options.mate
      ? one({ ...options.mate, record_scopes: scoped('team') })
      : inTeam(...(await creatorsIn(options)));
    const answers = (await askAll(options, mate)).map(([, reply]) => comparable(reply)).join();
    expect(secrets.filter((secret) => answers.includes(secret))).not.toEqual([]);
  });
}
