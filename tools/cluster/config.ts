/** Returns the folders in which this machine has programs. */
export const environmentPath = (environment: Record<string, string | undefined> = process.env): string =>
  environment['PATH'] ?? '';
