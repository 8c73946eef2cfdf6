/**
 * Fills the demo workspaces from platform with leads, deals, opportunities and meetings. Running the command again
 * changes nothing.
 */
import { demoProgram, runDemo } from '@suite/demo';
import { seedDemo } from './seed.ts';
import { PrismaClient } from '../generated/client.ts';

export const makeDemo = demoProgram<PrismaClient>((adapter) => new PrismaClient({ adapter }), seedDemo);

if (import.meta.main) await runDemo(makeDemo);
