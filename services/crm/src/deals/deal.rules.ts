/** Who may do what with a deal. */
import type { Caller } from '@suite/chassis';
import { dealStates } from '../board/deal-board.ts';
import type { DealRow } from './deal.schema.ts';

const PERMISSIONS: Record<string, string> = { delete: 'deal.delete' };

/** What this caller may do with a deal in its state. */
export function dealActions(caller: Caller, { status, lead_id }: DealRow): string[] {
  const possible = [...dealStates.allowed(status), 'update', 'add_note', ...(lead_id ? [] : ['delete'])];
  return possible.filter((action) => caller.permissions.includes(PERMISSIONS[action] ?? 'deal.update'));
}
