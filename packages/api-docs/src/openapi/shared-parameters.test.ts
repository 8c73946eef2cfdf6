import { expect, test } from '@jest/globals';
import { shareParameters } from './shared-parameters.ts';

const filter = (type: string) => ({ name: 'updated_at[gte]', in: 'query', schema: { type } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const pathsOf = (...lists: object[][]) =>
  Object.fromEntries(lists.map((parameters, at) => [`/api/list-${at}`, { get: { parameters } }]));

test('a query parameter of four operations is written once', () => {
  const paths = pathsOf(...Array.from({ length: 4 }, () => [id, filter('string')]));
  expect(shareParameters(paths)).toEqual({ 'updated_at.gte': filter('string') });
  for (const path of Object.values(paths))
    expect(path.get.parameters).toEqual([id, { $ref: '#/components/parameters/updated_at.gte' }]);
});

test('keeps a parameter with the same name and another description in its operation', () => {
  const paths = pathsOf(...Array.from({ length: 5 }, () => [filter('string')]), [filter('integer')]);
  expect(shareParameters(paths)).toEqual({ 'updated_at.gte': filter('string') });
  expect(paths['/api/list-5']!.get.parameters).toEqual([filter('integer')]);
});

test('a query parameter of three operations stays in each operation', () => {
  const paths = pathsOf(...Array.from({ length: 3 }, () => [filter('string')]));
  expect(shareParameters(paths)).toEqual({});
  expect(paths['/api/list-0']!.get.parameters).toEqual([filter('string')]);
});
