/** Tests, generated from the declarations, of list query plans on a large database. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type WorkspaceDatabase, type Database, raw, sql } from '@suite/chassis/database';
import {
  isListQuery,
  type ListQuery,
  nounsOf,
  type Operation,
  operationsOf,
  everyPermissionOf,
  type Service,
  tables,
} from '@suite/chassis/declarations';
import type { Reply } from '../http.ts';
import type { Member, CallerOptions } from '../member.ts';
import { type Explained, collectPlans, enableExplain, type PlanScan } from './explained.ts';
import { type RecordCopies, multiplyRecords } from './multiply.ts';
import { type ServiceUnderTest, start, type StartOptions } from '../start.ts';

/** With fewer rows, PostgreSQL reads a whole workspace instead of the search index. Filling costs most of a plan test. */
const ROWS = 64_000;
/** Rows of the workspace itself: every eighth copy. */
const OF_WORKSPACE = ROWS / 8;
/** Number of rows in tables that only follow others, and in tables with a few rows per workspace. */
const FURTHER_ROWS = 10_000;
const PEOPLE = 50;
const MATES = 5;
/** Maximum number of rows that a page may read in addition to its own, such as expansions and look-ups. */
const A_FEW = 1_250;
/** Number of rows that may be read for one row of the caller, who has a tenth of all rows. */
const READINGS = 10;

export interface PlanConformance extends Pick<RecordCopies, 'few' | 'shared' | 'rare'> {
  contents: Service;
  serving: ServiceUnderTest;
  fakes?: StartOptions['fakes'];
  /** A workspace with a record of each kind. */
  workspace: string;
  /** The users who created the workspace's records, and the client and vendor users of those records. */
  people: { staff: string[]; client?: string[]; vendor?: string[] };
  /** Tables that no test fills, with the reason. */
  empty?: Record<string, string>;
  /** Lists that read more rows than a page, and why no index serves them. */
  whole?: Record<string, string>;
}

type Kind = keyof PlanConformance['people'];
type People = Record<Kind, string[]>;

const isLimited = ({ kind, record_scopes }: CallerOptions): boolean => kind !== 'owner' || record_scopes !== undefined;

function callersOf({ contents }: PlanConformance, { staff, client, vendor }: People): Record<string, CallerOptions> {
  const nouns = contents.visibility.flatMap((visible) =>
    visible.rule === 'conditions' ? [visible.conditions.noun] : [],
  );
  const scoped = (scope: 'own' | 'team', of = nouns) => Object.fromEntries(of.map((noun) => [noun, scope]));
  const newcomer = randomUUID();
  return {
    'the owner': { kind: 'owner', role: 'owner' },
    'a member with the scope own for one noun': { user_id: staff[0]!, record_scopes: scoped('own', nouns.slice(0, 1)) },
    'a member with the scope own': { user_id: staff[0]!, record_scopes: scoped('own') },
    'a member with the scope own and no records yet': { user_id: newcomer, record_scopes: scoped('own') },
    'a member with the scope team': {
      user_id: staff[0]!,
      team: staff.slice(0, MATES),
      record_scopes: scoped('team'),
    },
    'a member of a team with no records yet': { user_id: newcomer, team: [newcomer], record_scopes: scoped('team') },
    'a client': { kind: 'client', role: 'client', user_id: client[0]! },
    'a client without records': { kind: 'client', role: 'client', user_id: newcomer },
    'a vendor': { kind: 'vendor', role: 'vendor', user_id: vendor[0]! },
  };
}

/** A service on a full database that records the query plans of its statements. */
interface FilledService {
  replica: ServiceUnderTest;
  filled: ReadonlySet<string>;
  /** Columns that an index uses to find rows of a workspace and to sort them, such as `leads.created_at`. */
  indexed: Record<'filter' | 'sort', ReadonlySet<string>>;
  explained: () => Promise<Explained[]>;
}

const INDEXED = `
  SELECT indrelid::regclass || '.' || attname AS name, attnotnull AND pg_get_indexdef(indexrelid, 3, false) = 'id' AS sorts
  FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[1]
  WHERE pg_get_indexdef(indexrelid, 1, false) = 'workspace_id' AND indpred IS NULL`;

