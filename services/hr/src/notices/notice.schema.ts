import { choice, Id, inner, input, version } from '@suite/chassis';
import type { z } from 'zod';
import { PARTS } from '../audiences/audience.schema.ts';

/** The next state of an announcement or a document. */
export const NoticeStatusChange = input({ action: choice('publish', 'archive'), version });

/** The parts of audiences by which a list is filtered, for whoever may change what is listed. */
export const partsFor = (permission: string) =>
  Object.fromEntries(PARTS.map((part) => [part, inner(Id, permission)])) as Record<
    (typeof PARTS)[number],
    z.ZodOptional<typeof Id>
  >;
