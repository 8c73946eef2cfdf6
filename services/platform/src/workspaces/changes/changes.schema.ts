import { choice, Id, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { FieldChange, NamedKey, NamedUser } from '../history/history.schema.ts';
import { RecordTypeNames } from '../history/record-types.ts';

const LIMIT = 100;
/** The gateway waits. This service responds immediately. */
const WAIT_MAX_S = 25;
const FORM = 'Use a cursor from an earlier response, or `now`.';

/** Parameters of the change feed. */
export const ChangesQuery = {
  after: z
    .string({ error: FORM })
    .regex(/^(?:now|\d{1,15}-\d{1,15})$/, FORM)
    .optional()
    .describe(
      'Cursor of the last change that you have processed. `now` returns the cursor of the present, without changes. Defaults to the oldest change that is kept.',
    ),
  type: RecordTypeNames.optional()
    .meta({ example: 'crm.lead,finance.sales_invoice' })
    .describe('Types of records, separated by commas. Defaults to all types.'),
  limit: z
    .string()
    .regex(/^\d{1,9}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(z.int().min(1).max(LIMIT))
    .default(LIMIT)
    .describe('Highest number of changes in the response.'),
  wait: z
    .string()
    .regex(/^\d{1,9}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(z.int().min(0).max(WAIT_MAX_S))
    .default(0)
    .describe(
      'Seconds to wait for the next change if there is none. Defaults to 0. The response arrives with the first change.',
    ),
};

/** A change of any record. */
export const Change = z
  .object({
    cursor: z
      .string()
      .describe(
        'Place of the change in the sequence of the workspace. Send it as `after` to continue after this change.',
      ),
    type: z.string().meta({ example: 'crm.lead' }).describe('Type of the record, with its service.'),
    record_id: Id.describe('ID of the record.'),
    action: choice('created', 'updated', 'deleted', 'hidden').describe(
      'For `deleted` and `hidden`, delete your copy of the record.',
    ),
    at: Timestamp,
    user: NamedUser.nullable().describe(
      'User who made the change. `null` for a change by the suite itself, such as an expiry.',
    ),
    api_key: NamedKey.nullable().describe('API key that the user used, if any.'),
    operation: z.string().nullable().meta({ example: 'leads.update' }).describe('Operation that made the change.'),
    request_id: z.string().nullable().describe('ID of the request, as in its response.'),
    fields: z
      .array(FieldChange)
      .describe('Changed fields that you may see. Empty if only parts of the record changed, such as lines.'),
  })
  .meta({ id: 'Change' });

/** A part of the sequence of a workspace. */
export const Changes = z
  .object({
    changes: z.array(Change).describe('Changes of records that you may see, in their order.'),
    cursor: z.string().describe('Send it as `after` of the next request, even if there are no changes.'),
    has_more: z.boolean().describe('Whether the next request returns more immediately.'),
  })
  .meta({ id: 'Changes' });

export type Change = z.input<typeof Change>;
