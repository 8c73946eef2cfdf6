/** Conformance of lists and shown records to the query grammar, generated from the declarations. */
import { expect, test } from '@jest/globals';
import { choicesOf, columnOf, isListQuery, type ListQuery, operatorsOf } from '@suite/chassis/declarations';
import type { z } from 'zod';
import type { Probe } from './conformance.ts';
import type { Reply } from '../http.ts';
import { testSearch } from './search-conformance.ts';

const UNKNOWN_ID = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';

/** Valid values for comparisons with a column, at the limits of its type, and invalid values. */
const EDGES: Record<string, { fit: string[]; unfit: string[] }> = {
  uuid: { fit: [UNKNOWN_ID], unfit: ['x', '1', `${UNKNOWN_ID}0`] },
  text: { fit: [], unfit: ['x'.repeat(201)] },
  texts: { fit: ['x'], unfit: ['x'.repeat(201)] },
  boolean: { fit: ['true', 'false'], unfit: ['yes', '1', ''] },
  integer: { fit: ['0', '-2147483647', '2147483647'], unfit: ['1.5', '2147483648', 'x', ''] },
  numeric: { fit: ['0', '-999999999999999.999999'], unfit: ['1e3', 'NaN', ''] },
  date: { fit: ['0001-01-01', '9999-12-31'], unfit: ['0000-12-31', '2026-02-30', '10000-01-01'] },
  timestamptz: {
    fit: ['0001-01-01', '9999-12-31', '2026-03-29T02:30:00+14:00'],
    unfit: ['0000-01-01', '9999-12-31T23:59:59-01:00', '2026-11-21T00:00:00+23:00', 'yesterday'],
  },
};

const query = (parameters: Record<string, string>): string => `?${new URLSearchParams(parameters)}`;
const rejectedParameters = ({ status, body }: Reply): unknown => ({ status, fields: Object.keys(body.errors ?? {}) });
const rejectionOf = (parameter: string) => ({ status: 422, fields: [parameter] });
const rows = ({ body }: Reply): Record<string, unknown>[] => body.data;

/** Returns the query parameters of a filter: each operator with a valid value. */
function filtersOf(name: string, schema: z.ZodType): [string, string][] {
  const { kind } = columnOf(schema);
  const { options = [] } = unwrapped(schema) as { options?: string[] };
  const values = kind === 'text' ? options : EDGES[kind]!.fit;
  return operatorsOf(schema).flatMap((operator): [string, string][] => {
    const parameter = operator === 'eq' ? name : `${name}[${operator}]`;
    if (operator === 'null') return [[parameter, 'false']];
    return values.map((value) => [parameter, value]);
  });
}

const unwrapped = (schema: z.ZodType): z.ZodType => {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? unwrapped(innerType) : schema;
};

const isClosed = (schema: z.ZodType): boolean => unwrapped(schema).def.type === 'enum';

type ListRequester = (parameters: Record<string, string>) => Promise<Reply>;
const listRequester =
  ({ pathIn, insider, call, without }: Probe): ListRequester =>
  async (parameters) =>
    await call(without({}), `${await pathIn(insider.workspace)}${query(parameters)}`, {});

function testFilters(ask: ListRequester, { filter, filterSchema, through }: ListQuery): void {
  test('finds records by ID and by time of change', async () => {
    const whole = await ask({});
    const total = whole.body.meta.total;
    expect((await ask({ 'updated_at[gte]': '2000-01-01' })).body.meta.total).toBe(total);
    expect(rows(await ask({ 'updated_at[gte]': '9999-12-31' }))).toEqual([]);
    expect(rows(await ask({ 'id[in]': UNKNOWN_ID }))).toEqual([]);
    const some = rows(whole)
      .slice(0, 3)
      .map(({ id }) => String(id));
    const found = rows(await ask({ 'id[in]': [...some, UNKNOWN_ID].join(',') }));
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(some));
  });
  test('compares all its filter fields', async () => {
    const parameters = filter.flatMap((name) => filtersOf(name, filterSchema(name)!));
    const belonging = through.map((name): [string, string] => [`${name}[in]`, UNKNOWN_ID]);
    for (const [parameter, value] of [...parameters, ...belonging])
      expect([parameter, value, (await ask({ [parameter]: value })).status]).toEqual([parameter, value, 200]);
  });
  test('rejects a value that the field type does not allow, and names the parameter', async () => {
    for (const name of [...filter, ...through]) {
      const schema = filterSchema(name);
      const unfit = schema ? EDGES[columnOf(schema).kind]!.unfit : EDGES['uuid']!.unfit;
      const others = schema && isClosed(schema) ? ['no such word'] : [];
      for (const value of [...unfit, ...others])
        expect([value, rejectedParameters(await ask({ [name]: value }))]).toEqual([value, rejectionOf(name)]);
    }
  });
}

