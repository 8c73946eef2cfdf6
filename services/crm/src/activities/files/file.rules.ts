/** Actions on the files of leads and deals. */
import { recordActions } from '@suite/chassis/operations';
import { actionsByRecord } from '../../pipeline/board/activity-actions.ts';

const actions = (kind: 'lead' | 'deal') =>
  recordActions(`${kind}_file`, { delete: { permission: `${kind}.update`, by: `${kind}Files.remove` } });

export const fileActionsOf = { lead: actions('lead'), deal: actions('deal') };
export const fileActions = actionsByRecord(fileActionsOf);
