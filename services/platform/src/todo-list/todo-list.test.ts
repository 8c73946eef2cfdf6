import { expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { openWorkspace } from '../../test/workspace.ts';
import { platform as contents } from '../platform.ts';

const platform = await start({ ...contents, schedules: [] });

test('a to-do list is each user’s own, and nobody else sees it', async () => {
  const acme = await openWorkspace(platform);
  const [staff, owner] = [await acme.as('staff'), await acme.as('owner')];
  await platform.sql`
    INSERT INTO integrations (id, workspace_id, name, user_id, status, secrets_sealed, settings)
    VALUES (gen_random_uuid(), ${acme.id}, 'todolist', ${acme.users.staff}, 'connected', 'sealed',
      '{"server_url": "https://dav.example", "username": "kim", "calendar_url": "/kim", "direction": "both"}')`;
  expect((await staff.get('/api/todolist')).body.data).toMatchObject({
    scope: 'user',
    status: 'connected',
    settings: { username: 'kim', direction: 'both' },
  });
  expect((await owner.get('/api/todolist')).body.data).toMatchObject({ status: 'not_configured', settings: null });
  expect((await owner.delete(`/api/user/delete/${acme.users.staff}`)).status).toBe(200);
  expect(await platform.sql`SELECT FROM integrations WHERE workspace_id = ${acme.id}`).toEqual([]);
});
