import type { Place } from '@suite/sealed';

/** The place of a sealed salary: the row of history that it begins with. */
export const salaryPlace = (history_id: string): Place => ({
  table: 'employee_history',
  column: 'value_sealed',
  id: history_id,
});
