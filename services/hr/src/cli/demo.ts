/** Fills the demo workspaces that platform has made. Running it again changes nothing. */
import { fillDemo } from '@suite/demo';
import { seedDemo } from '../demo/seed.ts';
import { PrismaClient } from '../generated/client.ts';

await fillDemo<PrismaClient>((adapter) => new PrismaClient({ adapter }), seedDemo);
