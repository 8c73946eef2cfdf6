/** Actions that take effect once, however often they are requested. */
import type { Caller } from '@suite/chassis/identity';
import type { Lifecycle } from '@suite/chassis/operations';

/** Action on a document, with the statuses in which it is already done. */
interface DocumentAction {
  action: string;
  done: readonly string[];
}

/**
 * Checks that an action is still to be applied to a document.
 * @returns false if it was applied already: nothing happens, and the document is the response
 * @throws InvalidTransition for a document in any other status, such as not ready or cancelled
 */
export function isDue(
  states: Pick<Lifecycle, 'fits' | 'assertFits'>,
  document: { status: string },
  { action, done }: DocumentAction,
  caller: Caller | null,
): boolean {
  if (!states.fits(action, document) && done.includes(document.status)) return false;
  states.assertFits(action, document, caller);
  return true;
}
