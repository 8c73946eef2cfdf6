import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { Day, Id, MoneyOut, Name, Timestamp } from './fields.ts';
import { columnOf, cursorAfter, isListQuery, list } from './list.ts';

const Row = z.object({
  id: Id,
  name: Name,
  stage_id: Id.nullable(),
  amount: MoneyOut.nullable(),
  due: Day.optional(),
  open: z.boolean(),
  place: z.int(),
  weight: z.number(),
  status: z.enum(['open', 'done']),
  created_at: Timestamp,
  labels: z.array(z.string()).optional(),
});
const grammar = list(Row, {
  filter: ['name', 'stage_id', 'amount', 'due', 'open', 'place', 'status', 'created_at'],
  sort: ['created_at', 'name', 'amount', 'open', 'place'],
  search: true,
  expand: ['labels'],
});
const ID = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';
const ask = (query: Record<string, unknown>) => grammar.parse(query);
const refusal = (query: Record<string, unknown>, of = grammar) => {
  try {
    of.parse(query);
  } catch (error) {
    return error as { status: number; errors: Record<string, string[]> };
  }
  throw new Error('It was accepted.');
};

test('a list that is asked for nothing shows the newest, twenty at a time', () => {
  expect(ask({})).toMatchObject({
    page: 1,
    per_page: 20,
    filters: [],
    q: undefined,
    after: undefined,
    fields: undefined,
  });
  expect(ask({}).sort).toEqual([
    { column: 'created_at', kind: 'timestamptz', nullable: false, descending: true },
    { column: 'id', kind: 'uuid', nullable: false, descending: true },
  ]);
  expect(ask({}).columns).not.toContain('labels');
  expect([...ask({ expand: 'labels' }).expand]).toEqual(['labels']);
});

test('without a time it is in the order of its first sort field, or of its ids', () => {
  expect(
    list(Row, { sort: ['name'] })
      .parse({})
      .sort.map(({ column }) => column),
  ).toEqual(['name', 'id']);
  expect(
    list(Row, {})
      .parse({})
      .sort.map(({ column }) => column),
  ).toEqual(['id', 'id']);
  expect(list(Row, { sort: ['name'], order: '-name' }).parse({}).sort[0]).toMatchObject({
    column: 'name',
    descending: true,
  });
});

test('columns have the kind of their field', () => {
  const kinds = Object.entries(Row.shape).map(([name, schema]) => [name, columnOf(schema)] as const);
  expect(
    Object.fromEntries(kinds.map(([name, { kind, nullable }]) => [name, `${kind}${nullable ? '?' : ''}`])),
  ).toEqual({
    ...{
      id: 'uuid',
      name: 'text',
      stage_id: 'uuid?',
      amount: 'numeric?',
      due: 'date?',
      open: 'boolean',
      place: 'integer',
    },
    ...{ weight: 'integer', status: 'text', created_at: 'timestamptz', labels: 'text?' },
  });
});

test.each([
  [{ name: 'Ada' }, 'name', 'eq', ['Ada']],
  [{ 'name[like]': '50%' }, 'name', 'like', ['50%']],
  [{ 'name[in]': 'a,b' }, 'name', 'in', ['a', 'b']],
  [{ 'stage_id[ne]': ID }, 'stage_id', 'ne', [ID]],
  [{ 'stage_id[null]': 'true' }, 'stage_id', 'null', [true]],
  [{ open: 'false' }, 'open', 'eq', [false]],
  [{ 'place[gte]': '-3' }, 'place', 'gte', [-3]],
  [{ 'amount[lt]': '10.50' }, 'amount', 'lt', ['10.50']],
  [{ 'due[lte]': '2026-11-21' }, 'due', 'lte', ['2026-11-21']],
  [{ 'created_at[gt]': '2026-11-21T05:11:37+02:00' }, 'created_at', 'gt', ['2026-11-21T05:11:37+02:00']],
])('%j is understood', (query, column, operator, values) => {
  expect(ask(query).filters).toMatchObject([{ column, operator, values }]);
});

