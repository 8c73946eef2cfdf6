import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Office, openSupport } from '../../../test/fixture.ts';
import { openMailbox, type TestMailbox } from '../../../test/mailboxes.ts';

const { serving, office: openOffice } = await openSupport();
let office: Office;
let box: TestMailbox;
beforeEach(async () => {
  office = await openOffice();
  box = await openMailbox(serving, office);
});

describe('an e-mail reply from an agent', () => {
  let ticket_id: string;
  let first: string;
  beforeEach(async () => {
    first = `<${randomUUID()}@x>`;
    ticket_id = (await box.arrive({ id: first })).body.data.ticket_id;
  });

  const proof = [
    'Authentication-Results: mx.suite.test; dmarc=pass header.from=suite.test',
    'Received: from x by mx.suite.test with ESMTP',
  ];
  const email = () => `grace-${randomUUID()}@suite.test`;
  /** Creates a colleague with a known address, because they have opened a ticket themselves. */
  async function colleague(from: string, kind: 'staff' | 'client' = 'staff') {
    const user_id = office.hire({ kind, name: 'Grace', email: from });
    const grace = office.member({ kind, user_id, name: 'Grace' });
    const own = await grace.post('/api/support-ticket/ticket/store', { subject: 'Mine', description: 'Please.' });
    return { user_id, own: own.body.data };
  }
  const answer = (from: string, more: string[], subject = 'Re: [T-000001] The printer') =>
    box.arrive({ from: `Grace <${from}>`, subject, more: [...more, `In-Reply-To: ${first}`], body: 'Pull the plug.' });

  test('is an agent reply if authenticated, and is e-mailed to the requester', async () => {
    const from = email();
    const { user_id } = await colleague(from);
    const { body } = await answer(from, proof);
    expect(body.data).toMatchObject({ outcome: 'replied', ticket_id });
    const ticket = await box.show(ticket_id);
    expect(ticket).toMatchObject({ status: 'open', last_agent_reply_at: expect.any(String) });
    expect(ticket.sla.first_responded_at).not.toBeNull();
    expect(ticket.thread).toMatchObject([
      { author: { kind: 'agent', name: 'Grace' }, delivery: 'queued', authenticated: true, unverified: false },
    ]);
    const mails = await serving.sql`SELECT "to" FROM mails WHERE reply_id = ${body.data.reply_id}`;
    expect(mails).toEqual([{ to: 'ada@example.com' }]);
    const [reply] = await serving.sql`SELECT author_id FROM replies WHERE id = ${body.data.reply_id}`;
    expect(reply).toEqual({ author_id: user_id });
  });

  test('is not an agent reply if it is unauthenticated, or from a client', async () => {
    const [from, client] = [email(), email()];
    await colleague(from);
    await colleague(client, 'client');
    const forged = 'Authentication-Results: mx.evil.test; dmarc=pass header.from=suite.test';
    for (const [sender, more] of [
      [from, []],
      [from, [proof[1]!, forged]],
      [from, ['Authentication-Results: mx.suite.test; dmarc=fail header.from=suite.test', proof[1]!]],
      [client, proof],
    ] as const)
      expect((await answer(sender, [...more])).body.data).toMatchObject({ outcome: 'replied', ticket_id });
    const { thread, status } = await box.show(ticket_id);
    expect(status).toBe('new');
    expect(
      thread.map(({ author, unverified, authenticated }: Record<string, object>) => [
        author,
        unverified,
        authenticated,
      ]),
    ).toEqual([null, null, false, true].map((verdict) => [{ kind: 'customer', name: 'Grace' }, true, verdict]));
  });

  test('is a requester reply on their own ticket', async () => {
    const from = email();
    const { own } = await colleague(from);
    await answer(from, proof, `Re: [${own.number}] Mine`);
    await box.arrive({ from, subject: `[${own.number}] Mine`, more: proof, body: 'Me again.' });
    expect((await box.show(own.id)).thread).toMatchObject([{ author: { kind: 'customer' }, body: 'Me again.' }]);
  });

  test('awaits a decision on a closed ticket, and goes to the target of a merged one', async () => {
    const from = email();
    await colleague(from);
    const agent = office.member({});
    const into = (await box.arrive({ subject: 'The same' })).body.data.ticket_id;
    await agent.post(`/api/support-ticket/ticket/merge/${ticket_id}`, { into });
    expect((await answer(from, proof)).body.data).toMatchObject({ outcome: 'replied', ticket_id: into });
    for (const status of ['resolved', 'closed'])
      await agent.post(`/api/support-ticket/ticket/update/${into}`, { status });
    const response = await answer(from, proof);
    expect(response).toMatchObject({ status: 409, body: { code: 'ticket_closed' } });
    const [failedEmail] = (await agent.get('/api/support-ticket/parked-mails')).body.data;
    expect(failedEmail).toMatchObject({ id: response.body.details.parked_id, reason: 'ticket_closed' });
  });
});
