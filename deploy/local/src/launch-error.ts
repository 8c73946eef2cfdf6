/** A problem that the user of the launcher can solve. Its message is the sentence that they see. */
export class LaunchError extends Error {
  override name = 'Problem';
}

/** Returns the sentence of a known problem, or the message of an unexpected error. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
