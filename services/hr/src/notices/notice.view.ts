/** Columns that lists and answers show of everything that is published. */
import type { Caller, Sql } from '@suite/chassis';
import { audienceOf } from '../audiences/audience.view.ts';
import { midnight } from '../days/midnight.ts';
import { NOTICES, type NoticeKind } from '../audiences/audience.ts';

interface Shown {
  shownTo(caller: Caller, table: string): Sql;
}

/** The table of a kind, and the fields that are computed with each row. */
export const noticeView = (kind: NoticeKind, states: Shown, caller: Caller) => {
  const { table } = NOTICES[kind];
  return { table, compute: { audience: audienceOf(kind), allowed_actions: states.shownTo(caller, table) } };
};

const dayOf = (day: string | null): string | null => day && midnight(day);

/** The first and the last day as columns; one of which nothing is said is left as it is. */
export const dayChanges = ({ start, end }: { start?: string | null | undefined; end?: string | null | undefined }) => ({
  ...(start !== undefined && { start: dayOf(start) }),
  ...(end !== undefined && { end: dayOf(end) }),
});
