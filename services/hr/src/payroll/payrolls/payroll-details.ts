/** Payroll run with its totals, journal, failures and differences from the previous run. */
import { asCaller, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { readOne } from '@suite/chassis/lists';
import { openDecryption } from '@suite/field-encryption';
import { z } from 'zod';
import type { Db } from '../../operations.ts';
import { differencesOf } from '../payslips/payroll-differences.ts';
import { firstEntries, auditEntries } from './payroll-entries.ts';
import { journalOf } from '../payslips/payroll-journal.rules.ts';
import type { PayrollPeriod } from './payroll-members.ts';
import { readOneOffs } from './payroll-one-offs.ts';
import { decryptTotals } from '../payslips/payroll-totals.ts';
import { warningsOf } from './payroll-warnings.ts';
import { canSeeAllPayslips } from './payroll.rules.ts';
import { type PayrollReader, readPayroll, canSeeAmounts, canSeeTotals } from './payroll.view.ts';

const FAILURES_MAX = 500;
const StoredDetails = z.object({
  settings: z.unknown(),
  totals_sealed: z.string().nullable(),
  net: z.unknown(),
  entries_total: z.int(),
});

/** Returns the failed payslips of a run. Names require the permission to see salaries. */
export async function failuresOf(db: Db, caller: Caller, payroll_id: string) {
  const rows = await db.rows<{ payroll_entry_id: string; employee_id: string; code: string; message: string }>(sql`
    SELECT id AS payroll_entry_id, employee_id, failure_code AS code, failure_message AS message FROM payroll_entries
    WHERE payroll_id = ${payroll_id}::uuid AND status = 'failed' ORDER BY employee_id LIMIT ${FAILURES_MAX}`);
  return canSeeAmounts(caller) ? rows : rows.map(({ employee_id: _, ...failure }) => failure);
}

const spanOf = async (db: Db, id: string): Promise<PayrollPeriod> => {
  const [run] = await db.rows<PayrollPeriod>(sql`
    SELECT id, type, period_start::text AS period_start, period_end::text AS period_end, pay_date::text AS pay_date, branch_id,
      department_id, excluded_employee_ids, currency FROM payrolls WHERE id = ${id}::uuid`);
  return run!;
};

/** Returns a run with all details that the caller can see. @throws NotFound */
export async function readPayrollDetails(context: PayrollReader, id: string) {
  const { db, caller, keys } = context;
  const header = await readPayroll(db, caller, id);
  const stored = await readOne(db, StoredDetails, id, {
    table: 'payrolls',
    compute: {
      entries_total: sql`SELECT count(*)::int FROM payroll_entries WHERE payroll_entries.payroll_id = payrolls.id`,
    },
  });
  const cipher = await openDecryption(db, keys.master);
  const totals = decryptTotals(cipher, { id, totals_sealed: stored.totals_sealed });
  const isOpen = canSeeAmounts(caller);
  const { currency } = header;
  return {
    ...header,
    settings: (stored.settings ?? null) as object as never,
    ...(canSeeTotals(caller, header) && {
      totals: totals.map(({ code, account_id: _, ...total }) => ({ ...total, component: code })),
      journal_preview: totals.length > 0 ? journalOf(totals, String(stored.net), currency) : [],
    }),
    failures: await failuresOf(db, caller, id),
    ...(isOpen && {
      one_offs: await readOneOffs(db, cipher, id),
      // Warnings compare the run with all of its payslips.
      warnings: canSeeAllPayslips(caller) ? await warningsOf({ db, cipher }, await spanOf(db, id)) : [],
      differences: await differencesOf(db, cipher, { ...header, period_start: String(header.period_start) }),
    }),
    entries: (await firstEntries(context, id)) as never[],
    entries_total: stored.entries_total,
  };
}

/** Adds the one-offs to a run that a command has written, if the caller may see them. */
export async function addOneOffs<Run extends { id: string }>({ db, caller, keys }: PayrollReader, run: Run) {
  if (!canSeeAmounts(caller)) return run;
  const cipher = await openDecryption(db, keys.master);
  return { ...run, one_offs: await asCaller(() => readOneOffs(db, cipher, run.id)) };
}

/** Records accesses to employees' amounts in a run in the access log. */
export const auditDetails = ({
  shown,
  caller,
  request,
  write,
}: {
  shown: readonly object[];
  caller: Caller;
  request: { id: string };
  write: <T>(context: (db: Db) => Promise<T>) => Promise<T>;
}): Promise<void> =>
  auditEntries(
    write,
    { caller, request_id: request.id },
    shown.flatMap((run) => (run as { entries?: object[] }).entries ?? []),
  );
