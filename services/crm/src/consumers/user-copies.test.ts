import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { openCrm } from '../../test/fixture.ts';

const { serving } = await openCrm();
const { announce, say, heard } = await eventPublisher(serving);
let workspace: string;
let user_id: string;
beforeEach(() => {
  workspace = randomUUID();
  user_id = randomUUID();
});

const userEvent = (change: object = {}) => ({
  user_id,
  name: 'Ada',
  email: 'ada@example.com',
  kind: 'staff',
  status: 'invited',
  phone: '+49 30 1234',
  ...change,
});
const readCopies = () =>
  serving.sql`SELECT name, email, phone, kind, status FROM users WHERE id = ${user_id} AND workspace_id = ${workspace}`;
const status = async () => (await readCopies())[0]?.['status'];

describe('the copy of a user', () => {
  test('is created once from three deliveries of the same event', async () => {
    const created = await announce(workspace, 'platform.user.created', userEvent({ phone: '' }), { times: 3 });
    await heard(created);
    expect(await readCopies()).toEqual([
      { name: 'Ada', email: 'ada@example.com', phone: null, kind: 'staff', status: 'invited' },
    ]);
    expect(await serving.sql`SELECT FROM inbox WHERE event_id = ${created}`).toHaveLength(1);
  });

  test('is updated when the user changes', async () => {
    await say(workspace, 'platform.user.created', userEvent());
    await say(workspace, 'platform.user.updated', userEvent({ name: 'Ada L.', email: '', kind: 'owner' }), {
      position: 2,
    });
    expect(await readCopies()).toEqual([
      { name: 'Ada L.', email: null, phone: '+49 30 1234', kind: 'owner', status: 'invited' },
    ]);
    await say(workspace, 'platform.user.verified', { user_id }, { position: 3 });
    expect(await status()).toBe('active');
    await say(workspace, 'platform.user.disabled', { user_id }, { position: 4 });
    expect(await status()).toBe('disabled');
    await say(workspace, 'platform.user.enabled', { user_id }, { position: 5 });
    expect(await status()).toBe('active');
  });

  test('stores the time of each change, so that user lists can be filtered by time', async () => {
    await say(workspace, 'platform.user.created', userEvent());
    const moments: string[] = [];
    const changed = async () => {
      const [copy] = await serving.sql`SELECT updated_at::text FROM users WHERE id = ${user_id}`;
      expect(moments).not.toContain(copy?.['updated_at']);
      moments.push(String(copy?.['updated_at']));
    };
    await changed();
    const steps = [
      ['updated', userEvent({ name: 'Ada L.' })],
      ['verified', { user_id }],
      ['disabled', { user_id }],
      ['deleted', { user_id }],
    ] as const;
    for (const [index, [step, event]] of steps.entries()) {
      await say(workspace, `platform.user.${step}`, event, { position: index + 2 });
      await changed();
    }
    expect(moments).toEqual(moments.toSorted((one, other) => one.localeCompare(other)));
  });

  test('is the same when events arrive in the wrong order', async () => {
    await say(workspace, 'platform.user.enabled', { user_id }, { position: 5 });
    await say(workspace, 'platform.user.updated', userEvent({ name: 'Ada L.', status: 'active' }), { position: 3 });
    await say(workspace, 'platform.user.disabled', { user_id }, { position: 4 });
    await say(workspace, 'platform.user.verified', { user_id }, { position: 2 });
    await say(workspace, 'platform.user.created', userEvent(), { position: 1 });
    expect(await readCopies()).toEqual([
      { name: 'Ada L.', email: 'ada@example.com', phone: '+49 30 1234', kind: 'staff', status: 'active' },
    ]);
    await say(workspace, 'platform.user.updated', userEvent({ name: 'Ada K.', status: 'disabled' }), { position: 6 });
    expect(await readCopies()).toMatchObject([{ name: 'Ada K.', status: 'disabled' }]);
  });

  test('contains no personal data after deletion, even if later events arrive', async () => {
    await say(workspace, 'platform.user.created', userEvent());
    await say(workspace, 'platform.user.deleted', { user_id }, { position: 4 });
    await say(workspace, 'platform.user.updated', userEvent(), { position: 2 });
    await say(workspace, 'platform.user.enabled', { user_id }, { position: 3 });
    expect(await readCopies()).toEqual([
      { name: 'Former user', email: null, phone: null, kind: 'staff', status: 'former' },
    ]);
  });

  test('stays empty for a user who was deleted before their first event', async () => {
    await say(workspace, 'platform.user.deleted', { user_id }, { position: 2 });
    await say(workspace, 'platform.user.created', userEvent());
    expect(await readCopies()).toEqual([
      { name: 'Former user', email: null, phone: null, kind: 'staff', status: 'former' },
    ]);
  });
});
