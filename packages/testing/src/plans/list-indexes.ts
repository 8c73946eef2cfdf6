/** Tests, generated from the declarations, that indexes serve the sort orders and filters of lists. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  everyPermissionOf,
  isListQuery,
  type ListQuery,
  operationsOf,
  type Service,
} from '@suite/chassis/declarations';
import type pg from 'pg';
import { type Explained, collectPlans, enableExplain } from './explained.ts';
import type { Member } from '../member.ts';
import { smallTables, tinyTables } from './small-tables.ts';
import { type ServiceUnderTest, start } from '../start.ts';

export interface ListIndexes {
  contents: Service;
  serving: ServiceUnderTest;
  /** Columns without an index of their own, such as `tickets.priority`, with the reason. */
  served?: Record<string, string>;
  /** The column that divides a table into several lists, and that its indexes begin with: `payments: 'kind'`. */
  divided?: Record<string, string>;
}

/** A column of a table, and whether an index sorts the rows of a workspace by the column, or finds its values. */
interface Column {
  name: string;
  type: string;
  is_sorted: boolean;
  is_found: boolean;
}

const COLUMNS = `
  SELECT attname AS name, atttypid::regtype::text AS type,
    coalesce(bool_or(indexrelid IS NOT NULL AND indpred IS NULL), false) AS is_sorted,
    coalesce(bool_or(indexrelid IS NOT NULL), false) AS is_found
  FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid
    AND (indkey[1] = attnum OR indkey[2] = attnum AND pg_get_indexdef(indexrelid, 2, false) = $2)
    AND pg_get_indexdef(indexrelid, 1, false) = 'workspace_id'
    AND (indpred IS NULL OR pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname))
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped GROUP BY attname, atttypid`;

/** Matches the table of a page query. */
const LISTED = /WHERE (\w+)\.workspace_id = \$/;

/** Types of columns with many values: a filter by one value leaves few rows. */
const SELECTIVE = new Set(['uuid', 'date', 'timestamp with time zone']);

/** Each field that a list sorts by, and each reference and date that it filters by, without an index: `leads.owner_id`. */
async function missingIndexes(
  admin: pg.Pool,
  table: string,
  kind: string,
  { sort, filter }: ListQuery,
): Promise<string[]> {
  const { rows } = await admin.query<Column>(COLUMNS, [table, kind]);
  return rows
    .filter(
      ({ name, type, is_sorted, is_found }) =>
        (sort.includes(name) && !is_sorted) || (filter.includes(name) && SELECTIVE.has(type) && !is_found),
    )
    .filter(({ name }) => name !== 'id')
    .map(({ name }) => `${table}.${name}`);
}

/**
 * Tests that each list of a table that grows has an index for each of its orders, and for each reference and date that it filters
 * by.
 * Lists of the parts of one record are short. Filters with a few values, such as a status, are served in the order of the list.
 */
export function listIndexes({ contents, serving, served = {}, divided = {} }: ListIndexes): void {
  const declared = [...operationsOf(contents).values()];
  const can = declared.flatMap(everyPermissionOf);
  const modules = declared.flatMap(({ module }) => module ?? []);
  const lists = [...operationsOf(contents)].filter(
    ([, { access, method, path, query }]) =>
      access.kind !== 'instance' && method === 'GET' && !path.includes('{') && isListQuery(query),
  );
  let owner: Member;
  let explained: () => Promise<Explained[]>;

  beforeAll(async () => {
    await enableExplain(serving.admin);
    const replica = await start(contents, { replicaOf: serving });
    explained = collectPlans(replica.database.requests);
    owner = replica.member({ kind: 'owner', role: 'owner', can, modules, workspace: randomUUID() });
  }, 60_000);

  describe('a list', () => {
    test.each(lists)('%s has an index for each order, reference and date', async (_, { path, query }) => {
      await owner.get(path);
      const tables = (await explained()).flatMap(({ text }) => LISTED.exec(text)?.[1] ?? []);
      const [table] = tables.filter((name) => !smallTables.has(name) && !tinyTables.has(name));
      const missing = table ? await missingIndexes(serving.admin, table, divided[table] ?? '', query as ListQuery) : [];
      expect(missing.filter((name) => !(name in served))).toEqual([]);
    });
  });
}
