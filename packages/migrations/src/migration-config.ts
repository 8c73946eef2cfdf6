/** Returns the URL of the database to migrate, from the environment. */
export function migrationDatabaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('Set DATABASE_URL to the database to migrate.');
  return url;
}
