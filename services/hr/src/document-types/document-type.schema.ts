import { input, list, Name, record, version } from '@suite/chassis';
import { z } from 'zod';

/** A kind of document that employees hand in. */
export const DocumentType = record({
  name: z.string(),
  required: z.boolean().describe('Whether each employee must hand one in.'),
  active: z.boolean(),
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
