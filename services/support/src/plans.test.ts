import { planConformance } from '@suite/testing';
import { openSupport } from '../test/fixture.ts';
import { support } from './support.ts';

const { serving, fakes, office } = await openSupport();
const { workspace, owner, hire, member } = await office();
const base = '/api/support-ticket';
const client = member({ kind: 'client', name: 'Cleo Example' });

const open = async (by = owner, more: object = {}): Promise<string> =>
  (await by.post(`${base}/ticket/store`, { subject: 'Help', description: 'Please.', ...more })).body.data.id;
const colleague_id = hire({ name: 'Robin Example' });
const requester = { name: 'Rita', email: 'rita@example.com' };
const ticket = await open(owner, { requester, assignee_id: colleague_id, tags: ['vip'] });
const own = await open(client);
for (const id of [ticket, own]) {
  await owner.post(`${base}/ticket/add-reply/${id}`, { body: 'Better?' });
  await owner.post(`${base}/ticket/note/store/${id}`, { body: 'A secret' });
}
await owner.post(`${base}/faqs/store`, { question: 'Where?', answer: 'Here.', active: true });
await owner.post(`${base}/knowledge/store`, { title: 'How to pay', body: 'By transfer.', status: 'published' });
await owner.post(`${base}/blocked-sender/store`, { sender: '@spam.test' });

const counted = 'counters with one row each';
const inNoList = 'no list reads it';

planConformance({
  contents: support,
  serving,
  fakes,
  workspace,
  people: { staff: [colleague_id], client: [client.caller.user_id] },
  few: ['users', 'categories', 'canned_replies', 'calendars', 'sla_policies'],
  shared: [],
  rare: [],
  empty: {
    reply_readers: inNoList,
    files: inNoList,
    ticket_links: inNoList,
    note_files: inNoList,
    mail_messages: 'a received e-mail is unique by its content, so no copies can be made',
    parked_mails: 'a mailbox has a few for thirty days',
    ticket_counts: counted,
    ticket_figures: counted,
    ticket_facts: 'reports read it, whose plans have a test of their own',
    article_counts: counted,
    article_views: inNoList,
    article_votes: inNoList,
    article_revisions: inNoList,
    settings: 'a workspace has one row',
    ticket_tags: counted,
    mailboxes: 'a workspace has a few',
    mailbox_verifications: 'a mailbox has a few a day',
  },
});
