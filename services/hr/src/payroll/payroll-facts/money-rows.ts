/** Reads the amounts that earlier payslips paid to employees. */
import { sql } from '@suite/chassis/database';
import type { FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { decryptPart, type PayslipAmounts } from '../payslips/payslip-encryption.ts';
import { FINAL } from '../payslips/payslip.rules.ts';
import type { RunSettings } from './run-settings.ts';

type Decryption = Pick<FieldCipher, 'open'>;

/** Earlier final payslip. */
export interface EarlierPayslip {
  id: string;
  employee_id: string;
  regular: boolean;
  period_start: string;
  period_end: string;
  pay_date: string;
  currency: string;
  frequency: 'monthly' | 'fortnightly' | 'weekly';
  settings: RunSettings;
  lines_sealed: string;
  calculated_at: Date;
  arrears_mark: string | null;
  figures: PayslipAmounts;
}

/** Returns the final payslips of employees that were paid or earned since a day, by employee, oldest first. */
export async function readEarlierPayslips(
  db: Db,
  cipher: Decryption,
  ids: readonly string[],
  since: string,
): Promise<Map<string, EarlierPayslip[]>> {
  const rows = await db.rows<Omit<EarlierPayslip, 'figures'> & { figures_sealed: string }>(sql`
    SELECT slip.id, slip.employee_id, slip.regular, slip.period_start::text AS period_start, slip.period_end::text AS period_end,
      run.pay_date::text AS pay_date, run.currency, run.frequency, run.settings, slip.lines_sealed, slip.figures_sealed,
      slip.calculated_at, slip.arrears_mark
    FROM payroll_entries AS slip JOIN payrolls AS run ON run.id = slip.payroll_id
    WHERE slip.employee_id = ANY (${ids}::uuid[]) AND slip.status = ANY (${[...FINAL]}::text[])
      AND greatest(slip.period_end, run.pay_date) >= ${since}::date
    ORDER BY slip.period_start, slip.id`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  const decryptPayslip = ({ figures_sealed, ...row }: (typeof rows)[number]): EarlierPayslip => ({
    ...row,
    figures: decryptPart(cipher, { id: row.id, figures_sealed }, 'figures')!,
  });
  return new Map([...people].map(([id, all]) => [id, all.map(decryptPayslip)]));
}
