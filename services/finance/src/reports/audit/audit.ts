/** Invariants of finance's database, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';
import { agreementChecks } from './agreement-checks.ts';
import { commissionChecks } from './commission-checks.ts';
import { invoiceChecks } from './invoice-checks.ts';
import { ledgerChecks } from './ledger-checks.ts';

/** All rules of finance, for one snapshot of its database. */
export const checks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...invoiceChecks,
  ...agreementChecks,
  ...commissionChecks,
];
