/** Faults of payslip payments. */
import { fault } from '@suite/chassis/faults';

export const PayslipWithheld = fault(409, 'payslip_withheld', 'One of these payslips is withheld. Release it first.');
export const AlreadyPaid = fault(
  409,
  'already_paid',
  'One of these payslips has already been paid. Remove it from the request.',
);
