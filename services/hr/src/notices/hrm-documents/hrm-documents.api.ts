/** Company documents, such as policies, which employees may have to acknowledge. */
import { idOf } from '@suite/chassis/fields';
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import { can, created, ok, openByFileLink, page, removed, anyUser, anyFile } from '@suite/chassis/operations';
import { fileLinkHolder } from '@suite/user-copies';
import { z } from 'zod';
import { AlreadyOver, AlreadyPublished, documentStates } from '../notices/notice.rules.ts';
import { NoticeStatusChange } from '../notices/notice.schema.ts';
import { changeNoticeStatus, removeDraft } from '../notices/notice.ts';
import { command, query } from '../../operations.ts';
import { HrmDocument, HrmDocumentChanges, HrmDocumentFilter, HrmDocumentInput } from './document.schema.ts';
import { changeDocument, createDocument } from './document.ts';
import { listDocuments, readDocument } from './document.view.ts';

const ADDITION =
  'The specification only lists published records: without these, they could not be written, published and read in full.';

export const list = query('GET /api/hrm-documents', {
  summary: 'List company documents',
  description:
    'Returns all documents to users who may edit them, and published ones of their audience to others. `branch_id` and other audience filters select documents for that audience.',
  access: can('hrm_document.view'),
  query: HrmDocumentFilter,
  reply: page(HrmDocument),
  handle: ({ query, ...context }) => listDocuments(context, query),
});

export const show = query('GET /api/hrm-document/show/{id}', {
  summary: 'Get a company document',
  description:
    'Returns a document. Employees of the audience can read published documents without `hrm_document.view`.',
  addition: ADDITION,
  access: anyUser,
  params: { id: idOf('hrm_documents') },
  reply: ok(HrmDocument),
  handle: ({ params, ...context }) => readDocument(context, params.id),
});

export const create = command('POST /api/hrm-document/create', {
  summary: 'Create a draft company document',
  description:
    'Creates a draft. The form field `file` contains an image, document or text file of at most 10 MiB. An empty audience includes all employees. Nothing is sent before publication.',
  addition: ADDITION,
  access: can('hrm_document.create'),
  body: HrmDocumentInput,
  upload: { field: 'file', kinds: 'documents' },
  reply: created(HrmDocument),
  handle: ({ body, ...context }) => createDocument(context, body),
});

export const update = command('POST /api/hrm-document/update/{id}', {
  summary: 'Update a company document',
  description:
    'Updates a draft, as JSON or as a form with another `file`. For a published document, only end and audience can change: other fields return 409 `already_published`. New members of the audience are notified.',
  addition: ADDITION,
  access: documentStates.can('update'),
  params: { id: idOf('hrm_documents') },
  body: HrmDocumentChanges,
  upload: { field: 'file', kinds: 'documents', optional: true },
  reply: ok(HrmDocument),
  faults: [AlreadyPublished],
  handle: ({ params, body, expect, ...context }) => changeDocument(context, params.id, body, expect),
});

export const updateStatus = command('POST /api/hrm-document/update-status/{id}', {
  summary: 'Publish or archive a company document',
  description:
    'Publishes or archives a document. A published document is visible from `start` and announced by e-mail. With `requires_ack`, all members of the audience must acknowledge it, including later ones.',
  addition: ADDITION,
  access: documentStates.can('publish', 'archive'),
  params: { id: idOf('hrm_documents') },
  body: NoticeStatusChange,
  reply: ok(HrmDocument),
  faults: [AlreadyOver],
  async handle({ params, body, expect, ...context }) {
    await changeNoticeStatus(context, 'document', params.id, { action: body.action, expect });
    return await readDocument(context, params.id);
  },
});

export const remove = command('DELETE /api/hrm-document/delete/{id}', {
  summary: 'Delete a draft company document',
  description: 'Deletes a draft with its file. Archive a published document instead.',
  addition: ADDITION,
  access: documentStates.can('delete'),
  params: { id: idOf('hrm_documents') },
  reply: removed,
  handle: ({ params, ...context }) => removeDraft(context, 'document', params.id),
});

export const download = query('GET /api/hrm-document/download/{token}', {
  summary: 'Download a company document',
  description:
    'Returns the file that `url` of the document links to. The URL needs no token. It expires after one to three hours, or when the user who requested it loses access.',
  addition: ADDITION,
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(2_000) },
  reply: anyFile,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, (key) => db.hrmDocument.findFirst({ where: { key } })),
});
