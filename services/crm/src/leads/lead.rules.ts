/** Who may do what with a lead. */
import type { Caller } from '@suite/chassis';
import { leadStates } from '../board/lead-board.ts';

/** Actions and the permission that each needs. */
const PERMISSIONS: Record<string, string> = {
  convert: 'lead.convert',
  lose: 'lead.update',
  reopen: 'lead.update',
  update: 'lead.update',
  move: 'lead.update',
  add_note: 'lead.update',
  delete: 'lead.delete',
};

/** What this caller may do with a lead in its state. */
export function leadActions(caller: Caller, status: string): string[] {
  const possible = [
    ...leadStates.allowed(status),
    'add_note',
    ...(status === 'converted' ? [] : ['update', 'move', 'delete']),
  ];
  return possible.filter((action) => caller.permissions.includes(PERMISSIONS[action] as string));
}
