import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { openCrm } from '../../../test/fixture.ts';
import { upsertUserCopies } from '@suite/user-copies';

const { serving, shop: openShop } = await openCrm();

describe('the copy of a user', () => {
  test('is created once by concurrent first uses, which all succeed', async () => {
    const { workspace: workspace_id, owner } = await openShop();
    const context = { workspace_id, caller: owner.caller, operation: 'test', request_id: randomUUID() };
    for (let round = 0; round < 100; round += 1) {
      const user_id = randomUUID();
      const person = { user_id, name: 'Ada', email: '', phone: '', kind: 'client', status: 'active' };
      await runConcurrently(8, () => serving.database.write(context, (db) => upsertUserCopies(db as never, [person])));
      expect(await serving.sql`SELECT FROM users WHERE id = ${user_id}`).toHaveLength(1);
    }
  });
});
