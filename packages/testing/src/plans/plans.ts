/** Tests, generated from the declarations, of how lists are read when there is much in the database. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Confined, type Database, raw, sql } from '@suite/chassis';
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
import type { Member, Rights } from '../member.ts';
import { type Explained, explainedOn, explainFromNowOn, type Scan } from './explained.ts';
import { type Copies, multiply } from './multiply.ts';
import { type Serving, start, type StartOptions } from '../start.ts';

const ROWS = 100_000;
/** One copy of eight is made into the workspace itself. */
const OF_WORKSPACE = ROWS / 8;
/** Rows of tables that only follow others, and of those of which a workspace has a few. */
const FURTHER_ROWS = 10_000;
const PEOPLE = 50;
const MATES = 5;
/** The most rows that a page may read beside its own: expansions, what the caller belongs to, lookups of what a row refers to. */
const A_FEW = 1_250;
/** How many rows may be read for one of the caller's: whose a tenth of all rows is may be served by reading all of them. */
const READINGS = 10;

export interface Planned extends Pick<Copies, 'few' | 'shared' | 'rare'> {
  contents: Service;
  serving: Serving;
  neighbours?: StartOptions['neighbours'];
  /** A workspace with a record of every kind. */
  workspace: string;
  /** The people who made the records of the workspace, and those from outside whom they are for. */
  people: { staff: string[]; client?: string[]; vendor?: string[] };
  /** Tables of which no test fills any, and why. */
  empty?: Record<string, string>;
  /** Lists that read more than a page of rows, and why no index serves them. */
  whole?: Record<string, string>;
}

type Kind = keyof Planned['people'];
type People = Record<Kind, string[]>;

const isLimited = ({ kind, record_scopes }: Rights): boolean => kind !== 'owner' || record_scopes !== undefined;

