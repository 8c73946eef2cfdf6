import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { RecordTypeName } from './record-types.ts';

/** Pages end here: later changes would cost too much to skip. */
const PAGES_MAX = 100;
const PER_PAGE = 20;
const PER_PAGE_MAX = 100;

const numberUpTo = (max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(z.int().min(1).max(max));

/** Parameters of a history. */
export const HistoryQuery = {
  record_type: RecordTypeName.meta({ example: 'crm.lead' }).describe(
    'Type of the record, with its service. The error of a wrong type lists the types of its service.',
  ),
  record_id: Id.describe('ID of the record.'),
  page: numberUpTo(PAGES_MAX).default(1).describe('Page number, starting at 1.'),
  per_page: numberUpTo(PER_PAGE_MAX).default(PER_PAGE).describe('Number of changes on a page.'),
};

const Value = z.unknown().describe('Value in the format of the record.');

/** A changed field of a record. */
export const FieldChange = z
  .object({
    field: z.string().meta({ example: 'status' }),
    old: Value.nullable().describe('Value before the change. `null` for a created record.'),
    new: Value.nullable().describe('Value after the change. `null` for a deleted record.'),
    concealed: z.boolean().describe('Whether the field is encrypted. Its values are not recorded.'),
  })
  .meta({ id: 'FieldChange' });

/** The user behind a change. */
export const NamedUser = z.object({ id: Id, name: z.string().nullable().describe('`null` for an erased user.') });

/** The API key behind a change. */
export const NamedKey = z.object({
  id: Id,
  name: z.string().nullable().describe('`null` for a key that you may not see.'),
});

/** A change of a record. */
export const HistoryEntry = z
  .object({
    id: z.string().describe('Unique among the changes of the record.'),
    at: Timestamp,
    action: choice('created', 'updated', 'deleted'),
    user: NamedUser.nullable().describe(
      'User who made the change. `null` for a change by the suite itself, such as an expiry.',
    ),
    api_key: NamedKey.nullable().describe('API key that the user used, if any.'),
    operation: z.string().nullable().meta({ example: 'leads.update' }).describe('Operation that made the change.'),
    request_id: z.string().nullable().describe('ID of the request, as in its response.'),
    changes: z
      .array(FieldChange)
      .describe('Changed fields that you may see. Empty if only parts of the record changed, such as lines.'),
  })
  .meta({ id: 'HistoryEntry' });

export type HistoryEntry = z.input<typeof HistoryEntry>;
