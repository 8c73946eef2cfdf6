/** Views of complaints in lists and responses. Only owners see the author of an anonymous one. */
import { regardlessOfVisibility, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, one, paginate, readOne, shownColumns } from '@suite/chassis/lists';
import { type CipherLocation, readSealed } from '@suite/field-encryption';
import type { z } from 'zod';
import { listOwn, type RecordReader } from '../../employees/employee-records/employee-record.view.ts';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { selfOf } from '../../employment/employee-users/self.ts';
import { complaintStates } from './complaint.rules.ts';
import { Complaint, PlainComplaint } from './complaint.schema.ts';

interface Reader {
  db: Db;
  caller: Caller;
  keys: Pick<Keys, 'master'>;
}

/** Returns the storage place of the author of an anonymous complaint. */
export const authorPlace = (id: string): CipherLocation => ({ table: 'complaints', column: 'author_sealed', id });

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
const authorsIn =
  ({ db, keys }: Reader): Expansion =>
  async (rows) => {
    const ids = rows.map(({ id }) => id);
    const held = await db.rows<{ id: string; author_sealed: string }>(sql`
      SELECT id, author_sealed FROM complaints WHERE id = ANY(${ids}::uuid[]) AND author_sealed IS NOT NULL`);
    const sealed = held.length > 0 ? await readSealed(db, keys.master) : undefined;
    const authors = new Map(held.map((row) => [row.id, sealed!.open(authorPlace(row.id), row.author_sealed)]));
    for (const row of rows) row['author_id'] = authors.get(row['id'] as string) ?? null;
    await one('author_id', employeeLabels(db))(rows, 'author');
  };

const nothing: Expansion = () => Promise.resolve();

function viewOf(reader: Reader) {
  const { db, caller } = reader;
  return {
    ...plainView(reader),
    expand: {
      from_employee: one('from_employee_id', employeeLabels(db)),
      against_employee: one('against_employee_id', employeeLabels(db)),
      author: caller.kind === 'owner' ? authorsIn(reader) : nothing,
    },
  };
}

/** Lists the complaints that the caller can see, one page. Complaints against the caller are never included. */
export const listComplaints = (reader: Reader, request: ListRequest) => paginate(reader.db, request, viewOf(reader));

/** Lists the complaints that the caller has filed under their name, one page. @throws NotAnEmployee */
export const listOwnComplaints = (reader: Reader, request: ListRequest) =>
  listOwn(reader, request, plainView(reader), { column: 'from_employee_id' });

/** Returns a complaint. @throws NotFound, also for a complaint about the caller */
export const readComplaint = (reader: Reader, id: string) => readOne(reader.db, Complaint, id, viewOf(reader));

/** Complaint as commands return it. */
export const readPlainComplaint = (reader: RecordReader, id: string) =>
  readOne(reader.db, PlainComplaint, id, plainView(reader));

/**
 * Returns a complaint that the caller has filed. An anonymous complaint is in no list and can only be read by its ID.
 * @throws NotAnEmployee, NotFound for other employees' complaints
 */
export async function readFiled(reader: Reader, id: string) {
  const { db, caller, keys } = reader;
  const self = await selfOf(db, caller);
  const view = plainView(reader);
  const [row] = await regardlessOfVisibility(() =>
    db.rows<z.input<typeof PlainComplaint> & { author_sealed: string | null }>(sql`
      SELECT ${shownColumns(PlainComplaint, view)}, author_sealed FROM complaints WHERE id = ${id}::uuid`),
  );
  const author = row?.author_sealed
    ? (await readSealed(db, keys.master)).open(authorPlace(id), row.author_sealed)
    : row?.from_employee_id;
  if (!row || author !== self.id) throw NotFound();
  return { ...row, allowed_actions: [] };
}
