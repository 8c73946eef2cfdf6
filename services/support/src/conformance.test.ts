import { conformance, seclusion } from '@suite/testing';
import { openSupport } from '../test/fixture.ts';
import { support } from './support.ts';

const { serving, office } = await openSupport();

const base = '/api/support-ticket';

/** Creates a workspace with a ticket that has a reply, a note and files. */
async function createOneOfEach(): Promise<string> {
  const { workspace, owner } = await office();
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
  await serving.stranger.send('POST', `${base}/inbound`, 'Subject: from nobody\r\n\r\n', headers);
  await serving.stranger.send('POST', `${base}/inbound`, 'From: rita@example.com\r\n\r\nIt squeals.', headers);
  await owner.post(`${base}/blocked-sender/store`, { sender: '@spam.test' });
  return workspace;
}

const [ours, theirs] = [await createOneOfEach(), await createOneOfEach()];

conformance({
  contents: support,
  serving,
  insider: { workspace: ours },
  foreign_workspace: theirs,
  named: { ticket_id: 'tickets' },
  declared: {
    'tickets.create': { status: 'agents choose the state in which it begins' },
    'tickets.update': { status: 'an action, which the table of states checks' },
    'ticketSteps.bulk': { status: 'an action, which the table of states checks' },
    'ticketReplies.create': { status: 'the state in which the reply leaves the ticket' },
    'articles.create': { status: 'an article may be published immediately' },
    'articles.update': { status: 'the specification names no other way to publish an article' },
    'ticketLinks.reply': { status: 'the requester says that it is solved' },
  },
});

seclusion({
  contents: support,
  serving,
  workspace: ours,
  open: { categories: 'all users sort by categories', users: 'names of colleagues' },
});
