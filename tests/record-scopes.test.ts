import { expect, test } from '@jest/globals';
import {
  marked,
  type Operation,
  operationsOf,
  requiredPermissions,
  type Service,
  tables,
} from '@suite/chassis/declarations';
import type { Visibility } from '@suite/chassis/declarations';
import { opensRecordsOf, SCOPED_NOUNS } from '@suite/platform/record-scopes';
import { declaredServices } from '@suite/testing/declared';

const limitedNouns = (visible: Visibility): string[] => {
  if (visible.rule !== 'conditions') return [];
  const { noun, all = 'TRUE', limited } = visible.conditions;
  return JSON.stringify(limited) === JSON.stringify(all) ? [] : [noun];
};

test('platform accepts a record scope for exactly the nouns that services restrict', () => {
  const nouns = new Set(declaredServices.flatMap(({ visibility }) => visibility.flatMap(limitedNouns)));
  expect(Object.keys(SCOPED_NOUNS).toSorted()).toEqual([...nouns].toSorted());
});

/**
 * Returns the nouns whose scopes determine if a row of a table is visible: the table's own noun, or the nouns that it
 * follows.
 */
function scopesOf({ visibility }: Service, table: string): string[] {
  const visible = visibility.find((one) => one.table === table);
  if (visible?.rule === 'conditions') return limitedNouns(visible);
  if (visible?.rule !== 'follows') return [];
  return Object.values(visible.parents).flatMap((parent) => scopesOf({ visibility } as Service, parent));
}

const referencesIn = marked((field) => tables.get(field));

/** Returns the tables of the records that an operation opens by ID. */
const openedTables = ({ params = {}, body }: Pick<Operation, 'params' | 'body'>): string[] => [
  ...Object.values(params).flatMap((field) => tables.get(field)?.table ?? []),
  ...(body ? referencesIn(body) : []).filter(({ mark }) => mark.subject).map(({ mark }) => mark.table),
];

const operations = declaredServices.flatMap((service) =>
  [...operationsOf(service)].flatMap(([id, operation]) =>
    openedTables(operation).map((table) => ({
      id,
      permissions: requiredPermissions(operation),
      nouns: scopesOf(service, table),
    })),
  ),
);

test('platform knows the nouns whose records the permission of an operation opens', () => {
  const guarded = operations.filter(({ permissions, nouns }) => permissions.length > 0 && nouns.length > 0);
  const unknown = guarded.filter(
    ({ permissions, nouns }) =>
      !nouns.some((noun) => permissions.some((permission) => opensRecordsOf(noun, permission))),
  );
  expect(guarded.length).toBeGreaterThan(100);
  expect(unknown).toEqual([]);
});
