/** Statuses and faults of a run. */
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { lifecycle } from '@suite/chassis/operations';
import { CALCULATE } from '../payslips/payslip.rules.ts';

// A paid run may have withheld payslips that are released later.
const PAYABLE = { in: ['approved', 'paid'], unless: 'settled_at' } as const;

/** Returns true if the caller's record scope includes the payslips of all employees. */
export const canSeeAllPayslips = ({ record_scopes }: Caller): boolean => (record_scopes['payroll'] ?? 'all') === 'all';

export const payrollStates = lifecycle(
  'payroll',
  {
    draft: { run: 'processing', cancel: 'cancelled' },
    processing: { complete: 'calculated', fail: 'failed', cancel: 'cancelled' },
    calculated: { run: 'processing', reopen: 'draft', cancel: 'cancelled', approve: 'approved' },
    failed: { run: 'processing', reopen: 'draft', cancel: 'cancelled' },
    approved: { settle: 'paid', reverse: 'reversed' },
    paid: { reverse: 'reversed' },
    cancelled: {},
    reversed: {},
  },
  {
    actions: {
      update: { permission: 'payroll.run', in: ['draft', 'failed', 'calculated'] },
      run: 'payroll.run',
      cancel: 'payroll.run',
      approve: 'payroll.approve',
      make_payment_file: { permission: 'payroll.pay', also: 'employee.bank', if: canSeeAllPayslips, ...PAYABLE },
      pay: { permission: 'payroll.pay', ...PAYABLE },
      settle: { by: 'payrollPayments.pay' },
      reverse: 'payroll.reverse',
      delete: { permission: 'payroll.run', in: ['draft'] },
      reopen: { by: 'payrolls.update' },
      complete: { by: [CALCULATE, 'payrollRuns.start'] },
      fail: { by: [CALCULATE, 'payrollRuns.start'] },
    },
  },
);

export const PeriodOverlaps = fault(
  409,
  'period_overlaps',
  'An employee of this run is already in another regular run for these days. Exclude the employee, or choose other days.',
);
export const PaymentDateOutOfRange = fault(
  422,
  'payment_date_out_of_range',
  'The payment date must be between the first day of the period and a week from today. Choose another date.',
);

export const NobodyToPay = fault(
  422,
  'nobody_to_pay',
  'No selected employee is employed in this period. Select others or change the period.',
);
