/** Something that the person at the keyboard can put right; its message is the one sentence they are shown. */
export class LaunchError extends Error {
  override name = 'Problem';
}

/** The sentence of a known problem, or what an unexpected error says. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
