import { describe, expect, test } from '@jest/globals';
import {
  accountScope,
  callerCheckOf,
  everyPermissionOf,
  type Operation,
  operationsOf,
  requiredPermissions,
  type Service,
  tables,
} from '@suite/chassis/declarations';
import type { z } from 'zod';
import { testConfinement } from './confinement.ts';
import { testChoice, testList } from './list-conformance.ts';
import { testSingleLines } from './text-conformance.ts';
import type { Reply } from '../http.ts';
import type { Member, CallerOptions } from '../member.ts';
import type { ServiceUnderTest } from '../start.ts';

const UNKNOWN_ID = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';
const JSON_TYPE = { 'content-type': 'application/json' };
const NONSENSE = { nonsense: 1 };

/**
 * Fields that only the server sets. No body may contain one, unless the operation declares it and the test gives the
 * reason.
 */
const PROTECTED = ['id', 'workspace_id', 'status', 'created_by', 'updated_by', 'created_at', 'updated_at', 'version'];

export interface Conformance {
  contents: Service;
  serving: ServiceUnderTest;
  /** Rights of a user in a workspace that has a record in every table that a path can name. */
  insider: CallerOptions & { workspace: string };
  /** Another workspace with records, which the insider must never see. */
  foreign_workspace: string;
  /** Operations that declare a protected field, with the reason. */
  declared?: Record<string, Record<string, string>>;
  /** Operations whose body a third party defines, with its name. No field of such a body is unknown. */
  foreign_bodies?: Record<string, string>;
  /** The tables of path variables that identify a record in several ways, such as by its ID or number. */
  named?: Record<string, string | { table: string; where: string }>;
}

/** An operation under test, and how to call it. */
export interface Probe extends Conformance {
  id: string;
  operation: Operation;
  /** The operation's path with well-formed IDs of nonexistent records. */
  absent: string;
  /** Returns the path with the IDs of a workspace's records. */
  pathIn(workspace: string): Promise<string>;
  call(by: Member, path: string, body: object): Promise<Reply>;
  /** Returns the insider with all rights and modules except these. */
  without(lacking: { permissions?: readonly string[]; module?: string }): Member;
}

const fill = (path: string, ids: Record<string, string>): string =>
  Object.entries(ids).reduce((whole, [name, id]) => whole.replace(`{${name}}`, id), path);

const tableOf = (schema: unknown): string | undefined => tables.get(schema as z.ZodType)?.table;

async function recordIn(
  workspace: string,
  [name, schema]: [name: string, schema: unknown],
  { serving, named = {} }: Conformance,
): Promise<string> {
  const place = tableOf(schema) ?? named[name];
  if (!place) return UNKNOWN_ID;
  const { table, where } = typeof place === 'string' ? { table: place, where: 'TRUE' } : place;
  const { rows } = await serving.database.pool.query(
    `SELECT id FROM ${table} WHERE workspace_id = $1 AND ${where} ORDER BY id LIMIT 1`,
    [workspace],
  );
  if (!rows[0]) throw new Error(`The workspace of this test has no record in ${table}.`);
  return rows[0].id;
}

type InsiderWithout = (permissions: readonly string[], module: string | undefined) => Member;

/** Returns a function that returns the insider with all rights and modules except these: the same member each time. */
function insidersOf({ contents, serving, insider }: Conformance): InsiderWithout {
  const declared = [...operationsOf(contents).values()];
  const permissions = [...new Set(declared.flatMap(everyPermissionOf))];
  const modules = [...new Set(declared.flatMap((operation) => operation.module ?? []))];
  const known = new Map<string, Member>();
  return (lacking, lacking_module) => {
    const key = [lacking_module, ...lacking].join();
    const can = permissions.filter((name) => !lacking.includes(name));
    const member =
      known.get(key) ?? serving.member({ ...insider, can, modules: modules.filter((name) => name !== lacking_module) });
    known.set(key, member);
    return member;
  };
}

function probe(conformance: Conformance, insiderWithout: InsiderWithout, id: string, operation: Operation): Probe {
  const { serving, insider } = conformance;
  const { method, path, params = {}, upload } = operation;
  return {
    ...conformance,
    id,
    operation,
    absent: fill(path, Object.fromEntries(Object.keys(params).map((name) => [name, UNKNOWN_ID]))),
    async pathIn(workspace) {
      const ids = Object.entries(params).map(
        async (variable) => [variable[0], await recordIn(workspace, variable, conformance)] as const,
      );
      return fill(path, Object.fromEntries(await Promise.all(ids)));
    },
    call(by, to, body) {
      if (method === 'GET') return by.get(to);
      if (!upload) return by.send(method, to, JSON.stringify(body), JSON_TYPE);
      const form = new FormData();
      for (const [name, value] of Object.entries(body)) form.set(name, String(value));
      form.set(upload.field, new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
      return by.upload(to, form);
    },
    without({ permissions: lacking = [], module }) {
      if (operation.access.kind === 'instance')
        return serving.member({ instance: { id: insider.workspace, mode: 'test' } });
      return insiderWithout(lacking, module);
    },
  };
}

function testAdmission({ operation, serving, absent, call, without }: Probe): void {
  const { access, module } = operation;
  if (access.kind === 'public') return;
  test('returns 401 without a session, regardless of other errors', async () => {
    const reply = await call(serving.anonymous, `${absent}?nonsense=1`, NONSENSE);
    expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated', request_id: expect.any(String) } });
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });
  if (module) {
    test('returns 403 when the module is disabled', async () => {
      const reply = await call(without({ module }), absent, NONSENSE);
      expect(reply).toMatchObject({ status: 403, body: { code: 'module_disabled' } });
    });
  }
  const permissions = requiredPermissions(operation);
  if (permissions.length > 0) {
    test('returns 403 without its permission', async () => {
      const reply = await call(without({ permissions }), absent, NONSENSE);
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    });
  }
  const also = access.kind === 'permission' ? access.also : undefined;
  if (also) {
    test('returns 403 without its further permission, for existing and absent records', async () => {
      const reply = await call(without({ permissions: [also] }), absent, NONSENSE);
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden', details: { permission: also } } });
    });
  }
}

/** The body decides which of two permissions is needed, before the rest of the body is validated. */
function testSaving({ operation, absent, call, without }: Probe): void {
  const { access } = operation;
  if (access.kind !== 'permission' || !access.creates) return;
  const { permission, creates } = access;
  test('returns 403 to a caller who may update but not create, and vice versa', async () => {
    expect(await call(without({ permissions: [creates] }), absent, NONSENSE)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', details: { permission: creates } },
    });
    expect(await call(without({ permissions: [permission] }), absent, { ...NONSENSE, id: UNKNOWN_ID })).toMatchObject({
      status: 403,
      body: { code: 'forbidden', details: { permission } },
    });
  });
}

