/** Views of acknowledgments in lists and responses. */
import { raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, type Page, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { NOTICES } from '../../organisation/audiences/audience.ts';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { acknowledgmentStates } from './acknowledgment.rules.ts';
import { Acknowledgment } from './acknowledgment.schema.ts';

const NOTICE_STATUS = sql`(
  SELECT announcements.status FROM announcements WHERE announcements.id = acknowledgments.announcement_id
  UNION ALL SELECT hrm_documents.status FROM hrm_documents WHERE hrm_documents.id = acknowledgments.document_id)`;

const acknowledgmentView = (db: Db, caller: Caller) => ({
  table: 'acknowledgments',
  compute: {
    type: sql`CASE WHEN acknowledgments.document_id IS NULL THEN 'announcement' ELSE 'document' END`,
    title: sql`
      SELECT announcements.title FROM announcements WHERE announcements.id = acknowledgments.announcement_id
      UNION ALL SELECT hrm_documents.title FROM hrm_documents WHERE hrm_documents.id = acknowledgments.document_id`,
    overdue: sql`acknowledgments.status = 'pending' AND acknowledgments.due_on < ${today(caller.timezone)}::date
      AND coalesce(${NOTICE_STATUS} = 'published', FALSE)`,
    acknowledged_at: sql`acknowledgments.at`,
    allowed_actions: acknowledgmentStates.shownTo(caller, 'acknowledgments'),
  },
  expand: { employee: one('employee_id', employeeLabels(db)) },
});

type AcknowledgmentFilterInput = ListRequest['filters'][number];

/** The condition of a filter by the type: the column that names the other kind of notice is null. */
const byType = ({ operator, values }: AcknowledgmentFilterInput): Sql | undefined =>
  operator === 'eq' && values[0] === 'announcement' ? sql`acknowledgments.document_id IS NULL` : undefined;

/** The condition of a filter for overdue acknowledgments: their notices are found first, and not looked up for each row. */
const byOverdue =
  (caller: Caller) =>
  ({ operator, values }: AcknowledgmentFilterInput): Sql | undefined =>
    operator === 'eq' && values[0] === true
      ? sql`acknowledgments.status = 'pending' AND acknowledgments.due_on < ${today(caller.timezone)}::date
          AND (acknowledgments.announcement_id IN (SELECT id FROM announcements WHERE announcements.status = 'published')
            OR acknowledgments.document_id IN (SELECT id FROM hrm_documents WHERE hrm_documents.status = 'published'))`
      : undefined;

/** Acknowledgments whose notice title matches the search words. */
const acknowledgmentsMatching = (q: string): Sql => sql`
  SELECT acknowledgments.id FROM acknowledgments
  WHERE announcement_id = ANY (ARRAY(SELECT suite_search('announcements'::regclass, ${q})))
    OR document_id = ANY (ARRAY(SELECT suite_search('hrm_documents'::regclass, ${q})))`;

/** Returns a page of the acknowledgments that the caller can see. */
export const listAcknowledgments = (db: Db, caller: Caller, request: ListRequest): Promise<Page> =>
  paginate(db, request, {
    ...acknowledgmentView(db, caller),
    conditions: { type: byType, overdue: byOverdue(caller) },
    ...(request.q && { matches: { ids: acknowledgmentsMatching(request.q) } }),
  });

/** Returns an acknowledgment. @throws NotFound */
export const readAcknowledgment = (db: Db, caller: Caller, id: string) =>
  readOne(db, Acknowledgment, id, acknowledgmentView(db, caller));

/** Returns the caller's own acknowledgment of a row, as a JSON object. Null if there is none. */
export function ownAcknowledgment(kind: 'announcement' | 'document', { user_id }: Caller): Sql {
  const { table, column } = NOTICES[kind];
  return sql`
    SELECT jsonb_build_object('id', own.id, 'status', own.status, 'due_on', to_char(own.due_on, 'YYYY-MM-DD'))
    FROM acknowledgments AS own JOIN employees ON employees.id = own.employee_id
    WHERE own.${raw(column)} = ${raw(table)}.id AND employees.user_id = ${user_id}::uuid`;
}
