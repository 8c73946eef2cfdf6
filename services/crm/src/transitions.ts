import { InvalidTransition, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Lifecycle } from '@suite/chassis/operations';

interface Rows {
  findFirst(query: never): PromiseLike<object | null>;
}

/** Row that changes its status, and the caller whose allowed actions a fault lists. */
interface Moving {
  patch?: object;
  caller: Caller;
}

/** Lifecycle with any set of states. */
type States = Pick<Lifecycle, 'table' | 'column' | 'words' | 'allowedTo'> & {
  move(rows: object, id: string, verb: string, patch?: object, caller?: Caller | null): Promise<boolean>;
};

/**
 * Moves a row to a requested state, by an action that leads there and that callers may take.
 * @returns false if the row already has that state
 * @throws NotFound, InvalidTransition
 */
export async function moveTo(
  { table, column, words, ...states }: States,
  rows: object,
  id: string,
  target: string,
  { patch, caller }: Moving,
): Promise<boolean> {
  const row = await (rows as Rows).findFirst({ where: { id } } as never);
  if (!row) throw NotFound();
  const from = (row as Record<string, string>)[column]!;
  if (from === target) return false;
  const leads = (state: string) => words.find((verb) => table[state]?.[verb] === target);
  const verb = leads(from) ?? Object.keys(table).map(leads).find(Boolean);
  if (verb) return await states.move(rows, id, verb, patch, caller);
  throw InvalidTransition({ from, action: target, allowed: states.allowedTo(caller, row) });
}
