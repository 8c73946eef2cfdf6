import { numbering } from '@suite/numbering';

/** Assigns the official numbers of runs and payslips at approval. */
export const assignPayrollNumber = numbering({
  payroll: { prefix: 'PAY', yearly: true },
  payslip: { prefix: 'PSL', yearly: true, digits: 6 },
});
