/** History of a ticket change: changed fields and status transitions. */
import type { NewActivity } from './activity.ts';

/** Columns that the history omits, because the reply itself is next to the entry. */
const UNRECORDED_FIELDS = new Set(['last_customer_reply_at', 'last_agent_reply_at', 'rated_at', 'customer_name']);

/** Returns the history of a change. A new ticket that is resolved immediately was open in between. */
export function historyOf<Ticket extends { id: string; status: string }>(
  before: Ticket,
  status: string,
  columns: object,
  at: Date,
): NewActivity[] {
  const old = before as Record<string, unknown>;
  const changed = Object.entries(columns).filter(
    ([name, value]) => !UNRECORDED_FIELDS.has(name) && JSON.stringify(value) !== JSON.stringify(old[name] ?? null),
  );
  const diff = Object.fromEntries(changed.map(([name, value]) => [name, [old[name] ?? null, value] as const]));
  const isDouble = before.status === 'new' && status === 'resolved';
  const steps = isDouble ? ['new', 'open', 'resolved'] : [before.status, status];
  const moves = steps.slice(1).map((to, step) => [steps[step]!, to] as const);
  const entryOf = (verb: string, fields: NewActivity['diff']) => ({ ticket_id: before.id, verb, diff: fields!, at });
  return [
    ...(changed.length > 0 ? [entryOf('updated', diff)] : []),
    ...moves.filter(([from, to]) => from !== to).map((move) => entryOf('status_changed', { status: move })),
  ];
}
