/** Settings that a run is calculated with. Later changes do not affect the run. */
import type { WorkingDaysBasis } from '../../employment/pay-computation/facts/days.ts';
import type { PayrollBasis } from '../../time/days/day.rules.ts';
import type { Db } from '../../operations.ts';
import { readSettings } from '../../organisation/settings/settings.ts';

export interface RunSettings {
  /** Undefined in runs older than this field, which were paid by attendance. */
  payroll_basis?: PayrollBasis;
  working_days_basis: WorkingDaysBasis;
  overtime_pay: 'approved' | 'all';
  overtime_factor: string;
  recovery_max_percent: number;
  arrears_months: number;
  tax_year_start: string;
}

/** Returns the current settings, as stored with a run. */
export async function settingsOfNow(db: Db): Promise<RunSettings> {
  const settings = await readSettings(db);
  const { payroll_basis, working_days_basis, overtime_pay, overtime_factor } = settings;
  const { recovery_max_percent, arrears_months, tax_year_start } = settings;
  return {
    payroll_basis,
    working_days_basis,
    overtime_pay,
    overtime_factor,
    recovery_max_percent,
    arrears_months,
    tax_year_start,
  };
}
