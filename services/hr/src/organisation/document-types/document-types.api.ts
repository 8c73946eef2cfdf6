/** Document types of employees, such as a passport or a certificate. */
import { change, remove as removeRecord } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { DocumentType, DocumentTypeChanges, DocumentTypeFilter, DocumentTypeInput } from './document-type.schema.ts';
import { documentTypeActions } from './document-type.rules.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/document-types', {
  summary: 'List document types',
  description: 'Returns the types of employee and company documents, active and inactive.',
  access: can('document_type.view'),
  query: DocumentTypeFilter,
  reply: page(DocumentType),
  handle: ({ db, query }) => paginate(db, query, { table: 'document_types' }),
});

export const create = command('POST /api/document-type/create', {
  summary: 'Create a document type',
  description: 'Creates a type for employee and company documents. Names are unique.',
  addition: ADDITION,
  access: can('document_type.create'),
  body: DocumentTypeInput,
  reply: created(DocumentType),
  handle: ({ db, body }) => db.documentType.create({ data: body }),
});

export const update = command('POST /api/document-type/update/{id}', {
  summary: 'Update a document type',
  description:
    'Updates a document type. Existing documents show the new name. Deactivate the type to exclude it from new documents.',
  addition: ADDITION,
  access: documentTypeActions.can('update'),
  params: { id: idOf('document_types') },
  body: DocumentTypeChanges,
  reply: ok(DocumentType),
  handle: ({ db, params, body: { version: _, ...patch }, expect }) => change(db.documentType, params.id, patch, expect),
});

export const remove = command('DELETE /api/document-type/delete/{id}', {
  summary: 'Delete a document type',
  description: 'Deletes a document type. Returns 409 `in_use` if documents have this type. Deactivate it instead.',
  addition: ADDITION,
  access: documentTypeActions.can('delete'),
  params: { id: idOf('document_types') },
  reply: removed,
  handle: ({ db, params }) => removeRecord(db.documentType, params.id),
});
