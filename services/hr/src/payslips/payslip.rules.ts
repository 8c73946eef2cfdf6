/** The states of a payslip. */
import { lifecycle } from '@suite/chassis';

/** The schedule that calculates the payslips of runs. */
export const CALCULATE = 'hr.calculate-payrolls';

/** The states in which a payslip is final: its days are counted no other way, and its figures count for later ones. */
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
