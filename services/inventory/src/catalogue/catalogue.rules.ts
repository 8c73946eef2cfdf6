/** Actions on categories, taxes and units. */
import { recordActions } from '@suite/chassis/operations';

export const categoryActions = recordActions('category', { update: 'category.update', delete: 'category.delete' });
export const taxActions = recordActions('tax', { update: 'tax.update', delete: 'tax.delete' });
export const unitActions = recordActions('unit', { update: 'unit.update', delete: 'unit.delete' });
