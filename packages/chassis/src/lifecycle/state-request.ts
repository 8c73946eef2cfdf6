/** Requests that name the new state of a record instead of an action. */
import { z } from 'zod';
import { InvalidTransition } from '../runtime/fault.ts';
import type { Caller } from '../identity/identity.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { States } from './rights.ts';

/**
 * Schema of a state in a request: the new state, or the action from `allowed_actions` that leads to it. The handler gets
 * the state. @param actions the actions that the operation performs
 */
export function stateRequest<const Given extends readonly string[], A extends string>(
  { table, noun }: { table: States; noun: string; words: readonly A[] },
  states: Given,
  actions: readonly NoInfer<A>[],
) {
  const targets = new Map(Object.values(table).flatMap((verbs) => Object.entries(verbs)));
  const stray = actions.find((action) => !states.includes(targets.get(action) ?? ''));
  if (stray) throw new Error(`${noun}: ${stray} leads to no state of the request.`);
  const accepted = z.enum([...new Set<string>([...states, ...actions])]);
  return accepted.overwrite((word) => (states.includes(word) ? word : targets.get(word)!)) as unknown as z.ZodEnum<{
    [S in Given[number]]: S;
  }>;
}

/** Lifecycle with any set of states. */
type AnyLifecycle = Pick<Lifecycle, 'table' | 'column' | 'words' | 'allowedTo'> & {
  move(rows: object, id: string, verb: string, patch?: object, caller?: Caller | null): Promise<boolean>;
};

/**
 * Moves a row to a requested state, by an action that leads there and that callers may take.
 * @param row the row before the change
 * @returns false if the row already has that state
 * @throws InvalidTransition, with the actions that the caller may take instead
 */
export async function moveTo(
  { table, column, words, ...states }: AnyLifecycle,
  rows: object,
  row: { id: string },
  target: string,
  { patch, caller }: { patch?: object; caller: Caller },
): Promise<boolean> {
  const from = (row as Record<string, unknown>)[column] as string;
  if (from === target) return false;
  const leads = (state: string) => words.find((verb) => table[state]?.[verb] === target);
  const verb = leads(from) ?? Object.keys(table).map(leads).find(Boolean);
  if (verb) return await states.move(rows, row.id, verb, patch, caller);
  throw InvalidTransition({ from, action: target, allowed: states.allowedTo(caller, row) });
}
