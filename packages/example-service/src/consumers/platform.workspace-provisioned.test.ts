import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventPublisher, start } from '@suite/testing';
import { notebook } from '../notebook.ts';

const serving = await start(notebook);
const { say } = await eventPublisher(serving);

test('a new workspace gets one note for any number of deliveries of its event', async () => {
  const kim = serving.member({ can: ['note.view'] });
  const { workspace_id } = kim.caller;
  const provisioned = {
    workspace_id,
    name: 'Initech',
    timezone: 'Europe/Paris',
    currency: 'EUR',
    fiscal_year_start: '01-01',
    owner_id: randomUUID(),
  };
  await say(workspace_id, 'platform.workspace.provisioned', provisioned, { times: 3 });
  await say(workspace_id, 'platform.workspace.provisioned', provisioned, { position: 2 });
  expect((await kim.get('/api/notes')).body.data).toMatchObject([{ title: 'Welcome to Initech', created_by: null }]);
});
