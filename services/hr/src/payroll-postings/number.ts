import { numbering } from '@suite/numbering';

/** Takes the official numbers of runs and payslips, when they are approved. */
export const takePayrollNumber = numbering({
  payroll: { prefix: 'PAY', yearly: true },
  payslip: { prefix: 'PSL', yearly: true, digits: 6 },
});
