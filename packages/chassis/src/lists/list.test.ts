import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { Day, Id, MoneyOut, Name, Timestamp } from '../schema/fields.ts';
import { isListQuery, list } from './list.ts';
import { columnOf } from './list-filter.ts';

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
  updated_at: Timestamp,
  labels: z.array(z.string()).optional(),
});
const grammar = list(Row, {
  filter: ['name', 'stage_id', 'amount', 'due', 'open', 'place', 'status', 'created_at'],
  sort: ['created_at', 'name', 'amount', 'open', 'place'],
  search: true,
  expand: ['labels'],
  through: { member_id: { table: 'members', key: 'row_id', column: 'member_id' } },
});
/** More conditions on a field than any caller needs. */
const FILTERS = ['place', 'amount', 'due'].flatMap((name) =>
  ['', '[ne]', '[in]', '[gt]', '[gte]', '[lt]', '[lte]'].map((operator) => `${name}${operator}`),
);
const ID = '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10';
const ask = (query: Record<string, string>) => grammar.parse(query);
const refusal = (query: Record<string, string>, of = grammar) => {
  try {
    of.parse(query);
  } catch (error) {
    return error as { status: number; errors: Record<string, string[]> };
  }
  throw new Error('It was accepted.');
};

test('shows the newest records, 20 per page, without parameters', () => {
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

test('sorts by its first sort field, or by ID, if it has no timestamp', () => {
  expect(
    list(Row, { sort: ['name'] })
      .parse({})
      .sort.map(({ column }) => column),
  ).toEqual(['name', 'id']);
  expect(
    list(Row, {})
      .parse({})
      .sort.map(({ column }) => column),
  ).toEqual(['id']);
  expect(list(Row, { sort: ['name'], order: '-name' }).parse({}).sort[0]).toMatchObject({
    column: 'name',
    descending: true,
  });
});

test('orders search results by rank if declared, unless the caller sorts', () => {
  const first = (search: boolean | 'ranked', query: object) =>
    list(Row, { sort: ['name'], search })
      .parse({ ...query })
      .sort.map(({ column }) => column);
  expect(first('ranked', { q: 'ada' })).toEqual(['rank', 'id']);
  expect(first('ranked', { q: 'ada', sort: 'name' })).toEqual(['name', 'id']);
  expect(first('ranked', {})).toEqual(['name', 'id']);
  expect(first(true, { q: 'ada' })).toEqual(['name', 'id']);
});

test('compares a list of words with one word', () => {
  const tagged = list(Row.extend({ tags: z.array(z.string()) }), { filter: ['tags'] });
  expect(tagged.parse({ tags: 'a' }).filters).toMatchObject([{ kind: 'texts', operator: 'eq', values: ['a'] }]);
  expect(tagged.parse({ 'tags[in]': 'a,b' }).filters).toMatchObject([{ operator: 'in', values: ['a', 'b'] }]);
});

test('derives the kind of a column from its field', () => {
  const kinds = Object.entries(Row.shape).map(([name, schema]) => [name, columnOf(schema)] as const);
  expect(
    Object.fromEntries(kinds.map(([name, { kind, nullable }]) => [name, `${kind}${nullable ? '?' : ''}`])),
  ).toEqual({
    id: 'uuid',
    name: 'text',
    stage_id: 'uuid?',
    amount: 'numeric?',
    due: 'date?',
    open: 'boolean',
    place: 'integer',
    weight: 'integer',
    status: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    labels: 'texts?',
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
])('accepts %j', (query, column, operator, values) => {
  expect(ask(query).filters).toMatchObject([{ column, operator, values }]);
});

test.each([
  ['an unknown parameter', { nonsense: '1' }, 'nonsense'],
  ['a field that is not to be filtered by', { weight: '1' }, 'weight'],
  ['a field of every object', { constructor: '1' }, 'constructor'],
  ['an unknown operator', { 'name[regex]': 'x' }, 'name[regex]'],
  ['an operator of other fields', { 'open[in]': 'true' }, 'open[in]'],
  ['half a bracket', { 'name[like': 'x' }, 'name[like'],
  ['no id', { stage_id: '1' }, 'stage_id'],
  ['no number', { place: 'x' }, 'place'],
  ['a fraction', { place: '1.5' }, 'place'],
  ['no truth', { open: 'yes' }, 'open'],
  ['no amount', { amount: '1e3' }, 'amount'],
  ['no day', { due: '2026-02-30' }, 'due'],
  ['no timestamp', { created_at: '2026-11-31' }, 'created_at'],
  ['a year that no calendar has', { 'due[gte]': '0000-01-01' }, 'due[gte]'],
  ['a moment beyond the last year', { 'created_at[lt]': '9999-12-31T23:59:59-01:00' }, 'created_at[lt]'],
  ['an offset that no place has', { 'created_at[lt]': '2026-11-21T05:11:37+23:00' }, 'created_at[lt]'],
  ['a word that is not of its enumeration', { status: 'opened' }, 'status'],
  ['such a word among others', { 'status[in]': 'open,xyz' }, 'status[in]'],
  ['a part of a word of an enumeration', { 'status[like]': 'ope' }, 'status[like]'],
  ['a number that no column holds', { place: '2147483648' }, 'place'],
  ['an invalid member ID', { 'member_id[in]': `${ID},x` }, 'member_id[in]'],
  ['an operator that makes no sense for what belongs to a row', { 'member_id[null]': 'true' }, 'member_id[null]'],
  ['too many filters', Object.fromEntries(FILTERS.slice(0, 21).map((name) => [name, '2'])), FILTERS[20]!],
  ['too many values', { 'name[in]': 'x,'.repeat(101) }, 'name[in]'],
  ['too long a text', { name: 'x'.repeat(201) }, 'name'],
  ['page 0', { page: '0' }, 'page'],
  ['half a page', { page: '1.5' }, 'page'],
  ['a page that is too deep', { page: '502' }, 'page'],
  ['too many on a page', { per_page: '101' }, 'per_page'],
  ['an order that is not declared', { sort: 'weight' }, 'sort'],
  ['an order of nothing', { sort: '' }, 'sort'],
  ['an order of too many fields', { sort: 'name,amount,open,place,created_at' }, 'sort'],
  ['an order that repeats a field', { sort: 'name,-name' }, 'sort'],
  ['an order that repeats itself often', { sort: 'name,'.repeat(300) }, 'sort'],
  ['a field that is named twice', { fields: 'id,id' }, 'fields'],
  ['an expansion that is named twice', { expand: 'labels,labels' }, 'expand'],
  ['a search of too many characters', { q: 'x'.repeat(201) }, 'q'],
  ['a search of too many words', { q: 'x '.repeat(21) }, 'q'],
  ['a page behind a cursor', { page: '2', cursor: 'x' }, 'page'],
  ['an unknown expansion', { expand: 'owner' }, 'expand'],
  ['an unknown field', { fields: 'id,password' }, 'fields'],
  ['an invalid cursor', { cursor: 'nonsense' }, 'cursor'],
])('rejects and names %s', (_, query, parameter) => {
  expect(refusal(query)).toMatchObject({ status: 422, errors: { [parameter]: [expect.any(String)] } });
});

test.each<[string, Record<string, string>, string[], string[]]>([
  ['adds an expansion to the fields', { expand: 'labels', fields: 'id' }, ['id', 'labels'], ['labels']],
  ['expands a field that is named', { fields: 'id,labels' }, ['id', 'labels'], ['labels']],
  ['expands nothing that the fields leave out', { fields: 'id' }, ['id'], []],
])('a choice of fields %s', (_, query, fields, expand) => {
  const asked = ask(query);
  expect([[...asked.fields!], [...asked.expand]]).toEqual([fields, expand]);
});

test('rejects parameters that the list does not have', () => {
  const plain = list(Row, {});
  expect(refusal({ q: 'x' }, plain).errors).toHaveProperty('q');
  expect(refusal({ expand: 'labels' }, plain).errors['expand']).toEqual(['This record has no fields to choose.']);
});

test('filters every list by ID and by time of the last change', () => {
  expect(list(Row, {}).parse({ 'id[in]': ID, 'updated_at[gte]': '2026-11-22' }).filters).toEqual([
    { column: 'id', kind: 'uuid', operator: 'in', values: [ID] },
    { column: 'updated_at', kind: 'timestamptz', operator: 'gte', values: ['2026-11-22'] },
  ]);
});

test('returns the valid words if it rejects a word', () => {
  expect(refusal({ status: 'opened' }).errors['status']).toEqual(['Use one of: open, done.']);
  expect(refusal({ open: 'yes' }).errors['open']).toEqual(['Use true or false.']);
});

describe('a cursor', () => {
  const row = { id: ID, name: 'Ada', amount: null, open: true, place: 3, created_at: '2026-11-21T05:11:37.275Z' };
  const orders = ['created_at', '-name', 'amount,-open', 'place'];

  test.each(orders)('continues after a row in the order %s', (sort) => {
    const asked = ask({ sort });
    const values = asked.sort.map(({ column }) => row[column as keyof typeof row]);
    expect(ask({ sort, cursor: asked.cursorAfter(row, 42) })).toMatchObject({ after: values, counted: 42 });
  });

  test('continues regardless of the fields and the page size', () => {
    const cursor = ask({ sort: 'place', per_page: '2' }).cursorAfter(row, 42);
    const others = { per_page: '50', expand: 'labels', fields: 'id,labels' };
    expect(ask({ sort: 'place', cursor, ...others }).after).toEqual([3, ID]);
  });

  test('continues without a count if it was issued before cursors had one', () => {
    const asked = ask({ sort: 'place' });
    const [question, ...values] = JSON.parse(Buffer.from(asked.cursorAfter(row, 42), 'base64url').toString());
    const cursor = Buffer.from(JSON.stringify([question.split('.')[0], ...values])).toString('base64url');
    expect(ask({ sort: 'place', cursor })).toMatchObject({ after: values, counted: undefined });
  });

  test.each<[string, Record<string, string>, string]>([
    ['another order', { sort: '-place', open: 'true', q: 'x' }, 'a'],
    ['another filter', { sort: 'place', open: 'false', q: 'x' }, 'a'],
    ['one filter less', { sort: 'place', q: 'x' }, 'a'],
    ['another search', { sort: 'place', open: 'true', q: 'y' }, 'a'],
    ['another list', { sort: 'place', open: 'true', q: 'x' }, 'b'],
  ])('is rejected if it was issued for %s', (_, query, of) => {
    const cursor = grammar.parse({ sort: 'place', open: 'true', q: 'x' }, 'a').cursorAfter(row, 42);
    expect(grammar.parse({ sort: 'place', q: 'x', open: 'true', cursor }, 'a').after).toEqual([3, ID]);
    expect(() => grammar.parse({ ...query, cursor }, of)).toThrow('cursor');
  });

  test.each([
    ['a null where none can be', [null, ID]],
    ['an object', [{ gt: '' }, ID]],
    ['too few values', [3]],
    ['too many', [3, ID, 3]],
    ['a number as a text', ['3', ID]],
    ['no list', { place: 3 }],
  ])('is rejected if it was made up with %s', (_, values) => {
    const [digest] = JSON.parse(Buffer.from(ask({ sort: 'place' }).cursorAfter(row, 42), 'base64url').toString());
    const forged = Array.isArray(values) ? [digest, ...values] : values;
    const cursor = Buffer.from(JSON.stringify(forged)).toString('base64url');
    expect(refusal({ sort: 'place', cursor }).errors).toHaveProperty('cursor');
  });
});

test('links to other pages of the same query', () => {
  expect(ask({ name: 'A&B', page: '2' }).link({ page: '3' })).toBe('?name=A%26B&page=3');
});

test('does not treat other query fields as a list, regardless of their names', () => {
  expect([grammar, undefined, {}, { parse: z.string() }, { row: z.string() }].map(isListQuery)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
