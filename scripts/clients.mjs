/**
 * Generates the database clients of the folders in its arguments. One process generates all clients, because loading
 * Prisma takes longer than generating a client.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { slimClient } from './client.mjs';
import { root } from './command.mjs';

// Uses `require`, because the ES modules of @prisma/client-common import files without their extensions.
const require = createRequire(import.meta.url);
const { getGenerators, loadSchemaContext } = require('@prisma/internals');
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');

async function generateClient(folder) {
  const cliProvidedPath = join(root, folder, 'prisma/schema.prisma');
  const generators = await getGenerators({
    schemaContext: await loadSchemaContext({ schemaPath: { cliProvidedPath }, cwd: root, printLoadMessage: false }),
    registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
    skipDownload: true,
  });
  for (const generator of generators) {
    await generator.generate();
    generator.stop();
  }
  slimClient(join(root, folder, 'src/generated'));
}

for (const folder of process.argv.slice(2)) {
  try {
    await generateClient(folder);
  } catch (error) {
    console.error(`${folder}:\n${error.message}`);
    process.exitCode = 1;
  }
}
