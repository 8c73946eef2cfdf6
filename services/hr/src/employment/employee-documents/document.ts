/** Employee documents: upload, temporary download links and removal. */
import { find, remove, sql } from '@suite/chassis/database';
import { Forbidden, invalid, NotFound } from '@suite/chassis/faults';
import type { FileLinks, StoredFile } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, many } from '@suite/chassis/lists';
import { assertOther, lockEmployee } from '../employment/employment.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { documentActions } from './document.rules.ts';
import type { EmployeeDocumentInput } from './document.schema.ts';

interface StoredObject {
  key: string;
  name: string;
  mime: string;
}

/** Returns a link that opens a document without a token. */
export const documentAddress = (links: FileLinks, { key, name, mime }: StoredObject): string =>
  links.url('/api/employee/document/download', { key, name, mime });

/** Returns an expansion for the documents of employees, newest first. Employees have no actions on their own documents. */
export const documentsIn = ({ db, caller, links }: { db: Db; caller: Caller; links: FileLinks }): Expansion =>
  many('employee_id', async (ids) => {
    const documents = await db.rows<StoredObject>(sql`
      SELECT id, employee_id, type_id, key, name, size, mime, expiry, created_by, updated_by, created_at, updated_at, version,
        CASE WHEN EXISTS (SELECT FROM employees WHERE employees.id = employee_id AND employees.user_id = ${caller.user_id}::uuid)
          THEN '{}'::text[] ELSE ${documentActions.allowedTo(caller, {})}::text[] END AS allowed_actions
      FROM employee_documents WHERE employee_id = ANY(${ids}::uuid[]) ORDER BY created_at DESC, id DESC`);
    return documents.map((document) => ({ ...document, url: documentAddress(links, document) }));
  });

/** Locks an employee for a change to their documents by another user. @throws OwnRecord, Forbidden */
async function lockForDocuments({ db, caller }: CommandContext, employee_id: string): Promise<void> {
  if (!caller.permissions.includes('employee.identity')) throw Forbidden({ permission: 'employee.identity' });
  assertOther(await lockEmployee(db, employee_id), caller);
}

/** Stores an uploaded document. @throws OwnRecord, Forbidden, a 422 for an inactive type */
export async function addDocument(
  context: CommandContext & { links: FileLinks },
  employee_id: string,
  { type_id, expiry }: EmployeeDocumentInput,
  { key, name, size, mime }: StoredFile,
) {
  const { db, links } = context;
  await lockForDocuments(context, employee_id);
  const type = await db.documentType.findFirst({ where: { id: type_id, active: true } });
  if (!type) throw invalid('type_id', 'Document type not found or inactive.');
  const document = await db.employeeDocument.create({
    data: { employee_id, type_id, key, name, size, mime, expiry: expiry ? new Date(expiry) : null },
  });
  return { ...document, url: documentAddress(links, document) };
}

/** Deletes a document and its file. @throws OwnRecord, Forbidden, NotFound */
export async function removeDocument(
  context: CommandContext,
  employee_id: string,
  id: string,
): Promise<{ id: string }> {
  const { db } = context;
  await lockForDocuments(context, employee_id);
  if ((await find(db.employeeDocument, id)).employee_id !== employee_id) throw NotFound();
  return await remove(db.employeeDocument, id);
}
