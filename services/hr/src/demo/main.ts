/** Adds demo data to the demo workspaces created by platform. Running it again changes nothing. */
import { masterKeysIn } from '@suite/chassis/identity';
import { readSettings } from '@suite/chassis/runtime';
import { demoProgram, runDemo } from '@suite/demo';
import { z } from 'zod';
import { seedDemo } from './seed.ts';
import { PrismaClient } from '../generated/client.ts';

export const makeDemo = demoProgram<PrismaClient>(
  (adapter) => new PrismaClient({ adapter }),
  (database, workspaces, environment) => {
    const { KEYS_DIR } = readSettings({ KEYS_DIR: z.string().min(1) }, environment);
    return seedDemo(database, workspaces, masterKeysIn(KEYS_DIR));
  },
);

if (import.meta.main) await runDemo(makeDemo);