/** Tests that a key is narrower than its owner: an operation without a permission requires a scope of the key. */
function testKeys({ operation, serving, insider, absent, call, without }: Probe): void {
  const { module } = operation;
  const permission = accountScope(operation);
  if (!permission) return;
  test('returns 403 to an API key without the scope', async () => {
    const { permissions, modules } = without({}).caller;
    const keyWith = (...can: string[]) =>
      serving.member({ ...insider, can, modules: [...modules, ...(module ? [module] : [])], api_key_id: UNKNOWN_ID });
    expect(await call(keyWith(...permissions), absent, NONSENSE)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', details: { permission } },
    });
    const { status, body } = await call(keyWith(permission), `${absent}?nonsense=1`, NONSENSE);
    // The check of an operation can exclude keys, or callers without a record of their own.
    const isExcluded = callerCheckOf(operation) !== undefined && status === 403;
    expect(isExcluded ? body.code !== 'forbidden' : [404, 422].includes(status)).toBe(true);
  });
}

/** Returns a response without its request ID, which is always different. */
const comparableReply = ({ status, body }: Reply) => ({ status, body: { ...body, request_id: '' } });

function testRecords({ operation, foreign_workspace, absent, pathIn, call, without }: Probe): void {
  const { params = {}, path } = operation;
  if (!Object.values(params).some(tableOf)) return;
  test('returns the same 404 for an absent record and for another workspace', async () => {
    const unknown = await call(without({}), absent, NONSENSE);
    const foreign = await call(without({}), await pathIn(foreign_workspace), NONSENSE);
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(comparableReply(foreign)).toEqual(comparableReply(unknown));
  });
  test('returns 422 for a path without a valid ID', async () => {
    const wrong = fill(path, Object.fromEntries(Object.keys(params).map((name) => [name, 'not-an-id'])));
    expect(await call(without({}), wrong, {})).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  });
}

function testInput(probed: Probe): void {
  const { id, operation, insider, declared = {}, foreign_bodies = {}, pathIn, call, without } = probed;
  const { method, body, upload, message } = operation;
  test('refuses unknown parameters', async () => {
    const reply = await call(without({}), `${await pathIn(insider.workspace)}?nonsense=1`, {});
    expect(reply).toMatchObject({ status: 422, body: { errors: { nonsense: [expect.any(String)] } } });
  });
  if (method === 'GET' || upload || message) return;
  test('returns 422 for malformed JSON', async () => {
    const reply = await without({}).send(method, await pathIn(insider.workspace), '{"nonsense":', JSON_TYPE);
    expect(reply).toMatchObject({ status: 422, body: { code: 'malformed_json' } });
  });
  if (id in foreign_bodies) return;
  test('rejects unknown fields and all read-only fields', async () => {
    const shape = (body as { shape?: object } | undefined)?.shape ?? {};
    const excused = [...Object.keys(declared[id] ?? {}), ...('version' in shape ? ['version'] : [])];
    const fields = ['nonsense', ...PROTECTED].filter((field) => !excused.includes(field));
    const wrong = Object.fromEntries(fields.map((field) => [field, 'x']));
    const { status, body: answer } = await call(without({}), await pathIn(insider.workspace), wrong);
    expect({ status, refused: fields.filter((field) => answer.errors?.[field]) }).toEqual({
      status: 422,
      refused: fields,
    });
    expect(excused.filter((field) => !(field in shape))).toEqual([]);
  });
}

/**
 * Tests, generated from the declarations, that all operations of a service follow the conventions. They cover access,
 * foreign records that look like absent ones, and errors for invalid input. None of the requests may change anything.
 * Further tests check that only a change to the code can let a request out of its workspace.
 */
export function conformance(options: Conformance): void {
  testConfinement(options.serving);
  const insiderWithout = insidersOf(options);
  describe.each([...operationsOf(options.contents)])('%s', (id, operation) => {
    const probed = probe(options, insiderWithout, id, operation);
    testAdmission(probed);
    testSaving(probed);
    testKeys(probed);
    testRecords(probed);
    testInput(probed);
    testSingleLines(probed);
    testList(probed);
    testChoice(probed);
  });
}
