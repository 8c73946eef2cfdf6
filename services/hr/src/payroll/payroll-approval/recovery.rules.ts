/** Statuses of a recovery. */
import { lifecycle } from '@suite/chassis/operations';

export const recoveryStates = lifecycle(
  'recovery',
  { open: {}, settled: {} },
  { actions: {}, derived: { among: ['open', 'settled'], from: 'the repayments deducted by payslips' } },
);
