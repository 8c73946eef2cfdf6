/** Rehearsals: work in a transaction that is undone, so that a dry run meets the same faults as its command. */

class Undone extends Error {}

/** Does all that a command does in a transaction, and leaves no trace. Returns the result. @throws the faults of the command */
export async function rehearse<Tools extends unknown[], T>(
  write: <U>(work: (...tools: Tools) => Promise<U>) => Promise<U>,
  work: (...tools: Tools) => Promise<T>,
): Promise<T> {
  const results: T[] = [];
  const undone = write<void>(async (...tools) => {
    results.push(await work(...tools));
    throw new Undone();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return results.at(-1)!;
}
