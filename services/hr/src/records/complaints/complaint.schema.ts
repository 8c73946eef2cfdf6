import {
  BusinessDay,
  choice,
  Day,
  Id,
  idCheckedBy,
  input,
  Name,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { Words } from '../../employees/employee-records/employee-record.schema.ts';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';
import { complaintStates } from './complaint.rules.ts';

/** Complaint of an employee about another employee or a matter. */
export const Complaint = record({
  from_employee_id: refTo('employees')
    .nullable()
    .describe('ID of the author. `null` for anonymous complaints and unknown authors.'),
  from_employee: EmployeeLabel.nullable().optional(),
  against_employee_id: refTo('employees').nullable(),
  against_employee: EmployeeLabel.nullable().optional(),
  subject: z.string(),
  date: Day,
  description: z.string(),
  anonymous: z.boolean().describe('Whether the author is hidden.'),
  author: EmployeeLabel.nullable().optional().describe('Author of an anonymous complaint. Visible to owners only.'),
  status: choice('open', 'investigating', 'resolved', 'dismissed'),
  outcome: z.string().nullable(),
  decided_by: Id.nullable(),
  decided_at: Timestamp.nullable(),
  allowed_actions: Actions(complaintStates),
}).meta({ id: 'Complaint' });

/** Complaint as commands return it. */
export const PlainComplaint = Complaint.omit({ from_employee: true, against_employee: true, author: true }).meta({
  id: 'PlainComplaint',
});

const own = ['status', 'date', 'created_at'] as const;
const grammar = { sort: ['date', 'created_at', 'updated_at'], order: '-created_at', search: true } as const;

export const ComplaintFilter = list(Complaint, {
  ...grammar,
  filter: ['from_employee_id', 'against_employee_id', 'anonymous', ...own],
  expand: ['from_employee', 'against_employee', 'author'],
});
export const OwnComplaintFilter = list(PlainComplaint, { ...grammar, filter: own });

const fields = {
  // The author may be unable to read the record of the accused employee.
  against_employee_id: idCheckedBy('complaints').nullish(),
  subject: Name,
  date: BusinessDay,
  description: Words,
};

/** Complaint by the caller. */
export const OwnComplaintInput = input({
  ...fields,
  anonymous: z.boolean().default(false).describe('Whether the author is hidden from all users except owners.'),
});

export const ComplaintInput = OwnComplaintInput.extend({
  from_employee_id: refTo('employees').optional().describe('ID of the author. Required for an anonymous complaint.'),
});
export const ComplaintChanges = input(fields).partial().extend({ version });
export const ComplaintDecision = input({
  action: choice('investigate', 'resolve', 'dismiss'),
  outcome: Words.optional().describe('Result, required for `resolve` and `dismiss`.'),
  version,
});

export type OwnComplaintInput = z.output<typeof OwnComplaintInput>;
export type ComplaintInput = z.output<typeof ComplaintInput>;
export type ComplaintChanges = z.output<typeof ComplaintChanges>;
export type ComplaintDecision = z.output<typeof ComplaintDecision>;
