import { describe, expect, test } from '@jest/globals';
import { openSupport } from '../../../test/fixture.ts';

const { office: openOffice } = await openSupport();
const agent = (await openOffice()).member({ name: 'Ann Agent' });
const base = '/api/support-ticket';
const requester = { name: 'Rita Requester', email: 'rita@example.com' };

describe('a ticket sent as a form', () => {
  test.each([
    ['JSON text', { requester: JSON.stringify(requester) }],
    ['brackets', { 'requester[name]': requester.name, 'requester[email]': requester.email }],
  ])('accepts the requester as %s, a list with one tag, and a boolean', async (_, sent) => {
    const form = new FormData();
    const fields = { subject: 'By phone', description: 'See there.', tags: 'vip', silent: 'true', ...sent };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.append('files', new Blob(['plain text'], { type: 'text/plain' }), 'note.txt');
    expect(await agent.upload(`${base}/ticket/store`, form)).toMatchObject({
      status: 201,
      body: { data: { requester, tags: ['vip'], attachments: [{ name: 'note.txt' }] } },
    });
  });

  test('names a field that is not valid JSON', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ subject: 'By phone', description: 'See there.', requester: '{' }))
      form.set(name, value);
    const { status, body } = await agent.upload(`${base}/ticket/store`, form);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['requester']]);
  });
});
