/** Lifecycle of a promotion. */
import { changeLife } from '../../employees/employee-records/employee-record.rules.ts';

export const promotionStates = changeLife('promotion', 'promotions.decide');
