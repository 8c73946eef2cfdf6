/** The environment of the migration program: the database to bring up to date. */
export function migrationDatabaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('DATABASE_URL must name the database to migrate.');
  return url;
}
