/** Views of complaints in lists and responses. Only owners see the author of an anonymous one. */
import { regardlessOfVisibility, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, one, paginate, readOne, shownColumns } from '@suite/chassis/lists';
import { type CipherLocation, openDecryption } from '@suite/field-encryption';
import type { z } from 'zod';
import { listOwn, type RecordReader } from '../../employees/employee-records/employee-record.view.ts';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';
import { complaintStates } from './complaint.rules.ts';
import { Complaint, PlainComplaint } from './complaint.schema.ts';

interface ComplaintReader {
  db: Db;
  caller: Caller;
  keys: Pick<Keys, 'master'>;
}

/** Returns the location of the encrypted author of an anonymous complaint. */
export const authorCipherLocation = (id: string): CipherLocation => ({
  table: 'complaints',
  column: 'author_sealed',
  id,
});

const FROM = sql`SELECT employees.user_id FROM employees WHERE employees.id = complaints.from_employee_id`;

/** Complaint view without authors. Employees cannot decide on their own complaints. */
const plainView = ({ caller }: RecordReader) => ({
  table: 'complaints',
  compute: {
    allowed_actions: sql`CASE WHEN (${FROM}) = ${caller.user_id}::uuid THEN '{}'::text[]
      ELSE ${complaintStates.shownTo(caller, 'complaints')} END`,
  },
});

/**
 * Decrypts the authors of anonymous complaints. Not recorded in the access log, because its readers would learn the
 * authors.
 */
const decryptAuthors =
  ({ db, keys }: ComplaintReader): Expansion =>
  async (rows) => {
    const ids = rows.map(({ id }) => id);
    const encrypted = await db.rows<{ id: string; author_sealed: string }>(sql`
      SELECT id, author_sealed FROM complaints WHERE id = ANY(${ids}::uuid[]) AND author_sealed IS NOT NULL`);
    const cipher = encrypted.length > 0 ? await openDecryption(db, keys.master) : undefined;
    const authors = new Map(
      encrypted.map((row) => [row.id, cipher!.open(authorCipherLocation(row.id), row.author_sealed)]),
    );
    for (const row of rows) row['author_id'] = authors.get(row['id'] as string) ?? null;
    await one('author_id', employeeLabels(db))(rows, 'author');
  };

const noExpansion: Expansion = () => Promise.resolve();

function viewOf(context: ComplaintReader) {
  const { db, caller } = context;
  return {
    ...plainView(context),
    expand: {
      from_employee: one('from_employee_id', employeeLabels(db)),
      against_employee: one('against_employee_id', employeeLabels(db)),
      author: caller.kind === 'owner' ? decryptAuthors(context) : noExpansion,
    },
  };
}

/** Lists the complaints that the caller can see, one page. Complaints against the caller are never included. */
export const listComplaints = (context: ComplaintReader, request: ListRequest) =>
  paginate(context.db, request, viewOf(context));

/** Lists the complaints that the caller has filed under their name, one page. @throws NotAnEmployee */
export const listOwnComplaints = (context: ComplaintReader, request: ListRequest) =>
  listOwn(context, request, plainView(context), { column: 'from_employee_id' });

/** Returns a complaint. @throws NotFound, including for a complaint about the caller */
export const readComplaint = (context: ComplaintReader, id: string) =>
  readOne(context.db, Complaint, id, viewOf(context));

/** Complaint as commands return it. */
export const readPlainComplaint = (context: RecordReader, id: string) =>
  readOne(context.db, PlainComplaint, id, plainView(context));

/**
 * Returns a complaint that the caller has filed. An anonymous complaint is in no list and can only be read by its ID.
 * @throws NotAnEmployee, NotFound for other employees' complaints
 */
export async function readFiledComplaint(context: ComplaintReader, id: string) {
  const { db, caller, keys } = context;
  const self = await currentEmployee(db, caller);
  const view = plainView(context);
  const [row] = await regardlessOfVisibility(() =>
    db.rows<z.input<typeof PlainComplaint> & { author_sealed: string | null }>(sql`
      SELECT ${shownColumns(PlainComplaint, view)}, author_sealed FROM complaints WHERE id = ${id}::uuid`),
  );
  const author = row?.author_sealed
    ? (await openDecryption(db, keys.master)).open(authorCipherLocation(id), row.author_sealed)
    : row?.from_employee_id;
  if (!row || author !== self.id) throw NotFound();
  return { ...row, allowed_actions: [] };
}
