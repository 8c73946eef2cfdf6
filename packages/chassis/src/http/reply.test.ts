import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { Fault, fault } from '../runtime/fault.ts';
import { secret, Timestamp } from '../schema/fields.ts';
import type { StoredResponse } from './idempotency.ts';
import { list, type Page } from '../lists/list.ts';
import { anyFile, created, ok, type Operation, page, type Reply, removed, upserted } from '../operation/operation.ts';
import { withoutSecrets } from '../schema/stored-fields.ts';
import { toResponse } from './reply.ts';

const Lead = z.object({ id: z.string(), name: z.string(), version: z.number().optional() });
const operation = (reply: Reply<never>, query?: object) =>
  ({ path: '/api/leads', query, reply }) as unknown as Operation;
const answer = (reply: unknown, value: unknown, query: unknown = {}, declared?: object) =>
  toResponse(
    operation(reply as Reply<never>, declared),
    { query, body: undefined, caller: null },
    value,
  ) as StoredResponse;
const row = { id: '1', name: 'Ada', password: 'x' };

describe('a response', () => {
  test('contains only the fields of its schema', () => {
    expect(answer(ok(Lead), row)).toEqual({ status: 200, body: { data: { id: '1', name: 'Ada' } } });
    expect(answer(created(Lead), row).status).toBe(201);
  });

  test('has a status that shows whether a record was created', () => {
    expect(answer(upserted(Lead), { created: true, record: row })).toMatchObject({
      status: 201,
      body: { data: { id: '1' } },
    });
    expect(answer(upserted(Lead), { created: false, record: row }).status).toBe(200);
  });

  test('has the record version as its ETag', () => {
    expect(answer(ok(Lead), { ...row, version: 3 }).headers).toEqual({
      ETag: expect.stringMatching(/^"3-[\w-]{12}"$/),
    });
    expect(answer(ok(Lead.nullable()), null)).toEqual({ status: 200, body: { data: null } });
  });

  test('has another ETag if an embedded name changes', () => {
    const tagOf = (name: string) => answer(ok(Lead), { id: '1', name, version: 3 }).headers;
    expect(tagOf('Ada')).toEqual(tagOf('Ada'));
    expect(tagOf('Ada')).not.toEqual(tagOf('Eve'));
  });

  test('has the totals of a page, with all rows, if it is a list', () => {
    const meta = { page: 1, per_page: 2, total: 2, total_is_exact: true, next_cursor: null };
    expect(answer(ok(z.array(Lead)), [row, row])).toMatchObject({ body: { data: [{ id: '1' }, { id: '1' }], meta } });
    expect(answer(ok(z.array(Lead)), [])).toMatchObject({
      body: { data: [], meta: { ...meta, per_page: 1, total: 0 } },
    });
  });

  test('contains the ID of a deleted record', () => {
    expect(answer(removed, { id: '1' }).body).toEqual({ data: { id: '1', deleted: true } });
  });

  test('fails with an internal error if the handler returns a wrong value', () => {
    expect(() => answer(ok(Lead), { id: 1 })).toThrow(z.ZodError);
  });

  test('is the fault or the file that the handler returns', () => {
    const refused = fault(409, 'taken', 'Taken.')();
    expect(answer(ok(Lead), refused)).toBe(refused);
    expect(refused).toBeInstanceOf(Fault);
    const send = async () => undefined;
    expect(answer(anyFile, send)).toBe(send);
  });
});

describe('a page', () => {
  const grammar = list(Lead.extend({ updated_at: Timestamp }), { filter: ['name'], sort: ['name'] });
  const found: Page = { rows: [row], page: 2, per_page: 1, total: 3, total_is_exact: true, next_cursor: 'abc' };
  const ask = (query: Record<string, string>, changes: Partial<Page> = {}) =>
    answer(page(Lead), { ...found, ...changes }, grammar.parse(query), grammar);

  test('has no links if the query was sent in a body', () => {
    expect(answer(page(Lead), { ...found, next_cursor: null })).toEqual({
      status: 200,
      body: { data: [{ id: '1', name: 'Ada' }], meta: expect.objectContaining({ page: 2, total: 3 }) },
    });
  });

  test('has its rows, the totals and the links to the next and previous pages', () => {
    expect(ask({ page: '2', per_page: '1', name: 'A&B' })).toEqual({
      status: 200,
      body: {
        data: [{ id: '1', name: 'Ada' }],
        meta: { page: 2, per_page: 1, total: 3, total_is_exact: true, next_cursor: 'abc' },
      },
      headers: {
        Link: '</api/leads?per_page=1&name=A%26B&cursor=abc>; rel="next", </api/leads?page=1&per_page=1&name=A%26B>; rel="prev"',
      },
    });
  });

  test('has no links if it is the only page', () => {
    expect(ask({}, { page: 1, next_cursor: null })).not.toHaveProperty('headers');
  });

  test('contains only the requested fields', () => {
    expect(ask({ fields: 'name' }).body).toMatchObject({ data: [{ name: 'Ada' }] });
    expect((ask({ fields: 'name' }).body as { data: object[] }).data[0]).not.toHaveProperty('id');
    expect(() => ask({ fields: 'password' })).toThrow('fields: Use any of: id, name, version, updated_at.');
  });
});

describe('a stored response for replays', () => {
  const Key = z.object({ id: z.string(), key: secret(z.string()) });

  test('omits values that are shown once', () => {
    const body = { data: { id: '1', key: 'bms_x' } };
    expect(withoutSecrets(created(Key) as Reply, body)).toEqual({ data: { id: '1', key: null } });
    expect(body.data.key).toBe('bms_x');
  });

  test('is complete for responses without secrets and for faults', () => {
    const body = { data: { id: '1', name: 'Ada' } };
    expect(withoutSecrets(created(Lead) as Reply, body)).toBe(body);
    const refusal = { message: 'Taken.', code: 'taken' };
    expect(withoutSecrets(created(Key) as Reply, refusal)).toBe(refusal);
    expect(withoutSecrets(ok(z.null()) as Reply, { data: null })).toEqual({ data: null });
  });
});
