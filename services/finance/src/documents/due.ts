/** What is done once, however often it is asked for. */
import { InvalidTransition, type Lifecycle } from '@suite/chassis';

/**
 * Whether an action is still to be done to a document.
 * @param done the states of documents that it was done to
 * @returns false where it was done already: nothing is to happen, and the document is the answer
 * @throws InvalidTransition for what is neither: not ready for it yet, or cancelled
 */
export function isDue(
  { allowed }: Pick<Lifecycle, 'allowed'>,
  status: string,
  action: string,
  done: readonly string[],
): boolean {
  const actions: readonly string[] = allowed(status);
  if (actions.includes(action)) return true;
  if (done.includes(status)) return false;
  throw InvalidTransition({ from: status, action, allowed: actions });
}
