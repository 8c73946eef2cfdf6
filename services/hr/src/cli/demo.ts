/** Fills the demo workspaces that platform has made. Running it again changes nothing. */
import { masterKeysIn, readSettings } from '@suite/chassis';
import { fillDemo } from '@suite/demo';
import { z } from 'zod';
import { seedDemo } from '../demo/seed.ts';
import { PrismaClient } from '../generated/client.ts';

const { KEYS_DIR } = readSettings({ KEYS_DIR: z.string().min(1) });
await fillDemo<PrismaClient>(
  (adapter) => new PrismaClient({ adapter }),
  (database, workspaces) => seedDemo(database, workspaces, masterKeysIn(KEYS_DIR)),
);
