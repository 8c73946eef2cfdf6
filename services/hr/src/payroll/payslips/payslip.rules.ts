/** Statuses of a payslip. */
import { lifecycle } from '@suite/chassis/operations';

/** Schedule that calculates the payslips of runs. */
export const CALCULATE = 'hr.calculate-payrolls';

/** Statuses of a final payslip. Its days cannot be paid by another one, and its amounts count for later ones. */
export const FINAL = ['finalised', 'withheld', 'paid'] as const;

export const payslipStates = lifecycle(
  'payslip',
  {
    draft: { fail: 'failed', cancel: 'cancelled', finalise: 'finalised' },
    failed: { retry: 'draft', cancel: 'cancelled' },
    finalised: { withhold: 'withheld', pay: 'paid', reverse: 'reversed' },
    withheld: { release: 'finalised', reverse: 'reversed' },
    paid: { reverse: 'reversed' },
    cancelled: {},
    reversed: {},
  },
  {
    actions: {
      fail: { by: [CALCULATE, 'payrollRuns.start'] },
      retry: { by: ['payrollRuns.start', 'payrolls.update'] },
      cancel: { by: 'payrolls.cancel' },
      finalise: { by: 'payrollApproval.approve' },
      withhold: 'payroll.approve',
      release: 'payroll.approve',
      pay: { by: 'payrollPayments.pay' },
      reverse: { by: 'payrollReversal.reverse' },
    },
  },
);
