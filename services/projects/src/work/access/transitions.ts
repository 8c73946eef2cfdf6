import { InvalidTransition } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Lifecycle } from '@suite/chassis/operations';

/** Lifecycle with any set of states. */
type States = Pick<Lifecycle, 'table' | 'column' | 'words' | 'allowedTo'> & {
  move(rows: object, id: string, verb: string, patch?: object, caller?: Caller | null): Promise<boolean>;
};

/**
 * Moves a locked row to a requested state, by an action that leads there and that callers may take.
 * @returns false if the row already has that state
 * @throws InvalidTransition
 */
export async function moveTo(
  { table, column, words, ...states }: States,
  rows: object,
  row: { id: string; status: string },
  target: string,
  caller: Caller,
): Promise<boolean> {
  const from = (row as Record<string, string>)[column]!;
  if (from === target) return false;
  const leads = (state: string) => words.find((verb) => table[state]?.[verb] === target);
  const verb = leads(from) ?? Object.keys(table).map(leads).find(Boolean);
  if (verb) return await states.move(rows, row.id, verb, {}, caller);
  throw InvalidTransition({ from, action: target, allowed: states.allowedTo(caller, row) });
}
