/** Bulk change of tickets: each succeeds or fails separately, with its own result. */
import { withSavepoint, sql, asCaller } from '@suite/chassis/database';
import { Fault, invalid, NotFound } from '@suite/chassis/faults';
import type { CommandContext, Db } from '../../operations.ts';
import type { TicketReferences } from '../../settings/ticket-references/ticket-references.ts';
import { changeTicket, lockTicket } from '../ticket-states/ticket-change.ts';
import type { BulkChange } from './ticket-steps.schema.ts';
import { assertAgentSide } from '../ticket-states/ticket-side.rules.ts';
import { updateTicket } from '../tickets/ticket.ts';

const CHANGE_FIELDS = ['assignee_id', 'status', 'category_id', 'tags_add', 'tags_remove'] as const;

/** Checks that a body contains one change and each ticket once. @throws a 422 fault */
export function assertOneChange(body: BulkChange): void {
  const requested = CHANGE_FIELDS.filter((name) => body[name] !== undefined);
  if (requested.length === 0) throw invalid('status', 'Nothing would change. Enter at least one new value.');
  if (requested.length > 1) throw invalid(requested[1]!, 'Enter only one change.');
  if (new Set(body.ticket_ids).size < body.ticket_ids.length)
    throw invalid('ticket_ids', 'Enter each ticket only once.');
}

/** Returns the given tickets that the caller can see. */
const visibleIds = async (db: Db, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await asCaller(() =>
    db.rows<{ id: string }>(sql`SELECT id FROM tickets WHERE id = ANY(${ids}::uuid[]) AND deleted_at IS NULL`),
  );
  return new Set(rows.map(({ id }) => id));
};

async function changeTags(context: CommandContext, id: string, { tags_add = [], tags_remove = [] }: BulkChange) {
  const ticket = await lockTicket(context, id);
  assertAgentSide(context.caller, ticket);
  const tags = [...ticket.tags, ...tags_add].filter((tag) => !tags_remove.includes(tag));
  await changeTicket(context, ticket, { columns: { tags: [...new Set(tags)] } });
}

async function changeOne(
  context: CommandContext,
  id: string,
  body: BulkChange,
  references: TicketReferences,
): Promise<void> {
  const { ticket_ids: _, tags_add, tags_remove, ...changes } = body;
  if (tags_add ?? tags_remove) await changeTags(context, id, body);
  else await updateTicket(context, id, changes, references);
}

/** Returns the fault code of one rejected ticket. Any other error rolls back all changes. */
async function outcomeOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await withSavepoint(work);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

/** Changes tickets one by one in order of their IDs, to prevent deadlocks between such requests. */
export async function changeMany(context: CommandContext, body: BulkChange, references: TicketReferences) {
  // Chosen: each ticket has its own savepoint in one transaction, so that a repeated request gets the same response.
  const visible = await visibleIds(context.db, body.ticket_ids);
  const codes = new Map<string, string | undefined>();
  for (const id of body.ticket_ids.toSorted()) {
    const code = visible.has(id) ? await outcomeOf(() => changeOne(context, id, body, references)) : NotFound().code;
    codes.set(id, code);
  }
  return {
    results: body.ticket_ids.map((ticket_id) => {
      const code = codes.get(ticket_id);
      return { ticket_id, ok: code === undefined, ...(code !== undefined && { code }) };
    }),
  };
}
