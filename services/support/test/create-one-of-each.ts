/** Factory for a workspace with a record in every table that a path of support can reference. */
import type { ServiceUnderTest } from '@suite/testing';
import type { Office } from './fixture.ts';

const base = '/api/support-ticket';

/**
 * Creates a ticket of Rita with a tag, a reply and a note. Also creates an FAQ, an article, a mailbox with a failed
 * e-mail and a ticket by e-mail, and a blocked sender. Returns the workspace.
 */
export async function createOneOfEach(serving: ServiceUnderTest, { workspace, owner }: Office): Promise<string> {
  const requester = { name: 'Rita', email: 'rita@example.com' };
  const form = {
    subject: 'Help',
    description: 'Please.',
    tags: ['vip'],
    requester,
    assignee_id: owner.caller.user_id,
  };
  const { id } = (await owner.post(`${base}/ticket/store`, form)).body.data;
  await owner.post(`${base}/ticket/add-reply/${id}`, { body: 'Better?' });
  await owner.post(`${base}/ticket/note/store/${id}`, { body: 'A secret' });
  await owner.post(`${base}/faqs/store`, { question: 'Where?', answer: 'Here.', active: false });
  await owner.post(`${base}/knowledge/store`, { title: 'How to pay', body: 'By transfer.' });
  const mailbox = await owner.post(`${base}/mailbox/store`, {
    address: `${workspace}@suite.test`,
    name: 'Help',
    from_name: 'Help',
  });
  const headers = { 'content-type': 'message/rfc822', 'x-bearer': mailbox.body.data.token };
  await serving.anonymous.send('POST', `${base}/inbound`, 'Subject: from nobody\r\n\r\n', headers);
  await serving.anonymous.send('POST', `${base}/inbound`, 'From: rita@example.com\r\n\r\nIt squeals.', headers);
  await owner.post(`${base}/blocked-sender/store`, { sender: '@spam.test' });
  return workspace;
}
