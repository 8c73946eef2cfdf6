/** What is done once, however often it is asked for. */
import type { Caller, Lifecycle } from '@suite/chassis';

/** What happens to a document, and in which states it has happened. */
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
