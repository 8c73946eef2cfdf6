import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isListQuery, type ListQuery, operationsOf, type Service } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

/** The schema of a field. */
type Schema = NonNullable<ReturnType<ListQuery['filterSchema']>>;

const root = join(import.meta.dirname, '..');

/** Names of fields with few values. */
const CLOSED =
  /(?:^|_)(?:type|status|kind|state|purpose|direction|mode|source|method|role|priority|category|class|scope|frequency)$/;

/** Fields with such a name that accept any text. */
const OPEN: Readonly<Record<string, string>> = {
  'hr awards.list type': 'the name of an award, as a workspace calls it',
  'hr awards.own type': 'the name of an award, as a workspace calls it',
  'platform callback.list type': 'an event type of the payment provider, who adds new ones',
};

const present = (schema: Schema): Schema => {
  const { innerType } = schema.def as { innerType?: Schema };
  return innerType ? present(innerType) : schema;
};

/** Checks if a field accepts any text: a string without a pattern or a format. */
function isOpen(schema: Schema): boolean {
  const { type, checks = [], format } = present(schema).def as { type: string; checks?: unknown[]; format?: string };
  return type === 'string' && checks.length === 0 && format === undefined;
}

/**
 * Returns the columns of a service that the database limits to a list of values. Excludes `name`, which is free text in
 * most tables.
 */
function wordColumns({ name }: Service): Set<string> {
  const files = globSync(`services/${name}/prisma/migrations/*/migration.sql`, { cwd: root });
  const sql = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const columns = [...sql.matchAll(/CHECK \("?(\w+)"? IN \('/g)].map(([, column]) => column!);
  return new Set(columns.filter((column) => column !== 'name'));
}

test('a list filter of a field with few values rejects all other values', () => {
  const found = declaredServices.flatMap((service) => {
    const checked = wordColumns(service);
    return [...operationsOf(service)].flatMap(([id, { query }]) => {
      if (!isListQuery(query)) return [];
      const closed = query.filter.filter((field) => CLOSED.test(field) || checked.has(field));
      return closed
        .filter((field) => isOpen(query.filterSchema(field)!))
        .map((field) => `${service.name} ${id} ${field}`);
    });
  });
  expect(found.toSorted()).toEqual(Object.keys(OPEN).toSorted());
});
