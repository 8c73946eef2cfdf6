/**
 * Makes parts of the demo, one after another: a program of the launcher, which sends a request for each part. In one process,
 * because loading a service takes longer than filling it. Programs that are named as arguments are loaded in advance.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A request of the launcher: the program of a part, and the settings of its process. */
export interface PartRequest {
  program: string;
  environment: Record<string, string>;
}

/** Reply of a worker. `fault` is the error that prevented the part. */
export interface PartReply {
  fault?: string;
}

interface Program {
  makeDemo(environment: Record<string, string>): Promise<string>;
}

const load = (program: string): Promise<Program> => import(pathToFileURL(resolve(program)).href);

async function make({ program, environment }: PartRequest): Promise<PartReply> {
  try {
    const { makeDemo } = await load(program);
    console.log(await makeDemo(environment));
    return {};
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (request: PartRequest) => void make(request).then((reply) => process.send?.(reply)));
// A program that cannot be loaded fails again, with its reason, when its part is requested.
for (const program of process.argv.slice(2)) await load(program).catch(() => undefined);
