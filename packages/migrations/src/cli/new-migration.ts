/**
 * Writes a new migration of a service: `node new-migration.ts services/crm add_labels`. A program apart from the one that
 * applies migrations, because images contain that program but not the schema engine.
 */
import { newMigration } from '../schema-engine.ts';

const [directory = '', name = ''] = process.argv.slice(2);
try {
  if (!directory || !name) throw new Error('Usage: node new-migration.ts <service folder> <name>');
  const file = await newMigration(directory, name);
  if (!file)
    throw new Error(`Change ${directory}/prisma/schema.prisma first: the last migration contains all its changes.`);
  console.log(file);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
