/** Columns of all notices in lists and responses. */
import { asCaller, raw, type Sql, sql } from '@suite/chassis/database';
import { midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, type Page, paginate } from '@suite/chassis/lists';
import { extractAudienceFilter, audienceOf } from '../../organisation/audiences/audience.view.ts';
import { NOTICES, type NoticeKind } from '../../organisation/audiences/audience.ts';
import type { Db } from '../../operations.ts';

interface NoticeActions {
  shownTo(caller: Caller, table: string): Sql;
}

/** Returns the table of a kind, and the fields computed for each row. */
export const noticeView = (kind: NoticeKind, states: NoticeActions, caller: Caller) => {
  const { table } = NOTICES[kind];
  return { table, compute: { audience: audienceOf(kind), allowed_actions: states.shownTo(caller, table) } };
};

const NOUNS = { announcement: 'announcement', document: 'hrm_document', event: 'event' } as const;

/** Narrows a list to the caller's notices if they are few among very many. */
async function conditionForCaller(db: Db, kind: NoticeKind, { record_scopes, permissions }: Caller): Promise<Sql> {
  const noun = NOUNS[kind];
  const seesAll = permissions.includes(`${noun}.update`) && (record_scopes[noun] ?? 'all') === 'all';
  if (seesAll) return sql`TRUE`;
  const [found] = await asCaller(() =>
    db.rows<{ ids: string[] | null }>(sql`SELECT reached_notices(${kind}, suite_reach(${noun})) AS ids`),
  );
  return found?.ids ? sql`${raw(`${NOTICES[kind].table}.id`)} = ANY (${found.ids}::uuid[])` : sql`TRUE`;
}

type ListOptions = Omit<Parameters<typeof paginate>[2], 'where'>;

/** Returns a page of the notices that the caller can see. */
export async function listNotices(
  { db, caller }: { db: Db; caller: Caller },
  kind: NoticeKind,
  listRequest: ListRequest,
  view: ListOptions,
): Promise<Page> {
  const { request, where } = extractAudienceFilter(view.table, listRequest);
  const ours = await conditionForCaller(db, kind, caller);
  return await paginate(db, request, { ...view, where: sql`${where} AND ${ours}` });
}

const dayOf = (day: string | null): string | null => day && midnight(day);

/** Returns the first and last day as columns. Omitted days stay unchanged. */
export const dayChanges = ({ start, end }: { start?: string | null | undefined; end?: string | null | undefined }) => ({
  ...(start !== undefined && { start: dayOf(start) }),
  ...(end !== undefined && { end: dayOf(end) }),
});
