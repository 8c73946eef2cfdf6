const asked = process.env['PROPERTY_RUNS'];

/**
 * Every run asks the same; another seed asks something else. Mutation testing asks less often, since it asks per mutant,
 * and does not look for the simplest counterexample.
 */
export const RUNS = { numRuns: Number(asked ?? 10_000), endOnFailure: asked !== undefined, seed: 20_261_121 };

/** For what follows from the invariants. */
export const FEWER = { ...RUNS, numRuns: RUNS.numRuns / 5 };

/** An amount as a whole number of minor units. */
export const unitsOf = (amount: string, decimals: number): bigint => {
  const [whole, rest = ''] = amount.split('.');
  return BigInt(`${whole}${rest.padEnd(decimals, '0')}`);
};

/** A number of minor units as an amount. */
export const written = (units: bigint, decimals: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}`;
};