function testOrder(ask: ListRequester, { sort }: ListQuery): void {
  test('sorts by its declared fields, each once and at most four', async () => {
    for (const name of sort) expect([name, (await ask({ sort: `-${name}` })).status]).toEqual([name, 200]);
    expect(rejectedParameters(await ask({ sort: 'id,-id' }))).toEqual(rejectionOf('sort'));
    expect(rejectedParameters(await ask({ sort: 'id,'.repeat(300) }))).toEqual(rejectionOf('sort'));
  });
  test('continues only with its own cursor', async () => {
    const { body } = await ask({ sort: 'id', per_page: '1' });
    const { next_cursor } = body.meta;
    const cursor = next_cursor ?? 'nonsense';
    const next = next_cursor ? rows(await ask({ sort: 'id', cursor })) : [];
    const seen = body.data.map(({ id }: { id: string }) => id);
    expect(next.filter(({ id }) => seen.includes(id))).toEqual([]);
    expect(rejectedParameters(await ask({ sort: '-id', cursor }))).toEqual(rejectionOf('cursor'));
    expect(rejectedParameters(await ask({ sort: 'id', 'updated_at[gte]': '2000-01-01', cursor }))).toEqual(
      rejectionOf('cursor'),
    );
  });
}

function testShown(ask: ListRequester, { row, search, expand }: ListQuery): void {
  test('shows the requested fields, and expands its declared fields', async () => {
    for (const record of rows(await ask({ fields: 'id' }))) expect(Object.keys(record)).toEqual(['id']);
    expect(rejectedParameters(await ask({ fields: 'id,nonsense' }))).toEqual(rejectionOf('fields'));
    for (const name of expand) {
      const [plain, expanded] = [rows(await ask({})), rows(await ask({ expand: name }))];
      for (const [at, record] of expanded.entries())
        expect(Object.keys(record)).toEqual(expect.arrayContaining(Object.keys(plain[at] ?? {})));
      for (const record of rows(await ask({ expand: name, fields: 'id' })))
        expect(['id', name]).toEqual(expect.arrayContaining(Object.keys(record)));
    }
  });
  test('supports search if its rows have a name', async () => {
    expect(search || !('name' in row.shape)).toBe(true);
    if (!search) return;
    expect((await ask({ q: "'); DROP TABLE users; --" })).status).toBe(200);
    expect(rejectedParameters(await ask({ q: 'x'.repeat(201) }))).toEqual(rejectionOf('q'));
  });
}

/** Tests that a list supports the whole query grammar. */
export function testList(probe: Probe): void {
  const { query: grammar } = probe.operation;
  if (!isListQuery(grammar)) return;
  const ask = listRequester(probe);
  testFilters(ask, grammar);
  testOrder(ask, grammar);
  testShown(ask, grammar);
  testSearch(ask, grammar);
}

/** Tests that every caller who sees a record can choose its fields. */
export function testChoice(probe: Probe): void {
  const offered = choicesOf(probe.operation);
  // The records of a white-label instance are in no workspace of these tests.
  if (!offered || probe.operation.access.kind === 'instance') return;
  const ask = listRequester(probe);
  const shown = async (parameters: Record<string, string>) => Object.keys((await ask(parameters)).body.data);
  test('shows the chosen fields or all fields, and expand removes none', async () => {
    const everything = await shown({});
    expect(await shown({ fields: 'id' })).toEqual(['id']);
    expect(rejectedParameters(await ask({ fields: 'id,nonsense' }))).toEqual(rejectionOf('fields'));
    expect(rejectedParameters(await ask({ expand: 'nonsense' }))).toEqual(rejectionOf('expand'));
    if (offered.expand.length === 0) return;
    for (const expand of ['', ...offered.expand])
      expect((await shown({ expand })).toSorted()).toEqual(
        [...everything, ...offered.on_demand.filter((name) => name === expand)].toSorted(),
      );
    const shownOrDemanded = [...everything, ...offered.on_demand];
    for (const name of offered.expand)
      expect((await shown({ expand: name, fields: 'id' })).toSorted()).toEqual(
        shownOrDemanded.filter((field) => field === 'id' || field === name).toSorted(),
      );
  });
}
