import { input, Name, record, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { documentTypeActions } from './document-type.rules.ts';

/** Type of employee document. */
export const DocumentType = record({
  name: z.string(),
  required: z.boolean().describe('Whether every employee must have a document of this type.'),
  active: z.boolean(),
  allowed_actions: Actions(documentTypeActions),
}).meta({ id: 'DocumentType' });

export const DocumentTypeFilter = list(DocumentType, {
  filter: ['name', 'required', 'active', 'created_at', 'updated_at'],
  sort: ['name', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

export const DocumentTypeInput = input({
  name: Name,
  required: z.boolean().default(false),
  active: z.boolean().default(true),
});

export const DocumentTypeChanges = input({
  name: Name.optional(),
  required: z.boolean().optional(),
  active: z.boolean().optional(),
  version,
});
