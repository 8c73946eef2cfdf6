import { InvalidTransition, NotFound } from '@suite/chassis';

interface Rows {
  findFirst(query: never): PromiseLike<{ status: string } | null>;
}

/** A lifecycle, whatever its states. */
interface States {
  table: Record<string, Record<string, string>>;
  allowed(status: string): string[];
  move(rows: object, id: string, verb: string, patch?: object): Promise<boolean>;
}

/**
 * Moves a row to a state that a body asks for, by the verb of the table that leads there.
 * @returns false when it is there already
 * @throws NotFound, InvalidTransition
 */
export async function moveTo(
  states: States,
  rows: object,
  id: string,
  target: string,
  patch: object = {},
): Promise<boolean> {
  const row = await (rows as Rows).findFirst({ where: { id } } as never);
  if (!row) throw NotFound();
  if (row.status === target) return false;
  const verbs = states.table[row.status] ?? {};
  const verb = Object.keys(verbs).find((name) => verbs[name] === target);
  if (!verb) throw InvalidTransition({ from: row.status, action: target, allowed: states.allowed(row.status) });
  return await states.move(rows, id, verb, patch);
}
