/** Returns the URL of the database to migrate, from the environment. A pooler would share the state of the session. */
export function migrationDatabaseUrl(): string {
  const url = process.env.DATABASE_DIRECT_URL ?? process.env.DATABASE_URL;
  if (!url) throw new Error('Set DATABASE_URL to the database to migrate.');
  return url;
}
