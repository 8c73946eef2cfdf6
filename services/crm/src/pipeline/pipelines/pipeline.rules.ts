/** Actions on pipelines, as their `allowed_actions` show them. */
import { recordActions } from '@suite/chassis/operations';

export const pipelineActions = recordActions('pipeline', {
  update: 'pipeline.update',
  delete: { permission: 'pipeline.delete', unless: 'is_default' },
});
