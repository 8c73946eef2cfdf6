/** Balances of leave: what each person has of each type as of a day, counted from the ledger. */
import { can, ok, page } from '@suite/chassis';
import { EmploymentEnded, OwnRecord } from '../employment/employment.rules.ts';
import { command, query } from '../operations.ts';
import { adjustBalance, encashBalance, InsufficientBalance, NotEncashable } from './leave-balance.ts';
import {
  ChangedBalance,
  LeaveAdjustment,
  LeaveBalance,
  LeaveBalanceFilter,
  LeaveEncashment,
} from './leave-balance.schema.ts';
import { listBalances } from './leave-balance.view.ts';

export const list = query('GET /api/leave-balances', {
  summary: 'List leave balances',
  description:
    'Of those who are employed on the day, and whom the caller sees among the employees: one for each type of leave that they may take or have an account of. A branch or a department means those who work there today.',
  access: can('leave_balance.view'),
  query: LeaveBalanceFilter,
  reply: page(LeaveBalance),
  handle: ({ query, ...reader }) => listBalances(reader, query),
});

export const adjust = command('POST /api/leave-balance/adjust', {
  summary: 'Adjust a leave balance',
  description: 'What is taken back is at most what is there on the day, and neither asked for nor planned with.',
  access: can('leave_balance.adjust'),
  body: LeaveAdjustment,
  reply: ok(ChangedBalance),
  faults: [OwnRecord, EmploymentEnded, InsufficientBalance],
  handle: ({ body, ...context }) => adjustBalance(context, body),
});

export const encash = command('POST /api/leave-balance/encash', {
  summary: 'Pay out leave days',
  description:
    'Of what can be taken today. The payslip of the period pays them, at the basic salary of a working day; the next one, where that of the period is final already.',
  access: can('leave_balance.adjust'),
  body: LeaveEncashment,
  reply: ok(ChangedBalance),
  faults: [OwnRecord, EmploymentEnded, NotEncashable, InsufficientBalance],
  handle: ({ body, ...context }) => encashBalance(context, body),
});
