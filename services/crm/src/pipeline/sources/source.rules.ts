/** Actions on sources, as their `allowed_actions` show them. */
import { recordActions } from '@suite/chassis/operations';

export const sourceActions = recordActions('source', { update: 'source.update', delete: 'source.delete' });
