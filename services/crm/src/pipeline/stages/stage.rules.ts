/** Actions on stages, as their `allowed_actions` show them. */
import { recordActions } from '@suite/chassis/operations';

export const stageActions = recordActions('stage', { update: 'stage.update', delete: 'stage.delete' });
