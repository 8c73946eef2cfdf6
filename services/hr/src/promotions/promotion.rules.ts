/** Lifecycle of a promotion. */
import { changeLife } from '../employee-records/employee-record.rules.ts';

export const promotionStates = changeLife('promotion', 'promotions.decide');
