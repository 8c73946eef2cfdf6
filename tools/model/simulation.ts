/** Random operations in new companies, one company after the other, until the requested number is reached. */
import * as fc from 'fast-check';
import { assertDocumentsMatch } from './company/agreement.ts';
import { commands, type Tally } from './company/commands.ts';
import { findCompany, openCompany, type ReachedSuite } from './company/company.ts';

/**
 * Maximum number of operations per company. About a third usually runs, because the others lack the records they need.
 */
const MOST = 300;
const COMPANIES = 4;
/** Limits the time for shrinking a failure, so that it is still reported. */
const ROUND_MS = 240_000;

/** Returns the total number of operations. */
export const totalOperations = (tally: Tally): number => [...tally.values()].reduce((sum, times) => sum + times, 0);

/**
 * Runs at least the given number of operations.
 * @param seed repeats the same operations
 * @returns the number of responses of each kind
 * @throws an Error with the fewest steps after which company and model differ, and the seed
 */
export async function simulate(
  suite: ReachedSuite,
  { operations, seed, say = () => {} }: { operations: number; seed: number; say?: (line: string) => void },
): Promise<Tally> {
  const tally: Tally = new Map();
  const history = fc.asyncProperty(commands(tally, MOST), async (steps) => {
    const company = openCompany(suite);
    const model = await findCompany(company);
    await fc.asyncModelRun(() => ({ model, real: company }), steps);
    await assertDocumentsMatch(company, model);
  });
  for (let round = 0; totalOperations(tally) < operations; round += 1) {
    await fc.assert(history, {
      seed: seed + round,
      numRuns: COMPANIES,
      interruptAfterTimeLimit: ROUND_MS,
      includeErrorInReport: true,
      // Uses long histories from the beginning, because short ones contain too few interactions.
      unbiased: true,
    });
    say(`${totalOperations(tally)} of ${operations} operations, seed ${seed + round}`);
  }
  return new Map([...tally].toSorted(([one], [other]) => one.localeCompare(other)));
}
