/** Finds columns that store IDs of other services' records without a declaration. */
import { describe, expect, test } from '@jest/globals';
import { placesOf } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { useSharedSuite } from '@suite/testing/suite/started';

const suite = await useSharedSuite();

/** UUID columns with these names and without a foreign key. */
const COLUMNS = `
  SELECT c.relname || '.' || a.attname AS place FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped AND a.attgenerated = ''
    AND a.atttypid = 'uuid'::regtype AND a.attname ~ $1
    AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'f' AND a.attnum = ANY (k.conkey))`;

/** The column names derived from the records that services delete: `customer_id`. */
const nouns = declaredServices.flatMap(({ name, owns = [] }) =>
  owns.map(({ noun }) => ({ owner: name, column: `${noun.split('.')[1]}_id` })),
);

describe.each(declaredServices)('$name', ({ name, references = [] }) => {
  test('declares the columns that are named after records of other services', async () => {
    const named = nouns.filter(({ owner }) => owner !== name).map(({ column }) => column);
    const rows = await suite.sql<{ place: string }>(name, COLUMNS, [`(^|_)(${named.join('|')})$`]);
    const known = new Set(references.flatMap(placesOf).map(({ table, column }) => `${table}.${column}`));
    expect(rows.map(({ place }) => place).filter((place) => !known.has(place))).toEqual([]);
  });
});
