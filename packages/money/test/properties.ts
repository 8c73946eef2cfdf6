const requestedRuns = process.env['PROPERTY_RUNS'];

/**
 * The settings of property runs. The same seed gives the same values in each run. Mutation testing uses fewer runs,
 * because it runs per mutant, and does not search for the simplest counterexample.
 */
export const RUNS = {
  numRuns: Number(requestedRuns ?? 10_000),
  endOnFailure: requestedRuns !== undefined,
  seed: 20_261_121,
};

/** Fewer runs, for properties that follow from the invariants. */
export const FEWER = { ...RUNS, numRuns: RUNS.numRuns / 5 };

/** Returns an amount as a whole number of minor units. */
export const unitsOf = (amount: string, decimals: number): bigint => {
  const [whole, rest = ''] = amount.split('.');
  return BigInt(`${whole}${rest.padEnd(decimals, '0')}`);
};

/** Returns a number of minor units as an amount. */
export const formatUnits = (units: bigint, decimals: number): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, at)}${decimals === 0 ? '' : `.${digits.slice(at)}`}`;
};
