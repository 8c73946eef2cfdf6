/** Checks the types of records with a history against the operations and the databases of their services. */
import { describe, expect, test } from '@jest/globals';
import { openingPermissions, operationsOf } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { useSharedSuite } from '@suite/testing/suite/started';

const suite = await useSharedSuite();

/** Columns of a table whose changes are in the journal. */
const COLUMNS = `
  SELECT attname AS column FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped
    AND EXISTS (SELECT FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = 'suite_audit_update')`;

/** Schemas of lists whose records have no history of their own, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  V1Customer: 'the history of the customer',
  V1Invoice: 'the history of the invoice',
  StockLevel: 'stock movements are its history',
};

describe.each(declaredServices.filter(({ records = [] }) => records.length > 0))('$name', (service) => {
  const { name, records = [] } = service;
  const operations = [...operationsOf(service).values()];

  test('shows the history of each type in its modules, to holders of its permissions', () => {
    const permissions = new Set(operations.flatMap(openingPermissions));
    const modules = new Set(operations.map(({ module }) => module));
    expect(
      records.filter((type) => !type.permissions.every((each) => permissions.has(each)) || !modules.has(type.module)),
    ).toEqual([]);
  });

  test('has columns for most fields of each type, and records their changes', async () => {
    const empty: string[] = [];
    for (const { name: type, table, schema } of records) {
      const rows = await suite.sql<{ column: string }>(name, COLUMNS, [table]);
      const columns = new Set(rows.map(({ column }) => column));
      const shown = Object.keys(schema.shape).filter((field) => columns.has(field));
      if (shown.length < 5) empty.push(`${type}: ${shown.join(', ')}`);
    }
    expect(empty).toEqual([]);
  });

  test('has a type for the records of each list', () => {
    const schemas = new Set(records.map(({ schema }) => schema.meta()?.id));
    const listed = operations.flatMap(({ reply, access }) => {
      if (reply.shape !== 'page' || access.kind !== 'permission' || !('shape' in reply.schema)) return [];
      return 'version' in (reply.schema.shape as object) ? [reply.schema.meta()?.id ?? ''] : [];
    });
    expect([...new Set(listed)].filter((schema) => !schemas.has(schema) && !(schema in WITHOUT))).toEqual([]);
  });
});
