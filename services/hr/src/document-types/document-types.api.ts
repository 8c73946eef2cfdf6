/** Document types: what employees hand in, such as a passport or a certificate. */
import { can, change, created, idOf, ok, page, paginate, remove as removeRecord, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { DocumentType, DocumentTypeChanges, DocumentTypeFilter, DocumentTypeInput } from './document-type.schema.ts';

export const list = query('GET /api/document-types', {
  summary: 'List document types',
  access: can('document_type.view'),
  query: DocumentTypeFilter,
  reply: page(DocumentType),
  handle: ({ db, query }) => paginate(db, query, { table: 'document_types' }),
});

export const create = command('POST /api/document-type/create', {
  summary: 'Create a document type',
  description: 'A name is taken once.',
  access: can('document_type.create'),
  body: DocumentTypeInput,
  reply: created(DocumentType),
  handle: ({ db, body }) => db.documentType.create({ data: body }),
});

export const update = command('POST /api/document-type/update/{id}', {
  summary: 'Update a document type',
  access: can('document_type.update'),
  params: { id: idOf('document_types') },
  body: DocumentTypeChanges,
  reply: ok(DocumentType),
  handle: ({ db, params, body: { version: _, ...patch }, expect }) => change(db.documentType, params.id, patch, expect),
});

export const remove = command('DELETE /api/document-type/delete/{id}', {
  summary: 'Delete a document type',
  description: 'One that is in use stays; it can be made inactive.',
  access: can('document_type.delete'),
  params: { id: idOf('document_types') },
  reply: removed,
  handle: ({ db, params }) => removeRecord(db.documentType, params.id),
});
