/** What must be true of finance's database at any moment, as SQL that selects whatever breaks it. */
import { invoiceChecks } from './invoice-checks.ts';
import { type Check, ledgerChecks } from './ledger-checks.ts';

/** All rules of finance, to be run on one snapshot of its database. */
export const checks: readonly Check[] = [...ledgerChecks, ...invoiceChecks];
