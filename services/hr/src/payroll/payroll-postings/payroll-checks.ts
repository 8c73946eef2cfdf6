/** Payroll invariants, as SQL that selects the violating rows. Amounts of employees are encrypted and not checked. */
import type { AuditCheck } from '@suite/auditor';

/** Counts of the payslips in each run. */
const PAYSLIP_COUNTS = `
  SELECT run.workspace_id, run.id, run.status, run.employee_count, run.done, run.failed, run.gross, run.deductions, run.net,
    count(slip.id) AS slips, count(slip.id) FILTER (WHERE slip.calculated_at IS NOT NULL AND slip.inputs_hash IS NOT NULL) AS calculated,
    count(slip.id) FILTER (WHERE slip.failure_code IS NOT NULL) AS failures,
    count(slip.id) FILTER (WHERE slip.status IN ('draft', 'failed')) AS open,
    count(slip.id) FILTER (WHERE slip.status IN ('finalised', 'withheld', 'paid')) AS final
  FROM payrolls AS run LEFT JOIN payroll_entries AS slip ON slip.workspace_id = run.workspace_id AND slip.payroll_id = run.id
  GROUP BY run.workspace_id, run.id`;

export const payrollChecks: AuditCheck[] = [
  {
    name: 'a run has one payslip per employee and correct counts of calculated and failed ones',
    sql: `SELECT * FROM (${PAYSLIP_COUNTS}) AS run
      WHERE employee_count <> slips OR (status NOT IN ('draft', 'cancelled') AND (done, failed) <> (calculated, failures))`,
  },
  {
    name: 'a calculated run has no pending payslips, and an approved run no failed ones',
    sql: `SELECT * FROM (${PAYSLIP_COUNTS}) AS run
      WHERE (status IN ('calculated', 'failed') AND done + failed <> employee_count) OR (status = 'calculated' AND failed > 0)
        OR (status = 'failed' AND failed = 0) OR (status IN ('approved', 'paid') AND (failed > 0 OR open > 0))`,
  },
  {
    name: 'payslips are final only in an approved run',
    sql: `SELECT * FROM (${PAYSLIP_COUNTS}) AS run WHERE final > 0 AND status NOT IN ('approved', 'paid')`,
  },
  {
    name: 'net pay of a run equals earnings less deductions and is not negative',
    sql: 'SELECT workspace_id, id, gross, deductions, net FROM payrolls WHERE net <> gross - deductions OR net < 0 OR gross < 0',
  },
  {
    name: 'payslips have the period and payment date of their run',
    sql: `
      SELECT slip.workspace_id, slip.id, slip.period_start, run.period_start AS of_run
      FROM payroll_entries AS slip JOIN payrolls AS run ON run.workspace_id = slip.workspace_id AND run.id = slip.payroll_id
      WHERE slip.status <> 'cancelled' AND (slip.period_start, slip.period_end, slip.regular) <> (run.period_start, run.period_end, run.type = 'regular')`,
  },
  {
    name: 'calculated payslips, and only these, have encrypted amounts',
    sql: `
      SELECT workspace_id, id, status FROM payroll_entries
      WHERE calculated_at IS NOT NULL AND (inputs_hash IS NULL) = (failure_code IS NULL)
        OR num_nonnulls(inputs_hash, figures_sealed, lines_sealed, ytd_sealed) NOT IN (0, 4)
        OR (inputs_hash IS NOT NULL) <> EXISTS (SELECT FROM payslip_workings AS working
          WHERE working.workspace_id = payroll_entries.workspace_id AND working.id = payroll_entries.id)`,
  },
  {
    name: 'approved runs have a number and a journal entry, and others have none',
    sql: `SELECT workspace_id, id, number, status FROM payrolls
      WHERE (number IS NOT NULL) <> (status IN ('approved', 'paid', 'reversed')) OR (status IN ('approved', 'paid') AND net > 0 AND journal_id IS NULL)`,
  },
  {
    name: 'final payslips have numbers, without gaps within a year',
    sql: `SELECT workspace_id, NULL AS id, left(number, 9) AS series FROM payroll_entries WHERE number IS NOT NULL
      GROUP BY workspace_id, left(number, 9) HAVING count(*) <> max(split_part(number, '-', 3)::int)
      UNION ALL SELECT workspace_id, id, status FROM payroll_entries
      WHERE (number IS NULL) = (status IN ('finalised', 'withheld', 'paid', 'reversed'))`,
  },
  {
    name: 'paid payslips belong to a payment posted in finance',
    sql: `SELECT slip.workspace_id, slip.id, slip.payment_id FROM payroll_entries AS slip
      LEFT JOIN payroll_postings AS posting ON posting.workspace_id = slip.workspace_id AND posting.id = slip.payment_id
      WHERE (slip.status = 'paid' AND (slip.paid_on IS NULL OR (posting.id IS NOT NULL AND posting.journal_id IS NULL)))`,
  },
  {
    name: "each settled leave line is in at most one final payslip, of its employee, with the ledger's days",
    sql: `SELECT settled.workspace_id, settled.id, settled.entry_id, settled.days, line.days AS of_ledger
      FROM payslip_leave_lines AS settled
        LEFT JOIN leave_ledger AS line ON line.workspace_id = settled.workspace_id AND line.id = settled.id AND line.kind = 'encash'
        LEFT JOIN payroll_entries AS slip ON slip.workspace_id = settled.workspace_id AND slip.id = settled.entry_id
          AND slip.employee_id = line.employee_id AND slip.status IN ('finalised', 'withheld', 'paid')
      WHERE slip.id IS NULL OR line.days IS DISTINCT FROM settled.days`,
  },
  {
    name: 'no posting of a run is pending for more than a minute',
    sql: `SELECT workspace_id, posting_id, state, since FROM payroll_posting_attempts
      WHERE state IN ('requested', 'reversing') AND since < now() - interval '60 seconds'`,
    after_calm: true,
  },
  {
    name: 'each work day has one attendance, and a closed one has a status',
    sql: "SELECT workspace_id, id FROM attendances WHERE state = 'closed' AND status IS NULL",
  },
];
