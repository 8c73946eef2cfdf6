/** Actions on the categories of revenues and expenses. */
import { recordActions } from '@suite/chassis/operations';

export const categoryActions = {
  revenue: recordActions('revenue_category', { update: 'revenue.approve', delete: 'revenue.approve' }),
  expense: recordActions('expense_category', { update: 'expense.approve', delete: 'expense.approve' }),
};