async function fill(options: PlanConformance, people: People): Promise<FilledService> {
  const { contents, serving, fakes = {}, empty = {} } = options;
  const named = contents.visibility.filter(({ rule }) => rule !== 'nobody' && rule !== 'shared');
  const turns = Object.entries(options.people).flatMap(([kind, ids]) =>
    ids.map((id) => [id, people[kind as Kind]] as const),
  );
  const followers = named.filter(({ rule }) => rule === 'follows').map(({ table }) => table);
  const further = new Set([...followers, ...options.few]);
  const filled = await multiplyRecords(
    serving.admin,
    named.map(({ table }) => table).filter((table) => !(table in empty)),
    { ...options, rows: (table) => (further.has(table) ? FURTHER_ROWS : ROWS), people: Object.fromEntries(turns) },
  );
  const { rows } = await serving.admin.query<{ name: string; sorts: boolean }>(INDEXED);
  await enableExplain(serving.admin);
  const replica = await start(contents, { fakes, replicaOf: serving });
  const explained = collectPlans(replica.database.requests);
  const names = (found: typeof rows) => new Set(found.map(({ name }) => name));
  const indexed = { filter: names(rows), sort: names(rows.filter(({ sorts }) => sorts)) };
  return { replica, filled: new Set(filled), indexed, explained };
}

/** Returns the path of a list, with IDs of records that the caller sees. */
async function pathFor(to: FilledService, { caller }: Member, { path, params = {} }: Operation): Promise<string> {
  let filled: string = path;
  for (const [name, schema] of Object.entries(params)) {
    const table = tables.get(schema)!.table;
    const context = { workspace_id: caller.workspace_id, caller, operation: 'test', request_id: randomUUID() };
    const database = to.replica.database as Database<WorkspaceDatabase<object>>;
    const [row] = await database.view(context, (db) =>
      db.rows<{ id: string }>(sql`SELECT id FROM ${raw(table)} LIMIT 1`),
    );
    filled = filled.replace(`{${name}}`, row?.id ?? randomUUID());
  }
  return filled;
}

/** Returns true if a row is found within its workspace, by ID, or by a condition of searched rows only. */
const isFound = ({ type, conditions, removed }: PlanScan): boolean =>
  conditions.length > 0 &&
  (conditions.every((by) => /workspace_id = |\bid = /.test(by)) || (type === 'Index Scan' && removed === 0));

const formatScan = ({ type, table, indexes, conditions, rows }: PlanScan): string =>
  `${rows} of ${table} by ${type} ${indexes.join()} ${conditions.join()}`;

/** Returns the unnecessary reads of a response: rows of other workspaces, or too many rows. */
function unnecessaryScans({ filled }: FilledService, { text, scans }: Explained, most: number): string[] {
  const big = scans.filter(({ table }) => filled.has(table));
  const rows = big.reduce((sum, scan) => sum + scan.rows, 0);
  const strangers = big
    .filter((scan) => !isFound(scan) && scan.rows > 0)
    .map((scan) => `Not by workspace: ${formatScan(scan)}`);
  const many = rows > most ? [`${rows} rows instead of ${most}: ${big.map(formatScan).join('; ')}`] : [];
  return [...strangers, ...many].map((each) => `${each}: ${text}`);
}

interface PageMeta {
  total: number;
  per_page: number;
  next_cursor: string | null;
}

/** The response of a list. */
interface Body {
  data: Record<string, unknown>[];
  meta: PageMeta;
}

/** A list request: the parameter, and the field that it sorts or filters by. */
interface ListQuestion {
  query: string;
  sort?: string;
  filter?: string;
  ofAll?: boolean;
  /** A far page: it may read all rows of the workspace, but computes nothing for rows before the page. */
  deep?: boolean;
}

/** Matches the table of a page or count query. */
const LISTED = /WHERE (\w+)\.workspace_id = \$/;

/** Returns the unnecessary reads of a response. */
async function unnecessaryReads(
  to: FilledService,
  { body }: Reply,
  { sort, filter, ofAll = false, deep = false }: ListQuestion,
): Promise<string[]> {
  const { total } = body.meta as PageMeta;
  return (await to.explained()).flatMap((explained) => {
    const [, table] = LISTED.exec(explained.text) ?? [];
    const has = (use: 'filter' | 'sort', field: string) => to.indexed[use].has(`${table}.${field}`);
    const isServed = (!sort || has('sort', sort)) && (!filter || has('filter', filter));
    const isPage = explained.text.includes(' OFFSET ');
    const most = A_FEW + (isPage && ofAll ? (deep ? OF_WORKSPACE : 0) : READINGS * total);
    return unnecessaryScans(to, explained, isServed ? most : ROWS);
  });
}

