/** Paginated activities of a lead or a deal. `show` returns the newest 100 of each kind, and the totals. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { FileLinks } from '@suite/chassis/files';
import { type ListRequest, paginate } from '@suite/chassis/lists';
import { can, page } from '@suite/chassis/operations';
import { type Board, type RecordKind, namesOf } from '../../pipeline/board/board.ts';
import { columnNamed, type Db, query, type Table, tableNamed } from '../../operations.ts';
import { userLabelOf } from '@suite/user-copies';
import { fileUrl } from '../files/file-operations.ts';
import { type PartName, parts } from './page.schema.ts';
import { recordIdIn, recordInPath } from '../../pipeline/board/record.ts';

const TABLES: Record<PartName, Table> = {
  tasks: 'tasks',
  calls: 'calls',
  discussions: 'discussions',
  emails: 'emails',
  files: 'files',
  stage_history: 'stage_changes',
  timeline: 'activities',
};

/** Computed fields of a part that are not columns. The `key` of a file is never returned, only its URL. */
const computed: Partial<Record<PartName, Record<string, Sql>>> = {
  files: { url: sql`files.key` },
  stage_history: { updated_at: sql`stage_changes.at` },
  timeline: { actor: userLabelOf(sql`activities.actor_id`), updated_at: sql`activities.at` },
};

/** Counts the entries of each part for a lead or deal. */
export async function activityTotals(db: Db, kind: RecordKind, id: string): Promise<Record<PartName, number>> {
  const key = columnNamed(`${kind}_id`);
  const counts = Object.entries(TABLES).map(
    ([part, table]) => sql`(SELECT count(*)::int FROM ${tableNamed(table)} WHERE ${key} = record.id) AS ${raw(part)}`,
  );
  const [totals] = await db.rows<Record<PartName, number>>(
    sql`SELECT ${join(counts)} FROM (SELECT ${id}::uuid AS id) AS record`,
  );
  return totals!;
}

interface ActivityPageRequest {
  db: Db;
  query: ListRequest;
  links: FileLinks;
}

/** Returns a page of a part. @throws NotFound */
async function readActivityPage({ db, query, links }: ActivityPageRequest, board: Board, part: PartName, id: string) {
  const { cards, key } = namesOf(board);
  const [record] = await db.rows(sql`SELECT id FROM ${tableNamed(cards)} WHERE id = ${id}::uuid`);
  if (!record) throw NotFound();
  const [table, compute = {}] = [TABLES[part], computed[part]];
  const where = sql`${tableNamed(table)}.${columnNamed(key)} = ${id}::uuid`;
  const found = await paginate(db, query, { table, where, compute });
  if (part !== 'files') return found;
  const rows = (found.rows as { url: string; name: string; mime: string }[]).map((file) => ({
    ...file,
    url: fileUrl(links, board.kind, { key: file.url, name: file.name, mime: file.mime }),
  }));
  return { ...found, rows };
}

/** Creates the list operations of one kind of record. */
export function pageOperations(
  board: Board,
  routes: Record<PartName, `GET /api/${RecordKind}-${string}/{${RecordKind}_id}`>,
) {
  const listOf = (part: PartName, noun: string, description: string) =>
    query(routes[part] as `GET /api/${string}/{lead_id}`, {
      summary: `List the ${noun} of a ${board.kind}`,
      description,
      addition: 'A lead or a deal shows only its newest hundred activities, and older ones must be available, too.',
      access: can(`${board.kind}.view`),
      params: recordInPath(board),
      query: parts[part].Filter,
      reply: page(parts[part].Row),
      handle: ({ params, ...asked }) => readActivityPage(asked, board, part, recordIdIn(board, params)),
    });
  return {
    tasks: listOf(
      'tasks',
      'tasks',
      'Returns the open and completed tasks with their assignees. Filter by `status` for open ones.',
    ),
    calls: listOf('calls', 'calls', 'Returns the logged calls with direction, duration and result.'),
    discussions: listOf('discussions', 'notes', `Returns the internal notes of the ${board.kind}. Notes never change.`),
    emails: listOf('emails', 'e-mails', 'Returns the sent and queued e-mails. `delivery` shows the result of sending.'),
    files: listOf(
      'files',
      'files',
      'Returns the uploaded files with download links, which expire after one to three hours.',
    ),
    stageHistory: listOf(
      'stage_history',
      'stage history',
      'Returns every change of the stage with its time and author. Entries never change.',
    ),
    timeline: listOf(
      'timeline',
      'timeline',
      `Returns all activities of the ${board.kind}, such as calls, tasks and changes. Entries never change.`,
    ),
  };
}
