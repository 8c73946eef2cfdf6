import {
  choice,
  Day,
  Id,
  inner,
  input,
  Name,
  PlannedDay,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { OwnAcknowledgment } from '../acknowledgments/acknowledgment.schema.ts';
import { Audience, AudienceInput, PARTS } from '../../organisation/audiences/audience.schema.ts';
import { documentStates } from '../notices/notice.rules.ts';
import { partsFor } from '../notices/notice.schema.ts';

const WRITE_PERMISSION = 'hrm_document.update';

/** Company document for employees to read. */
export const HrmDocument = record({
  title: z.string(),
  type_id: Id,
  name: z.string().describe('File name.'),
  size: z.int(),
  mime: z.string(),
  url: z.string().describe('Download URL. No token required. Expires after one to three hours.'),
  requires_ack: z.boolean().describe('Whether employees must acknowledge the document.'),
  start: Day.nullable().describe('First visible day. `null` before publication if none was set.'),
  end: Day.nullable().describe('Last day on which the document is shown.'),
  status: choice('draft', 'published', 'expired', 'archived'),
  published_at: Timestamp.nullable().describe('Time at which the document was first shown.'),
  audience: inner(Audience, WRITE_PERMISSION),
  acknowledgment: OwnAcknowledgment.nullable().describe('Acknowledgment of the caller. `null` if none is required.'),
  allowed_actions: Actions(documentStates),
}).meta({ id: 'HrmDocument' });

export const HrmDocumentFilter = list(HrmDocument.extend(partsFor(WRITE_PERMISSION)), {
  filter: [
    'title',
    'type_id',
    'status',
    'requires_ack',
    'start',
    'end',
    'published_at',
    ...PARTS,
    'created_at',
    'updated_at',
  ],
  sort: ['title', 'start', 'published_at', 'created_at', 'updated_at'],
  order: '-created_at',
  search: true,
});

const fields = {
  title: Name,
  type_id: refTo('document_types'),
  requires_ack: z.boolean().optional(),
  start: PlannedDay.nullish().describe('First visible day. Defaults to the day of publication.'),
  end: PlannedDay.nullish(),
  audience: AudienceInput.optional(),
};

export const HrmDocumentInput = input(fields);
export const HrmDocumentChanges = input({
  ...fields,
  title: Name.optional(),
  type_id: refTo('document_types').optional(),
  version,
});

export type HrmDocumentInput = z.output<typeof HrmDocumentInput>;
export type HrmDocumentChanges = z.output<typeof HrmDocumentChanges>;
