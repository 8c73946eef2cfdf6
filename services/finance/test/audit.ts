import { expect } from '@jest/globals';
import { audit } from '@suite/auditor';
import type { ServiceUnderTest } from '@suite/testing';
import { checks } from '../src/reports/audit/audit.ts';

/** Checks that the auditor finds no violation in any workspace. */
export const expectCleanBooks = async ({ database_url }: ServiceUnderTest): Promise<void> =>
  expect(await audit(database_url, checks)).toEqual([]);
