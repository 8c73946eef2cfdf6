import { expect } from '@jest/globals';
import type { Serving } from '@suite/harness';
import { audit } from '../src/audit/audit.ts';

/** The auditor finds nothing wrong in the books of any workspace. */
export async function expectCleanBooks({ database }: Serving): Promise<void> {
  const connection = await database.pool.connect();
  try {
    expect(await audit(connection)).toEqual([]);
  } finally {
    connection.release();
  }
}
