/** Actions that happen once, however often they are asked for. */
import type { Caller, Lifecycle } from '@suite/chassis';

/** An action on a document, and the states in which it has happened already. */
interface Step {
  action: string;
  done: readonly string[];
}

/**
 * Whether an action is still to be done to a document.
 * @returns false where it was done already: nothing is to happen, and the document is the answer
 * @throws InvalidTransition for what is neither: not ready for it yet, or cancelled
 */
export function isDue(
  states: Pick<Lifecycle, 'fits' | 'assertFits'>,
  document: { status: string },
  { action, done }: Step,
  caller: Caller | null,
): boolean {
  if (!states.fits(action, document) && done.includes(document.status)) return false;
  states.assertFits(action, document, caller);
  return true;
}
