/** Settings of the chaos test: longer runs kill more processes and stop NATS for longer. */

/** Returns a positive integer from the environment. @throws an Error that names the variable, for any other text */
function positiveInteger(variable: string, fallback: number): number {
  const text = process.env[variable] ?? String(fallback);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${variable} must be a positive integer, not "${text}".`);
  return Number(text);
}

/** The seed is printed and read from the environment, so that a failing sequence of faults can be repeated. */
export const SEED = positiveInteger('CHAOS_SEED', 1 + Math.floor(Math.random() * 1e8));
/** Number of processes to kill. */
export const KILLS = positiveInteger('CHAOS_KILLS', 60);
/** Duration of the NATS outage. */
export const NATS_DOWN_MS = positiveInteger('CHAOS_NATS_DOWN_SECONDS', 15) * 1_000;
