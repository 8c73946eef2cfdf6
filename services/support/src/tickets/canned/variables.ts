/**
 * Variables of canned replies: `{{ticket.number}}`. Unknown variables are rejected when saved. Empty values result in
 * empty text.
 */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';

const VARIABLE_NAMES = [
  'ticket.number',
  'ticket.subject',
  'requester.name',
  'requester.first_name',
  'agent.name',
  'workspace.name',
] as const;
const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** Checks that all variables exist. @throws a 422 fault that names the first unknown variable */
export function assertVariables(body: string): void {
  const unknown = [...body.matchAll(VARIABLE)].find(
    ([, name]) => !VARIABLE_NAMES.some((known) => known === name?.trim()),
  );
  if (unknown)
    throw invalid(
      'body',
      `The variable ${unknown[0].slice(0, 60)} does not exist. Use one of: ${VARIABLE_NAMES.join(', ')}.`,
    );
}

interface Ticket {
  number: string;
  subject: string;
  requester_name: string;
}

/** Fills in the variables of a text for a ticket. */
export async function fillVariables(db: Db, text: string, ticket: Ticket, agent_name: string): Promise<string> {
  const [workspace] = /\{\{\s*workspace\./.test(text)
    ? await db.rows<{ name: string | null }>(sql`SELECT workspace_name AS name FROM settings`)
    : [];
  const values: Record<(typeof VARIABLE_NAMES)[number], string> = {
    'ticket.number': ticket.number,
    'ticket.subject': ticket.subject,
    'requester.name': ticket.requester_name,
    'requester.first_name': ticket.requester_name.split(/\s+/)[0] ?? '',
    'agent.name': agent_name,
    'workspace.name': workspace?.name ?? '',
  };
  return text.replaceAll(VARIABLE, (whole, name: string) => values[name.trim() as keyof typeof values] ?? whole);
}
