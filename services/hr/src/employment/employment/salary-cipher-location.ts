import type { CipherLocation } from '@suite/field-encryption';

/** Returns the location of an encrypted salary: the history row that begins with it. */
export const salaryCipherLocation = (history_id: string): CipherLocation => ({
  table: 'employee_history',
  column: 'value_sealed',
  id: history_id,
});
