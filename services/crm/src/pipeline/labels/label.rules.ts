/** Actions on labels, as their `allowed_actions` show them. */
import { recordActions } from '@suite/chassis/operations';

export const labelActions = recordActions('label', { update: 'label.update', delete: 'label.delete' });
