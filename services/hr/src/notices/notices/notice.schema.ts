import { choice, Id, inner, input, version } from '@suite/chassis/fields';
import type { z } from 'zod';
import { PARTS } from '../../organisation/audiences/audience.schema.ts';

/** Status change of an announcement or a document. */
export const NoticeStatusChange = input({ action: choice('publish', 'archive'), version });

/** Returns the audience filters of a list, for callers who can change its records. */
export const partsFor = (permission: string) =>
  Object.fromEntries(PARTS.map((part) => [part, inner(Id, permission)])) as Record<
    (typeof PARTS)[number],
    z.ZodOptional<typeof Id>
  >;
