/** Dry runs: run a command in a transaction that is rolled back, so that the same faults occur. */

class DryRunRollback extends Error {}

/** Runs a command in a transaction and rolls it back. Returns the result. @throws the faults of the command */
export async function dryRun<Tools extends unknown[], T>(
  write: <U>(work: (...tools: Tools) => Promise<U>) => Promise<U>,
  work: (...tools: Tools) => Promise<T>,
): Promise<T> {
  const results: T[] = [];
  const undone = write<void>(async (...tools) => {
    results.push(await work(...tools));
    throw new DryRunRollback();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof DryRunRollback)) throw error;
  });
  return results.at(-1)!;
}
