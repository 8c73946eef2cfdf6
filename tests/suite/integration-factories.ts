/** Integrations of a workspace, and the messages and posts that they carried. */
import { dataOf } from '@suite/testing/http';
import { startProviders } from '@suite/testing/suite/providers';
import { waitUntil } from '@suite/testing/waiting';
import type { FactoryContext } from './draft.ts';

const DAY_MS = 86_400_000;

/**
 * Connects the SMS gateway, the social account and the owner's to-do list. Sends a message, and schedules a post for a
 * distant day.
 */
export async function createIntegrations({ owner, stock, word }: Omit<FactoryContext, 'gateway'>): Promise<void> {
  const { sms, social, calendar, stop } = await startProviders();
  try {
    const post = (path: string, body: object) => dataOf(owner.post(path, body));
    const body_template = '{"to":"{{to}}","text":"{{text}}"}';
    await post('/api/smsgateway/connect', {
      url: sms,
      sender: word.slice(0, 11),
      body_template,
      test_to: '+491701234567',
    });
    await post('/api/socialpost/connect', { server_url: social });
    await post('/api/socialpost/connect', { server_url: social, access_token: 'token-of-an-application' });
    const list = { server_url: calendar, username: 'kim', password: word };
    const { last_sync_at } = await post('/api/todolist/connect', list);
    // The first run comes a moment later. The next one would come after the server and the tests have ended.
    await waitUntil('the to-do list is synchronized', async () => {
      const shown = await dataOf(owner.get('/api/todolist'));
      return shown.last_sync_at !== last_sync_at;
    });
    const scheduled_at = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const { id } = await post('/api/socialpost/post', { text: word, scheduled_at });
    stock.set('socialpost', [id]);
  } finally {
    stop();
  }
}
