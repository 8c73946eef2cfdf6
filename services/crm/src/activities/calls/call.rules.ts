/** Actions on the calls of leads and deals. */
import { recordActions } from '@suite/chassis/operations';
import { actionsByRecord } from '../../pipeline/board/activity-actions.ts';

const actions = (kind: 'lead' | 'deal') =>
  recordActions(`${kind}_call`, {
    update: { permission: `${kind}.update`, by: `${kind}Calls.update` },
    delete: { permission: `${kind}.update`, by: `${kind}Calls.remove` },
  });

export const callActionsOf = { lead: actions('lead'), deal: actions('deal') };
export const callActions = actionsByRecord(callActionsOf);
