/** Random work in new companies, one after the other, until enough was tried. */
import * as fc from 'fast-check';
import { documentsAgree } from './company/agreement.ts';
import { commands, type Tally } from './company/commands.ts';
import { found, openCompany, type Reached } from './company/company.ts';

/** How many things are tried in a company at most; about a third of that as a rule, as far as there is what they need. */
const MOST = 300;
const COMPANIES = 4;
/** Making a failure small ends in time to be told of. */
const ROUND_MS = 240_000;

/** How much was tried altogether. */
export const triedIn = (tally: Tally): number => [...tally.values()].reduce((sum, times) => sum + times, 0);

/**
 * Tries so many things, at least.
 * @param seed makes the same things happen again
 * @returns how often each answer was given
 * @throws an Error with the fewest steps that company and model do not agree about, and the seed
 */
export async function simulate(
  suite: Reached,
  { operations, seed, say = () => {} }: { operations: number; seed: number; say?: (line: string) => void },
): Promise<Tally> {
  const tally: Tally = new Map();
  const history = fc.asyncProperty(commands(tally, MOST), async (steps) => {
    const company = openCompany(suite);
    const model = await found(company);
    await fc.asyncModelRun(() => ({ model, real: company }), steps);
    await documentsAgree(company, model);
  });
  for (let round = 0; triedIn(tally) < operations; round += 1) {
    await fc.assert(history, {
      seed: seed + round,
      numRuns: COMPANIES,
      interruptAfterTimeLimit: ROUND_MS,
      includeErrorInReport: true,
      // Long histories from the beginning: in short ones too little meets.
      unbiased: true,
    });
    say(`${triedIn(tally)} of ${operations} operations, seed ${seed + round}`);
  }
  return new Map([...tally].toSorted(([one], [other]) => one.localeCompare(other)));
}
