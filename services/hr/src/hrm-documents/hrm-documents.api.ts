/** Documents of the company, such as its rules, which its people read and may have to acknowledge. */
import {
  can,
  created,
  idOf,
  LinkExpired,
  ok,
  openByFileLink,
  page,
  removed,
  sendLinked,
  signedIn,
  stream,
} from '@suite/chassis';
import { fileLinkHolder } from '@suite/users';
import { z } from 'zod';
import { AlreadyOver, AlreadyPublished, documentStates } from '../notices/notice.rules.ts';
import { NoticeStatusChange } from '../notices/notice.schema.ts';
import { act, removeDraft } from '../notices/notice.ts';
import { command, query } from '../operations.ts';
import { HrmDocument, HrmDocumentChanges, HrmDocumentFilter, HrmDocumentInput } from './document.schema.ts';
import { changeDocument, createDocument } from './document.ts';
import { listDocuments, readDocument } from './document.view.ts';

export const list = query('GET /api/hrm-documents', {
  summary: 'List company documents',
  description:
    'Who may write them sees all of them, others those that are shown to an audience to which they belong. `branch_id` and the like find those whose audience names it.',
  access: can('hrm_document.view'),
  query: HrmDocumentFilter,
  reply: page(HrmDocument),
  handle: ({ query, ...reader }) => listDocuments(reader, query),
});

export const show = query('GET /api/hrm-document/show/{id}', {
  summary: 'Get a company document',
  description: 'Employees read what is shown to them also without `hrm_document.view`.',
  access: signedIn,
  params: { id: idOf('hrm_documents') },
  reply: ok(HrmDocument),
  handle: ({ params, ...reader }) => readDocument(reader, params.id),
});

export const create = command('POST /api/hrm-document/create', {
  summary: 'Create a draft company document',
  description:
    'A form with one file in the field `file`: a picture, a document, a text; 10 MiB at most. For whoever belongs to one of the parts of its audience; for everybody without one.',
  access: can('hrm_document.create'),
  body: HrmDocumentInput,
  upload: { field: 'file', kinds: 'documents' },
  reply: created(HrmDocument),
  handle: ({ body, ...context }) => createDocument(context, body),
});

export const update = command('POST /api/hrm-document/update/{id}', {
  summary: 'Update a company document',
  description:
    'As JSON, or as a form with another `file`. Of one that is published only the end and the audience; whoever it is new to is told.',
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
    'What is published is shown from its `start` on, told by mail and, where it asks for that, to be acknowledged by everybody in its audience, also by those who join it later.',
  access: documentStates.can('publish', 'archive'),
  params: { id: idOf('hrm_documents') },
  body: NoticeStatusChange,
  reply: ok(HrmDocument),
  faults: [AlreadyOver],
  async handle({ params, body, expect, ...context }) {
    await act(context, 'document', params.id, { action: body.action, expect });
    return await readDocument(context, params.id);
  },
});

export const remove = command('DELETE /api/hrm-document/delete/{id}', {
  summary: 'Delete a draft company document',
  description: 'With its file. What has been published is archived instead.',
  access: documentStates.can('remove'),
  params: { id: idOf('hrm_documents') },
  reply: removed,
  handle: ({ params, ...context }) => removeDraft(context, 'document', params.id),
});

export const download = query('GET /api/hrm-document/download/{token}', {
  summary: 'Download a company document',
  description:
    'Returns the file behind the `url` of the document. The link needs no bearer token. It expires after one to three hours, or when the user whom it was made for loses access to the record.',
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(2_000) },
  reply: stream,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, (key) => db.hrmDocument.findFirst({ where: { key } })),
});