test.each([
  ['an unknown parameter', { nonsense: '1' }, 'nonsense'],
  ['a field that is not to be filtered by', { weight: '1' }, 'weight'],
  ['a field of every object', { constructor: '1' }, 'constructor'],
  ['an unknown operator', { 'name[regex]': 'x' }, 'name[regex]'],
  ['an operator of other fields', { 'open[in]': 'true' }, 'open[in]'],
  ['half a bracket', { 'name[like': 'x' }, 'name[like'],
  ['a parameter that is given twice', { name: ['a', 'b'] }, 'name'],
  ['no id', { stage_id: '1' }, 'stage_id'],
  ['no number', { place: 'x' }, 'place'],
  ['a fraction', { place: '1.5' }, 'place'],
  ['no truth', { open: 'yes' }, 'open'],
  ['no amount', { amount: '1e3' }, 'amount'],
  ['no day', { due: '2026-02-30' }, 'due'],
  ['no instant', { created_at: '2026-11-21' }, 'created_at[eq]'.slice(0, 10)],
  ['too many values', { 'name[in]': 'x,'.repeat(101) }, 'name[in]'],
  ['too long a text', { name: 'x'.repeat(201) }, 'name'],
  ['page 0', { page: '0' }, 'page'],
  ['half a page', { page: '1.5' }, 'page'],
  ['a page that is too deep', { page: '502' }, 'page'],
  ['too many on a page', { per_page: '101' }, 'per_page'],
  ['an order that is not declared', { sort: 'weight' }, 'sort'],
  ['an order of nothing', { sort: '' }, 'sort'],
  ['an unknown expansion', { expand: 'owner' }, 'expand'],
  ['an unknown field', { fields: 'id,password' }, 'fields'],
  ['a cursor of nobody', { cursor: 'nonsense' }, 'cursor'],
  ['a cursor that is given twice', { cursor: ['a', 'b'] }, 'cursor'],
])('%s is refused and named', (_, query, parameter) => {
  expect(refusal(query)).toMatchObject({ status: 422, errors: { [parameter]: [expect.any(String)] } });
});

test('what a list does not have cannot be asked of it', () => {
  const plain = list(Row, {});
  expect(refusal({ q: 'x' }, plain).errors).toHaveProperty('q');
  expect(refusal({ expand: 'labels' }, plain).errors['expand']).toEqual(['This list has nothing to choose here.']);
});

test('what is searched for is cut at two hundred signs', () => {
  expect(ask({ q: 'x'.repeat(300) }).q).toHaveLength(200);
});

describe('a cursor', () => {
  const row = { id: ID, name: 'Ada', amount: null, open: true, place: 3, created_at: '2026-11-21T05:11:37.275Z' };
  const orders = ['created_at', '-name', 'amount,-open', 'place'];

  test.each(orders)('goes on behind a row in the order %s', (sort) => {
    const { sort: keys } = ask({ sort });
    const values = keys.map(({ column }) => row[column as keyof typeof row]);
    expect(ask({ sort, cursor: cursorAfter(row, keys) }).after).toEqual(values);
  });

  test('of another order is refused', () => {
    const cursor = cursorAfter(row, ask({ sort: 'place' }).sort);
    expect(refusal({ sort: 'name', cursor }).errors).toHaveProperty('cursor');
  });

  test.each([
    ['a null where none can be', [null, ID]],
    ['an object', [{ gt: '' }, ID]],
    ['too few values', [3]],
    ['too many', [3, ID, 3]],
    ['a number as a text', ['3', ID]],
    ['no list', { place: 3 }],
  ])('that somebody made himself, with %s, is refused', (_, values) => {
    const cursor = Buffer.from(JSON.stringify(values)).toString('base64url');
    expect(refusal({ sort: 'place', cursor }).errors).toHaveProperty('cursor');
  });
});

test('links lead to other pages of the same question', () => {
  expect(ask({ name: 'A&B', page: '2' }).link({ page: '3' })).toBe('?name=A%26B&page=3');
});

test('fields of a query are no list, whatever they are called', () => {
  expect([grammar, undefined, {}, { parse: z.string() }, { row: z.string() }].map(isListQuery)).toEqual([
    ...[true, false, false, false, false],
  ]);
});
