/** Leave balances per employee and leave type on a day, calculated from the ledger. */
import { can, ok, page } from '@suite/chassis/operations';
import { EmploymentEnded, OwnRecord } from '../employment/employment.rules.ts';
import { command, query } from '../../operations.ts';
import { adjustBalance, encashBalance, BalanceTooLow, NotEncashable } from './leave-balance.ts';
import {
  ChangedBalance,
  LeaveAdjustment,
  LeaveBalance,
  LeaveBalanceFilter,
  LeaveEncashment,
} from './leave-balance.schema.ts';
import { listBalances } from './leave-balance.view.ts';

const ADDITION = 'Leave days are carried over, granted and paid out: the specification only lists balances.';

export const list = query('GET /api/leave-balances', {
  summary: 'List leave balances',
  description:
    'Returns the balances on the day `as_of`, one per employee and leave type. Includes employees that you may see and who are employed on that day. `branch_id` and `department_id` select employees who work there today.',
  access: can('leave_balance.view'),
  query: LeaveBalanceFilter,
  reply: page(LeaveBalance),
  handle: ({ query, ...context }) => listBalances(context, query),
});

export const adjust = command('POST /api/leave-balance/adjust', {
  summary: 'Adjust a leave balance',
  description:
    'Adds days to a balance or removes them, with a reason. Returns `insufficient_balance` if the removed days exceed the available ones. Requested and planned days are not available.',
  addition: ADDITION,
  access: can('leave_balance.adjust'),
  body: LeaveAdjustment,
  reply: ok(ChangedBalance),
  faults: [OwnRecord, EmploymentEnded, BalanceTooLow],
  handle: ({ body, ...context }) => adjustBalance(context, body),
});

export const encash = command('POST /api/leave-balance/encash', {
  summary: 'Pay out leave days',
  description:
    'Pays out available days of an encashable leave type. The next open payslip pays them at the basic salary of a working day. Returns `not_encashable` for other leave types.',
  addition: ADDITION,
  access: can('leave_balance.adjust'),
  body: LeaveEncashment,
  reply: ok(ChangedBalance),
  faults: [OwnRecord, EmploymentEnded, NotEncashable, BalanceTooLow],
  handle: ({ body, ...context }) => encashBalance(context, body),
});
