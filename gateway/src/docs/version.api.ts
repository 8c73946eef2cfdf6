/** The version of the suite. API, services and gateway are released together, under one number. */
import { readFileSync } from 'node:fs';
import { ok, open, operations } from '@suite/chassis/gateway';
import { z } from 'zod';

/** The gateway has no database. */
const { query } = operations<never>();

const Version = z.object({ version: z.string().regex(/^\d+\.\d+\.\d+$/) });
const { version } = Version.parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));

export const show = query('GET /api/version', {
  summary: 'Get the version of the suite',
  description:
    'Returns the version of the gateway and its services, which follows semantic versioning. The changelog lists every change that breaks clients of an earlier release.',
  addition: 'A client that reports a fault, or waits for a change, needs the version of the running release.',
  access: open,
  reply: ok(Version),
  handle: () => ({ version }),
});
