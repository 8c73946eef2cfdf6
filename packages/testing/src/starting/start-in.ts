/** Starts a suite for tests, in Jest's process or another one. Its gateway has no rate limits. */
import { join } from 'node:path';
import { type Suite, startSuite } from '@suite/local/suite';
import { UNLIMITED } from './limits.ts';
import { copyPrepared } from './prepared.ts';

export interface SuiteOptions {
  /** True if the demo workspace is created. Most tests open their own workspaces. */
  demo?: boolean;
  /** True if acknowledged writes reach the disk itself, as in production. A killed process loses none either way. */
  durable?: boolean;
  replicas?: Record<string, number>;
  environment?: Record<string, string>;
}

/** Starts a suite with its data in a folder. @throws an Error with the complete output if it does not start */
export async function startSuiteIn(
  place: string,
  { demo, durable, replicas, environment }: SuiteOptions,
): Promise<Suite> {
  const said: string[] = [];
  if (!durable) await copyPrepared(join(place, 'data'));
  return await startSuite({
    data: join(place, 'data'),
    port: 'free',
    demo: demo ?? false,
    fast: !durable,
    replicas: replicas ?? {},
    environment: {
      RATE_LIMITS: JSON.stringify(UNLIMITED),
      LOG_LEVEL: 'warn',
      OUTGOING_TRUSTED_HOSTS: '127.0.0.1',
      ...environment,
    },
    say: (line) => said.push(line),
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(['The suite did not start.', ...said, reason].join('\n'), { cause: error });
  });
}