/** Returns the requests for further pages of a list: the page after the cursor, and the last numbered page. */
function furtherPages({ total, per_page, next_cursor }: PageMeta): ListQuestion[] {
  if (!next_cursor) return [];
  return [
    { query: `cursor=${next_cursor}`, ofAll: true },
    { query: `page=${Math.ceil(total / per_page)}`, ofAll: true, deep: true },
  ];
}

/** Returns the requests to test for a list: orders, filters from its first row, a search, expansions and pages. */
function questionsOf({ sort, filter, search, expand }: ListQuery, { data: [row = {}], meta }: Body): ListQuestion[] {
  const values = filter.filter((name) => ['string', 'boolean'].includes(typeof row[name]));
  return [
    ...sort.flatMap((name) => ['', '-'].map((sign) => ({ query: `sort=${sign}${name}`, sort: name, ofAll: true }))),
    ...values.map((name) => ({ query: `${name}=${encodeURIComponent(String(row[name]))}`, filter: name })),
    ...(search ? [{ query: 'q=n5' }] : []),
    ...(expand.length > 0 ? [{ query: `expand=${expand.join()}`, ofAll: true }] : []),
    ...furtherPages(meta),
  ];
}

/** Returns rows without their links, which are signed again each second. */
const withoutLinks = (rows: unknown): unknown =>
  JSON.parse(JSON.stringify(rows).replaceAll(/"(?:https?:\/)?\/[^"]*"/g, '"a link"'));

/** Tests that each half of the fields, requested alone, is shown as in the whole rows. */
async function expectSameFields(member: Member, path: string, { expand }: ListQuery, rows: Body['data']) {
  const names = Object.keys(rows[0] ?? {}).filter((name) => !expand.includes(name));
  for (const rest of [0, 1]) {
    const half = names.filter((_, at) => at % 2 === rest);
    const { data } = (await member.get(`${path}?fields=${half.join()}`)).body;
    const expected = rows.map((row) => Object.fromEntries(half.map((name) => [name, row[name]])));
    expect(withoutLinks(data)).toEqual(withoutLinks(expected));
  }
}

/**
 * Tests that a list of 64,000 rows reads only what its page needs, for any caller. The workspace has an
 * eighth of the rows, and the caller a few. The list reads no row of another workspace, and only the caller's rows of
 * this one.
 */
export function planConformance(options: PlanConformance): void {
  const { contents, workspace, whole = {}, empty = {} } = options;
  const ids = () => Array.from({ length: PEOPLE }, () => randomUUID());
  const people = { staff: ids(), client: ids(), vendor: ids() };
  const declared = [...operationsOf(contents).values()];
  const can = [
    ...new Set([
      ...declared.flatMap(everyPermissionOf),
      ...[...nounsOf(contents.visibility).keys()].map((noun) => `${noun}.view`),
    ]),
  ];
  const modules = [...new Set(declared.flatMap(({ module }) => module ?? []))];
  // White-label instances are not covered here: their lists have their own tests.
  const lists = [...operationsOf(contents)].filter(
    ([, { access, method, query }]) => access.kind !== 'instance' && method === 'GET' && isListQuery(query),
  );
  let to: FilledService;
  const by = (rights: CallerOptions): Member => to.replica.member({ can, modules, workspace, ...rights });

  beforeAll(async () => {
    to = await fill(options, people);
  }, 900_000);

  test('fills each table that lists read', () => {
    const read = contents.visibility.filter(({ rule }) => rule !== 'nobody' && rule !== 'shared');
    expect(read.map(({ table }) => table).filter((table) => !to.filled.has(table))).toEqual(Object.keys(empty));
  });

  describe.each(Object.entries(callersOf(options, people)))('for %s', (_, rights) => {
    test.each(lists)('%s reads what its page needs', async (id, operation) => {
      const member = by(rights);
      const path = await pathFor(to, member, operation);
      await to.explained();
      const reply = await member.get(path);
      if (reply.status === 403 || reply.status === 404) return;
      expect(reply.status).toBe(200);
      if (id in whole) return;
      const ofAll = !isLimited(rights);
      expect(await unnecessaryReads(to, reply, { query: '', ofAll })).toEqual([]);
      if (!ofAll) return;
      for (const question of questionsOf(operation.query as ListQuery, reply.body as Body)) {
        const answered = await member.get(`${path}?${question.query}`);
        expect([question.query, await unnecessaryReads(to, answered, question)]).toEqual([question.query, []]);
      }
      if (reply.body.data.length > 0)
        await expectSameFields(member, path, operation.query as ListQuery, reply.body.data);
    });
  });
}
