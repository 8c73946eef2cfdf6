/** Dry run of a payroll run: calculates its first payslips and rolls the transaction back. */
import { asCaller, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { CommandContext, Db } from '../../operations.ts';
import { readPayrollDetails } from '../payrolls/payroll-details.ts';
import { ENTRIES_SHOWN, auditEmployeesOfRun } from '../payrolls/payroll-entries.ts';
import { readPayroll, canSeeAmounts } from '../payrolls/payroll.view.ts';
import { calculateBatch } from './calculate.ts';
import { startRun } from './start-run.ts';

/** Calculates the first batch of a run and returns it. @throws the faults of running it */
export async function tryRun(context: CommandContext, payroll_id: string, expect?: number) {
  const { db, caller } = context;
  await startRun(context, payroll_id, expect);
  await calculateBatch(context, payroll_id);
  // Statements of a command are unrestricted, and the record scope also applies to a dry run.
  const { status, warnings, totals, journal_preview, differences, failures, entries } = await asCaller(() =>
    readPayrollDetails(context, payroll_id),
  );
  // If further payslips are pending, totals and differences would cover only the first ones.
  const isWhole = status === 'calculated';
  return {
    ...(await readPayroll(db, caller, payroll_id)),
    failures,
    entries,
    ...(warnings && { warnings }),
    ...(isWhole && { totals, journal_preview, differences }),
  };
}

type ReadTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Records accesses to the amounts that a dry run is about to show in the access log. */
export async function auditPreview(
  { read, write }: { read: ReadTransaction; write: ReadTransaction },
  by: { caller: Caller; request_id: string },
  payroll_id: string,
): Promise<void> {
  if (!canSeeAmounts(by.caller)) return;
  const rows = await read((db) =>
    db.rows<{ employee_id: string }>(sql`
      SELECT employee_id FROM payroll_entries WHERE payroll_id = ${payroll_id}::uuid ORDER BY employee_id LIMIT ${ENTRIES_SHOWN}`),
  );
  await auditEmployeesOfRun(
    write,
    by,
    rows.map(({ employee_id }) => employee_id),
  );
}
