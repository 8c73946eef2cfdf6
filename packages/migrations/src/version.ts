import type pg from 'pg';

/** The oldest supported major version. Indexes use a form of `date_trunc` that is immutable from this version on. */
const OLDEST = 16;

/** Returns one sentence about a server that is too old, or null. @param version `server_version_num`: 150004 for 15.4 */
export const versionProblem = (version: number): string | null =>
  version >= OLDEST * 10_000
    ? null
    : `The suite needs PostgreSQL ${OLDEST} or later, and this server has ${Math.floor(version / 10_000)}: upgrade the server.`;

/** Returns one sentence about a connected server that is too old, or null. */
export async function serverProblem(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return versionProblem(rows[0]?.version ?? 0);
}
