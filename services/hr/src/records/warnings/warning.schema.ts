import {
  BusinessDay,
  choice,
  Day,
  Id,
  input,
  Name,
  PlannedDay,
  record,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { about, aboutInput, Words } from '../../employees/employee-records/employee-record.schema.ts';
import { warningStates } from './warning.rules.ts';

const Severity = choice('verbal', 'written', 'final');

/** Formal warning to an employee. */
export const Warning = record({
  ...about,
  by: Id.nullable().describe('ID of the user who issued the warning.'),
  subject: z.string(),
  severity: Severity,
  date: Day,
  text: z.string(),
  expires_on: Day.nullable().describe('First day on which the warning no longer applies.'),
  status: choice('issued', 'acknowledged', 'closed', 'expired'),
  acknowledged_at: Timestamp.nullable(),
  closed_at: Timestamp.nullable(),
  remark: z.string().nullable().describe('Reason for closing the warning.'),
  allowed_actions: Actions(warningStates),
}).meta({ id: 'Warning' });

/** Warning as commands return it. */
export const PlainWarning = Warning.omit({ employee: true }).meta({ id: 'PlainWarning' });

const own = ['status', 'severity', 'date', 'expires_on', 'created_at'] as const;
const grammar = {
  sort: ['date', 'created_at', 'updated_at'],
  order: '-created_at',
  search: true,
  expand: ['employee'],
} as const;

export const WarningFilter = list(Warning, { ...grammar, filter: ['employee_id', ...own] });
export const OwnWarningFilter = list(Warning, { ...grammar, filter: own });

const fields = { subject: Name, severity: Severity, date: BusinessDay, text: Words };

export const WarningInput = input({ ...aboutInput, ...fields, expires_on: PlannedDay.optional() });
export const WarningChanges = input({ ...fields, expires_on: PlannedDay.nullable() })
  .partial()
  .extend({ version });
export const WarningDecision = input({ action: choice('close'), remark: Words.optional(), version });

export type WarningInput = z.output<typeof WarningInput>;
export type WarningChanges = z.output<typeof WarningChanges>;
export type WarningDecision = z.output<typeof WarningDecision>;
