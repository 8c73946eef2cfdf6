/** Adds demo data to the demo workspaces created by platform. Running it again changes nothing. */
import { demoProgram, runDemo } from '@suite/demo';
import { seedDemo } from './seed.ts';
import { PrismaClient } from '../generated/client.ts';

export const makeDemo = demoProgram<PrismaClient>((adapter) => new PrismaClient({ adapter }), seedDemo);

if (import.meta.main) await runDemo(makeDemo);
