/** Documents of employees, such as a passport or a certificate. */
import { idOf } from '@suite/chassis/fields';
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import { can, created, openByFileLink, removed, anyFile } from '@suite/chassis/operations';
import { fileLinkHolder } from '@suite/user-copies';
import { z } from 'zod';
import { OwnRecord } from '../employment/employment.rules.ts';
import { EMPLOYEE_DOCUMENTS, personalFile } from '../employment/personal-file.ts';
import { command, query } from '../../operations.ts';
import { EmployeeDocument, EmployeeDocumentInput } from './document.schema.ts';
import { addDocument, removeDocument } from './document.ts';
import { documentActions } from './document.rules.ts';

const ADDITION = 'Employees view and correct their own data, and sensitive changes need confirmation by another user.';

export const create = command('POST /api/employee/document/{id}', {
  summary: 'Upload an employee document',
  description:
    'Uploads a file in the form field `file`: an image, document or text file of at most 10 MiB. Also requires `employee.identity`. Documents are listed in `GET /api/employee/show/{id}`.',
  addition: ADDITION,
  access: can('employee.update'),
  params: { id: idOf('employees') },
  body: EmployeeDocumentInput,
  upload: { field: 'file', kinds: 'documents' },
  reply: created(EmployeeDocument),
  faults: [OwnRecord],
  handle: ({ params, body, files, ...context }) => addDocument(context, params.id, body, files[0]!),
});

export const remove = command('DELETE /api/employee/document/{id}/{document_id}', {
  summary: 'Delete an employee document',
  description:
    'Deletes a document with its file. Also requires `employee.identity`. Returns `own_record` for your own documents.',
  addition: ADDITION,
  access: documentActions.can('delete'),
  params: { id: idOf('employees'), document_id: idOf('employee_documents') },
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params, ...context }) => removeDocument(context, params.id, params.document_id),
});

export const download = query('GET /api/employee/document/download/{token}', {
  summary: 'Download an employee document',
  description:
    'Returns the file that `url` of the document links to. The URL needs no token. It expires after one to three hours, or when the user who requested it loses access.',
  addition: ADDITION,
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(2_000) },
  reply: anyFile,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, (key) => personalFile(db, given.caller, key, EMPLOYEE_DOCUMENTS)),
});
