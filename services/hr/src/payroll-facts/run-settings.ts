/** The settings that a run is calculated with, whatever they become meanwhile. */
import type { WorkingDaysBasis } from '@suite/payroll';
import type { PayrollBasis } from '../days/day.rules.ts';
import type { Db } from '../operations.ts';
import { readSettings } from '../settings/settings.ts';

export interface RunSettings {
  /** Runs from before this choice existed have none: they were paid by attendance. */
  payroll_basis?: PayrollBasis;
  working_days_basis: WorkingDaysBasis;
  overtime_pay: 'approved' | 'all';
  overtime_factor: string;
  recovery_max_percent: number;
  arrears_months: number;
  tax_year_start: string;
}

/** The settings of now, as a run keeps them. */
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
