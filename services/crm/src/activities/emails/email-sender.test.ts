import { afterEach, describe, expect, test } from '@jest/globals';
import { openCrm } from '../../../test/fixture.ts';
import { deliverMail } from './mail-delivery.ts';

interface SentEmail {
  from: string;
  to: string;
  text: string;
  html: string;
  reply_to: string;
}

const { serving, platform, shop } = await openCrm();
afterEach(() => {
  platform.emails.terms = {};
});

const tools = serving.tools as unknown as Parameters<typeof deliverMail>[0];
async function deliverEmails(): Promise<SentEmail[]> {
  const sent: SentEmail[] = [];
  await deliverMail({ ...tools, mailer: { send: async (mail) => void sent.push(mail as SentEmail) } });
  return sent;
}
const message = { to: ['ada@example.com', 'bob@example.com'], cc: ['eve@example.com'], subject: 'Offer' };

async function lead() {
  const { owner, workspace } = await shop();
  const { id } = (await owner.post('/api/lead/create', { name: 'Ada' })).body.data;
  const send = (body: string) => owner.post(`/api/lead-email/store/${id}`, { ...message, body });
  return { send, workspace, owner };
}

describe('the sender of an e-mail', () => {
  test('names the workspace and the author, who receives the replies', async () => {
    const { send, workspace, owner } = await lead();
    const { email } = [...platform.residents.values()].find(({ user_id }) => user_id === owner.caller.user_id)!;
    await serving.sql`UPDATE users SET email = ${email} WHERE id = ${owner.caller.user_id}`;
    await send('Dear Ada,\n\nsee https://example.com/a?b=1&c=2.');
    const [sent] = await deliverEmails();
    expect(sent).toMatchObject({ from: '"Northwind via Suite" <suite@example.com>', reply_to: email });
    expect(sent!.text).toMatch(
      /\n\nNorthwind sent this e-mail with Suite\. You receive it because Kim Example of Northwind wrote to you\.\n$/,
    );
    expect(sent!.html).toContain(
      'see <a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>.',
    );
    expect(platform.emails.recipients.get(workspace)).toBe(3);
  });

  test('rejects an e-mail over the allowance with a wait time, without queueing it', async () => {
    const { send, workspace } = await lead();
    platform.emails.terms = { retry_after_s: 120 };
    const reply = await send('Hello');
    expect(reply).toMatchObject({ status: 429, body: { code: 'email_allowance' } });
    expect(reply.headers.get('retry-after')).toBe('120');
    expect(await serving.sql`SELECT id FROM emails WHERE workspace_id = ${workspace}`).toEqual([]);
  });
});
