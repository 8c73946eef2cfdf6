/** Actions on categories. Only agents who see all tickets change them, because categories assign tickets. */
import { recordActions } from '@suite/chassis/operations';
import { isAgent } from '../ticket-states/ticket-side.rules.ts';

const change = { permission: 'ticket.update', if: isAgent };

export const categoryActions = recordActions('support_category', { update: change, delete: change });
