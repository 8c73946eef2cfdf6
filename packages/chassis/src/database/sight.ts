/** Switches, inside a transaction, between what is true and what the caller may see. */
import { current, setLocally } from './running.ts';
import type { Sight } from './visibility.ts';

async function withSight<T>(sight: Sight, work: () => Promise<T>): Promise<T> {
  const now = current();
  const before = now.sight;
  if (!now.seen || before === 'everywhere' || before === sight) return await work();
  now.sight = sight;
  try {
    return await work();
  } finally {
    now.sight = before;
  }
}

/**
 * Runs `work` on what the caller may see: for what a command answers, and for what it takes from the caller's view, such
 * as a position on a board. Costs nothing for somebody who sees everything.
 */
export const asSeen = <T>(work: () => Promise<T>): Promise<T> => withSight('visible', work);

/** Looks for records that a path names, among those that the caller may work on. */
export async function asNamed<T>(work: () => Promise<T>): Promise<T> {
  const { seen } = current();
  const reach = JSON.stringify(seen?.reach);
  const named = JSON.stringify(seen?.reach_of_named);
  if (!seen || reach === named) return await asSeen(work);
  await setLocally({ reach: named });
  const result = await asSeen(work);
  await setLocally({ reach });
  return result;
}

/**
 * Leaves the visibility of records for the time of `work`, in a query whose figures are meant for everybody who may ask for
 * them: books are sound or they are not, whoever looks. Long on purpose, counted by tidy. It opens nothing to outsiders.
 */
export async function regardlessOfVisibility<T>(work: () => Promise<T>): Promise<T> {
  const kind = current().context.caller?.kind;
  return kind === 'owner' || kind === 'staff' ? await withSight('true', work) : await work();
}

/** Runs `work` on what is true again, within `asSeen` in a command. What a query sees, nothing widens. */
export const asTrue = async <T>(work: () => Promise<T>): Promise<T> =>
  current().writes ? await withSight('true', work) : await work();
