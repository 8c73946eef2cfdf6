import { expect, test } from '@jest/globals';
import { describeParameters } from './parameter-descriptions.ts';

const describedBy = (lines: Record<string, string>, ...parameters: object[]) => {
  const document = { paths: { '/api/badge': { get: { operationId: 'badges.show', parameters } } } };
  const { document: described, ...gaps } = describeParameters(document, new Map(Object.entries(lines)));
  const { paths } = described as typeof document;
  return {
    texts: paths['/api/badge'].get.parameters.map((one) => (one as { description?: string }).description),
    ...gaps,
  };
};

test.each([
  ['the operation', { 'badges.show.token': 'One.', 'badges.token': 'Two.', token: 'Three.' }, 'One.'],
  ['the noun', { 'badges.token': 'Two.', token: 'Three.' }, 'Two.'],
  ['the name', { token: 'Three.' }, 'Three.'],
])('a parameter is described by the line of %s', (_, lines, text) => {
  expect(describedBy(lines, { name: 'token' }).texts).toEqual([text]);
});

test('a line for one operation replaces a generated description, and others do not', () => {
  const generated = { name: 'id', description: 'ID of the badge.' };
  expect(describedBy({ 'badges.show.id': 'ID.' }, generated).texts).toEqual(['ID.']);
  expect(describedBy({ id: 'ID.' }, generated)).toEqual({ texts: ['ID of the badge.'], missing: [], unused: ['id'] });
});

test('parameters without a line are reported', () => {
  const found = describedBy({}, { name: 'token' }, { $ref: '#/components/parameters/Page' });
  expect(found.missing).toEqual(['badges.show.token']);
});
