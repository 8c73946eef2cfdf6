/** Differences from the previous run of the same frequency, with their causes. */
import { sql } from '@suite/chassis/database';
import type { FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { decryptPart, type PayslipLines, type EncryptedParts } from './payslip-encryption.ts';

/** Employee whose pay differs. */
export interface PayDifference {
  employee_id: string;
  /** Null if the employee was not in the previous run. */
  net_before: string | null;
  /** Null if the employee is not in this run. */
  net_now: string | null;
  /** Codes of the lines that differ. `joined` or `left` if only one payslip exists. */
  causes: string[];
}

const MOST = 100;

interface ComparedRun {
  id: string;
  frequency: string;
  type: string;
  period_start: string;
}

type Row = { id: string; payroll_id: string; employee_id: string } & Pick<
  EncryptedParts,
  'figures_sealed' | 'lines_sealed'
>;

const amountsBy = ({ earnings, deductions }: PayslipLines): Map<string, string> => {
  const parts = [...earnings, ...deductions].map(({ code, amount }) => [code, amount] as const);
  const groups = Map.groupBy(parts, ([code]) => code);
  return new Map([...groups].map(([code, lines]) => [code, lines.map(([, amount]) => amount).join(' ')]));
};

function causesOf(before: PayslipLines, now: PayslipLines): string[] {
  const [was, is] = [amountsBy(before), amountsBy(now)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((code) => was.get(code) !== is.get(code)).toSorted();
}

/** Returns a payslip with its net pay, or undefined before its calculation. */
function decryptNet(cipher: Pick<FieldCipher, 'open'>, row: Row | undefined) {
  const net = row && decryptPart(cipher, row, 'figures')?.net;
  return net === undefined ? undefined : { net, row: row! };
}

/** Returns the first differences from the previous run, by employee. */
export async function differencesOf(
  db: Db,
  cipher: Pick<FieldCipher, 'open'>,
  run: ComparedRun,
): Promise<PayDifference[]> {
  const [last] = await db.rows<{ id: string }>(sql`
    SELECT id FROM payrolls WHERE frequency = ${run.frequency} AND type = ${run.type} AND status IN ('approved', 'paid')
      AND period_start < ${run.period_start}::date ORDER BY period_start DESC, id DESC LIMIT 1`);
  if (!last) return [];
  const rows = await db.rows<Row>(sql`
    SELECT id, payroll_id, employee_id, figures_sealed, lines_sealed FROM payroll_entries
    WHERE payroll_id IN (${last.id}::uuid, ${run.id}::uuid) AND status NOT IN ('failed', 'cancelled', 'reversed')
      AND calculated_at IS NOT NULL ORDER BY employee_id`);
  const differences: PayDifference[] = [];
  for (const [employee_id, pair] of Map.groupBy(rows, (row) => row.employee_id)) {
    const [before, now] = [last.id, run.id].map((id) =>
      decryptNet(
        cipher,
        pair.find(({ payroll_id }) => payroll_id === id),
      ),
    );
    if (before?.net === now?.net) continue;
    const lines = [before, now].map((one) => one && decryptPart(cipher, one.row, 'lines'));
    const causes = lines[0] && lines[1] ? causesOf(lines[0], lines[1]) : [before ? 'left' : 'joined'];
    differences.push({ employee_id, net_before: before?.net ?? null, net_now: now?.net ?? null, causes });
    if (differences.length === MOST) break;
  }
  return differences;
}
