import { describe, expect, test } from '@jest/globals';
import { type Operation, operationsOf, type Service, tables } from '@suite/chassis/declarations';
import type { z } from 'zod';
import type { Member, Rights } from './member.ts';
import type { Serving } from './start.ts';

const UNKNOWN_ID = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';
const JSON_TYPE = { 'content-type': 'application/json' };

/** What only the server sets: no body may carry it, unless the operation declares it and the test says why. */
const PROTECTED = [
  'id',
  'workspace_id',
  'status',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'version',
  'position_before',
  'password_hash',
];

export interface Conformance {
  contents: Service;
  serving: Serving;
  /** Rights of somebody in a workspace that has a record in every table that a path can name. */
  insider: Rights;
  /** A workspace that has records too, which the insider must never see. */
  foreign_workspace: string;
  /** Operations that declare a protected field, and why that is right. */
  declared?: Record<string, Record<string, string>>;
}

const everyPermission = (contents: Service): string[] =>
  [...operationsOf(contents).values()].flatMap(({ access }) =>
    access.kind === 'permission' ? [access.permission] : [],
  );

const everyModule = (contents: Service): string[] =>
  [...operationsOf(contents).values()].flatMap(({ module }) => module ?? []);

/**
 * Tests, generated from the declarations, that every operation of a service keeps the conventions: who is let in, that
 * foreign records look like absent ones, and what is said of wrong input. None of the calls may change anything.
 */
export function conformance({ contents, serving, insider, foreign_workspace, declared = {} }: Conformance): void {
  const can = everyPermission(contents);
  const modules = everyModule(contents);
  const member = serving.member({ ...insider, can, modules });

  /** The id of a record in a workspace, for every variable of a path that names one. */
  async function pathIn(workspace: string, { path, params = {} }: Operation): Promise<string> {
    const ids = await Promise.all(
      Object.entries(params).map(async ([name, schema]) => {
        const table = tables.get(schema as z.ZodType)?.table;
        if (!table) return [name, UNKNOWN_ID] as const;
        const { rows } = await serving.database.pool.query(`SELECT id FROM ${table} WHERE workspace_id = $1 LIMIT 1`, [
          workspace,
        ]);
        if (!rows[0]) throw new Error(`The workspace of this test has no record in ${table}.`);
        return [name, rows[0].id as string] as const;
      }),
    );
    return ids.reduce((whole, [name, id]) => whole.replace(`{${name}}`, id), path);
  }

  const call = (by: Member, { method, upload }: Operation, path: string, body: object) => {
    if (method === 'GET') return by.get(path);
    if (!upload) return by.send(method, path, JSON.stringify(body), JSON_TYPE);
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.set(name, String(value));
    form.set(upload.field, new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
    return by.upload(path, form);
  };

  describe.each([...operationsOf(contents)])('%s', (id, operation) => {
    const { access, method, module, params = {}, body, query } = operation;
    const unknownPath = Object.keys(params).reduce(
      (path, name) => path.replace(`{${name}}`, UNKNOWN_ID),
      operation.path,
    );
    const named = Object.values(params).filter((schema) => tables.has(schema as z.ZodType));
    const shape = (body as { shape?: object } | undefined)?.shape ?? {};

    if (access.kind !== 'public') {
      test('answers 401 without a session, whatever else is wrong', async () => {
        const reply = await call(serving.stranger, operation, `${unknownPath}?nonsense=1`, { nonsense: 1 });
        expect(reply).toMatchObject({ status: 401, body: { code: 'unauthenticated', request_id: expect.any(String) } });
        expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
      });
    }
    if (module && access.kind !== 'public') {
      test('answers 403 when the module is off', async () => {
        const reply = await call(
          serving.member({ ...insider, can, modules: modules.filter((other) => other !== module) }),
          operation,
          unknownPath,
          { nonsense: 1 },
        );
        expect(reply).toMatchObject({ status: 403, body: { code: 'module_disabled' } });
      });
    }
    if (access.kind === 'permission') {
      test('answers 403 without its permission', async () => {
        const reply = await call(
          serving.member({ ...insider, can: can.filter((other) => other !== access.permission), modules }),
          operation,
          unknownPath,
          { nonsense: 1 },
        );
        expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      });
    }
    if (named.length > 0) {
      test('answers 404 alike for an absent record and for one of another workspace', async () => {
        const absent = await call(member, operation, unknownPath, { nonsense: 1 });
        const foreign = await call(member, operation, await pathIn(foreign_workspace, operation), { nonsense: 1 });
        expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } });
        expect({ status: foreign.status, body: { ...foreign.body, request_id: '' } }).toEqual({
          status: absent.status,
          body: { ...absent.body, request_id: '' },
        });
      });
      test('answers 422 for a path that names no id', async () => {
        const path = Object.keys(params).reduce(
          (whole, name) => whole.replace(`{${name}}`, 'not-an-id'),
          operation.path,
        );
        expect(await call(member, operation, path, {})).toMatchObject({
          status: 422,
          body: { code: 'validation_failed' },
        });
      });
    }
    test('refuses unknown parameters', async () => {
      const path = await pathIn(insider.workspace!, operation);
      const reply = await call(member, operation, `${path}?nonsense=1`, {});
      expect(reply).toMatchObject({ status: 422, body: { errors: { nonsense: [expect.any(String)] } } });
      if (query && 'parse' in query) expect(reply.body.errors.nonsense[0]).toBe('This list has no such parameter.');
    });
    if (method !== 'GET' && !operation.upload) {
      test('refuses unknown fields, and every field that is the server’s to set', async () => {
        const path = await pathIn(insider.workspace!, operation);
        const excused = Object.keys(declared[id] ?? {});
        const fields = ['nonsense', ...PROTECTED].filter(
          (field) => !excused.includes(field) && !(field === 'version' && field in shape),
        );
        const { status, body: answer } = await call(
          member,
          operation,
          path,
          Object.fromEntries(fields.map((field) => [field, 'x'])),
        );
        expect({ status, refused: fields.filter((field) => answer.errors?.[field]) }).toEqual({
          status: 422,
          refused: fields,
        });
        expect(excused.filter((field) => !(field in shape))).toEqual([]);
      });
      test('answers malformed JSON with 422', async () => {
        const path = await pathIn(insider.workspace!, operation);
        expect(await member.send(method, path, '{"nonsense":', JSON_TYPE)).toMatchObject({
          status: 422,
          body: { code: 'malformed_json' },
        });
      });
    }
  });
}
