/** Invariants of the HR database, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';
import { leaveChecks } from '../../employment/leave-balances/leave-checks.ts';
import { payrollChecks } from './payroll-checks.ts';

export const checks: readonly AuditCheck[] = [...leaveChecks, ...payrollChecks];
