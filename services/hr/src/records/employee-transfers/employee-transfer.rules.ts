/** Lifecycle of a transfer. */
import { changeLife } from '../../employees/employee-records/employee-record.rules.ts';

export const transferStates = changeLife('employee_transfer', 'employeeTransfers.decide');
