/** What is done once, however often it is asked for. */
import { type Caller, InvalidTransition, type Lifecycle } from '@suite/chassis';
import type { Actions } from '../actions.ts';

/** What may be done to documents of a kind, and by whom. */
interface Rules {
  states: Pick<Lifecycle, 'allowed'>;
  actions: Actions;
  caller: Caller | null;
}

/**
 * Whether an action is still to be done to a document.
 * @param done the states of documents that it was done to
 * @returns false where it was done already: nothing is to happen, and the document is the answer
 * @throws InvalidTransition for what is neither: not ready for it yet, or cancelled
 */
export function isDue(
  { states, actions, caller }: Rules,
  status: string,
  action: string,
  done: readonly string[],
): boolean {
  const possible: readonly string[] = states.allowed(status);
  if (possible.includes(action)) return true;
  if (done.includes(status)) return false;
  throw InvalidTransition({ from: status, action, allowed: actions.in(status, caller) });
}
