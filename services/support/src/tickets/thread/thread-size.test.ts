import { expect, test } from '@jest/globals';
import { openSupport } from '../../../test/fixture.ts';

const { serving, office: openOffice } = await openSupport();
const base = '/api/support-ticket';

test('returns a thread in parts of at most one megabyte', async () => {
  const office = await openOffice();
  const agent = office.member({ name: 'Ann Agent' });
  const opened = await agent.post(`${base}/ticket/store`, {
    subject: 'Help',
    description: 'Please.',
    requester: { name: 'Rita', email: 'rita@example.com' },
  });
  const { id } = opened.body.data;
  const { body: first } = await agent.post(`${base}/ticket/add-reply/${id}`, { body: 'First' });
  await serving.sql`UPDATE replies SET html = repeat('x', 1500000) WHERE id = ${first.data.id}`;
  for (let at = 0; at < 5; at += 1)
    await agent.post(`${base}/ticket/add-reply/${id}`, { body: `Reply ${at} ${'word '.repeat(9_000)}` });
  const parts: string[][] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { status, body } = await agent.get(`${base}/ticket/show/${id}${after && `?thread_after=${after}`}`);
    expect(status).toBe(200);
    parts.push(body.data.thread.map((reply: { body: string }) => reply.body.slice(0, 7)));
    after = body.data.thread_after;
  }
  expect(parts).toEqual([['First'], ['Reply 0', 'Reply 1', 'Reply 2', 'Reply 3'], ['Reply 4']]);
});