function callersOf({ contents }: Planned, { staff, client, vendor }: People): Record<string, Rights> {
  const nouns = contents.visibility.flatMap((visible) =>
    visible.rule === 'conditions' ? [visible.conditions.noun] : [],
  );
  const scoped = (scope: 'own' | 'team', of = nouns) => Object.fromEntries(of.map((noun) => [noun, scope]));
  const newcomer = randomUUID();
  return {
    'the owner': { kind: 'owner', role: 'owner' },
    'a member who sees all but of one kind': { user_id: staff[0]!, record_scopes: scoped('own', nouns.slice(0, 1)) },
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

/** The service on a full database, whose statements are explained. */
interface Filled {
  replica: Serving;
  filled: ReadonlySet<string>;
  /** `leads.created_at`: by which columns an index finds rows of a workspace, and by which it sorts them. */
  indexed: Record<'filter' | 'sort', ReadonlySet<string>>;
  explained: () => Promise<Explained[]>;
}

const INDEXED = `
  SELECT indrelid::regclass || '.' || attname AS name, attnotnull AND pg_get_indexdef(indexrelid, 3, false) = 'id' AS sorts
  FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[1]
  WHERE pg_get_indexdef(indexrelid, 1, false) = 'workspace_id' AND indpred IS NULL`;

async function fill(options: Planned, people: People): Promise<Filled> {
  const { contents, serving, neighbours = {}, empty = {} } = options;
  const named = contents.visibility.filter(({ rule }) => rule !== 'nobody' && rule !== 'shared');
  const turns = Object.entries(options.people).flatMap(([kind, ids]) =>
    ids.map((id) => [id, people[kind as Kind]] as const),
  );
  const followers = named.filter(({ rule }) => rule === 'follows').map(({ table }) => table);
  const further = new Set([...followers, ...options.few]);
  const filled = await multiply(
    serving.admin,
    named.map(({ table }) => table).filter((table) => !(table in empty)),
    { ...options, rows: (table) => (further.has(table) ? FURTHER_ROWS : ROWS), people: Object.fromEntries(turns) },
  );
  const { rows } = await serving.admin.query<{ name: string; sorts: boolean }>(INDEXED);
  await explainFromNowOn(serving.admin);
  const replica = await start(contents, { neighbours, replicaOf: serving });
  const explained = explainedOn(replica.database.requests);
  const names = (found: typeof rows) => new Set(found.map(({ name }) => name));
  const indexed = { filter: names(rows), sort: names(rows.filter(({ sorts }) => sorts)) };
  return { replica, filled: new Set(filled), indexed, explained };
}

/** The path of a list with ids of records that the caller sees. */
async function pathFor({ replica }: Filled, { caller }: Member, { path, params = {} }: Operation): Promise<string> {
  let filled: string = path;
  for (const [name, schema] of Object.entries(params)) {
    const table = tables.get(schema)!.table;
    const context = { workspace_id: caller.workspace_id, caller, operation: 'test', request_id: randomUUID() };
    const database = replica.database as Database<Confined<object>>;
    const [row] = await database.view(context, (db) =>
      db.rows<{ id: string }>(sql`SELECT id FROM ${raw(table)} LIMIT 1`),
    );
    filled = filled.replace(`{${name}}`, row?.id ?? randomUUID());
  }
  return filled;
}

/** Finds a row among those of its workspace, or by its own id, or by what none has but the rows that were looked for. */
const isFound = ({ type, conditions, removed }: Scan): boolean =>
  conditions.length > 0 &&
  (conditions.every((by) => /workspace_id = |\bid = /.test(by)) || (type === 'Index Scan' && removed === 0));

const told = ({ type, table, indexes, conditions, rows }: Scan): string =>
  `${rows} of ${table} by ${type} ${indexes.join()} ${conditions.join()}`;

/** Reads that an answer did not need: of rows of other workspaces, or of too many. */
function needless({ filled }: Filled, { text, scans }: Explained, most: number): string[] {
  const big = scans.filter(({ table }) => filled.has(table));
  const rows = big.reduce((sum, scan) => sum + scan.rows, 0);
  const strangers = big
    .filter((scan) => !isFound(scan) && scan.rows > 0)
    .map((scan) => `Not by workspace: ${told(scan)}`);
  const many = rows > most ? [`${rows} rows instead of ${most}: ${big.map(told).join('; ')}`] : [];
  return [...strangers, ...many].map((each) => `${each}: ${text}`);
}

interface Meta {
  total: number;
  per_page: number;
  next_cursor: string | null;
}

/** The answer of a list. */
interface Body {
  data: Record<string, unknown>[];
  meta: Meta;
}

/** The request of a list: the parameter, and the field that it sorts or filters by. */
interface Question {
  query: string;
  sort?: string;
  filter?: string;
  ofAll?: boolean;
  /** Far behind the first one: the rows of the workspace may be read, and nothing is computed of those before the page. */
  deep?: boolean;
}

/** The table that a page or a count is of. */
const LISTED = /WHERE (\w+)\.workspace_id = \$/;

/** The needless reads of a reply. */
async function judge(
  to: Filled,
  { body }: Reply,
  { sort, filter, ofAll = false, deep = false }: Question,
): Promise<string[]> {
  const { total } = body.meta as Meta;
  return (await to.explained()).flatMap((explained) => {
    const [, table] = LISTED.exec(explained.text) ?? [];
    const has = (use: 'filter' | 'sort', field: string) => to.indexed[use].has(`${table}.${field}`);
    const isServed = (!sort || has('sort', sort)) && (!filter || has('filter', filter));
    const isPage = explained.text.includes(' OFFSET ');
    const most = A_FEW + (isPage && ofAll ? (deep ? OF_WORKSPACE : 0) : READINGS * total);
    return needless(to, explained, isServed ? most : ROWS);
  });
}

/** The questions about other pages of a list: the one behind a cursor, and the last one that has a number. */
function furtherPages({ total, per_page, next_cursor }: Meta): Question[] {
  if (!next_cursor) return [];
  return [
    { query: `cursor=${next_cursor}`, ofAll: true },
    { query: `page=${Math.ceil(total / per_page)}`, ofAll: true, deep: true },
  ];
}

/** The questions of a list: each order, equality with what is in its first row, a word, all expansions, and other pages. */
function questionsOf({ sort, filter, search, expand }: ListQuery, { data: [row = {}], meta }: Body): Question[] {
  const values = filter.filter((name) => ['string', 'boolean'].includes(typeof row[name]));
  return [
    ...sort.flatMap((name) => ['', '-'].map((sign) => ({ query: `sort=${sign}${name}`, sort: name, ofAll: true }))),
    ...values.map((name) => ({ query: `${name}=${encodeURIComponent(String(row[name]))}`, filter: name })),
    ...(search ? [{ query: 'q=n5' }] : []),
    ...(expand.length > 0 ? [{ query: `expand=${expand.join()}`, ofAll: true }] : []),
    ...furtherPages(meta),
  ];
}

/** Rows without their links, which are signed anew each second. */
const withoutLinks = (rows: unknown): unknown =>
  JSON.parse(JSON.stringify(rows).replaceAll(/"(?:https?:\/)?\/[^"]*"/g, '"a link"'));

/** Each half of the fields, when it is asked for alone, is shown as in the whole rows. */
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
 * Tests that a list of a hundred thousand rows, of which the workspace has an eighth and the caller a few, reads what its page
 * needs, whoever asks: no row of another workspace, and no more of this one than are the caller's.
 */
export function plans(options: Planned): void {
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
  // White-label instances are nobody here: their lists have tests of their own.
  const lists = [...operationsOf(contents)].filter(
    ([, { access, method, query }]) => access.kind !== 'instance' && method === 'GET' && isListQuery(query),
  );
  let to: Filled;
  const by = (rights: Rights): Member => to.replica.member({ can, modules, workspace, ...rights });

  beforeAll(async () => {
    to = await fill(options, people);
  }, 120_000);

  test('each table that is read has many rows', () => {
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
      expect(await judge(to, reply, { query: '', ofAll })).toEqual([]);
      if (!ofAll) return;
      for (const question of questionsOf(operation.query as ListQuery, reply.body as Body)) {
        const answered = await member.get(`${path}?${question.query}`);
        expect([question.query, await judge(to, answered, question)]).toEqual([question.query, []]);
      }
      if (reply.body.data.length > 0)
        await expectSameFields(member, path, operation.query as ListQuery, reply.body.data);
    });
  });
}
