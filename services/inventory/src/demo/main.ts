/** Fills the demo workspaces of platform with products, stock and POS orders. Repeated runs have no effect. */
import { demoProgram, runDemo } from '@suite/demo';
import { seedDemo } from './seed.ts';
import { PrismaClient } from '../generated/client.ts';

export const makeDemo = demoProgram<PrismaClient>((adapter) => new PrismaClient({ adapter }), seedDemo);

if (import.meta.main) await runDemo(makeDemo);
