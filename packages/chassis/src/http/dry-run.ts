/** `?dry_run=true`: a command returns what it would do, runs the same code and leaves no trace. */
import { z } from 'zod';

/** The query parameter of a command with a dry run: `query: { dry_run: DryRun }`. */
export const DryRun = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true')
  .describe('If `true`, returns the result without storing anything.');
