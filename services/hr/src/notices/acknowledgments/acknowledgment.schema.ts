import { choice, Day, Id, record, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';
import { acknowledgmentStates } from './acknowledgment.rules.ts';

/** Acknowledgment of an announcement or a document, given or still due. */
export const Acknowledgment = record({
  type: choice('announcement', 'document'),
  announcement_id: Id.nullable(),
  document_id: Id.nullable(),
  title: z.string().nullable().describe('Title of the document or announcement.'),
  employee_id: Id,
  status: choice('pending', 'acknowledged'),
  due_on: Day,
  overdue: z
    .boolean()
    .describe('Whether the acknowledgment is pending after the due day, while the notice is published.'),
  acknowledged_at: Timestamp.nullable(),
  reminded_at: Timestamp.nullable(),
  employee: EmployeeLabel.nullable().optional(),
  allowed_actions: Actions(acknowledgmentStates),
}).meta({ id: 'Acknowledgment' });

export const AcknowledgmentFilter = list(Acknowledgment, {
  filter: [
    'employee_id',
    'status',
    'type',
    'announcement_id',
    'document_id',
    'due_on',
    'overdue',
    'acknowledged_at',
    'created_at',
    'updated_at',
  ],
  sort: ['due_on', 'created_at', 'updated_at'],
  order: '-created_at',
  search: true,
  expand: ['employee'],
});

/** Caller's own acknowledgment of a notice. */
export const OwnAcknowledgment = z
  .object({ id: Id, status: choice('pending', 'acknowledged'), due_on: Day })
  .meta({ id: 'OwnAcknowledgment' });
