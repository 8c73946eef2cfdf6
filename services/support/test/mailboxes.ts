/** Test mailboxes, and the e-mails that they receive. */
import { randomUUID } from 'node:crypto';
import type { ServiceUnderTest } from '@suite/testing';
import type { Office } from './fixture.ts';

/** Changes to the test e-mail: from Ada, "The printer", "It is on fire." */
export interface TestMail {
  from?: string;
  to?: string;
  subject?: string;
  id?: string;
  more?: string[];
  body?: string;
}

/** Creates a mailbox in a workspace. */
export async function openMailbox(serving: ServiceUnderTest, office: Office) {
  const address = `help-${randomUUID()}@suite.test`;
  const owner = office.member({ can: ['workspace.update'] });
  const input = { address, name: 'Help', from_name: 'Help', authentication_server: 'mx.suite.test' };
  const { token } = (await owner.post('/api/support-ticket/mailbox/store', input)).body.data;
  /** Returns the source of an e-mail to the mailbox, by default from Ada about her printer. */
  const raw = ({
    from = 'Ada <ada@example.com>',
    to = address,
    subject = 'The printer',
    id = `<${randomUUID()}@x>`,
    more = [],
    body = 'It is on fire.',
  }: TestMail = {}): string =>
    [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, `Message-ID: ${id}`, ...more, '', body].join('\r\n');
  /** Submits an e-mail as the receiving server does. */
  const submit = (message: string | Uint8Array, bearer: string = token) =>
    serving.anonymous.send('POST', '/api/support-ticket/inbound', message, {
      'content-type': 'message/rfc822',
      ...(bearer && { 'x-bearer': bearer }),
    });
  const arrive = (mail: TestMail = {}) => submit(raw(mail));
  /** Returns a ticket as agents see it. */
  const show = async (id: string) => (await office.owner.get(`/api/support-ticket/ticket/show/${id}`)).body.data;
  return { address, token: token as string, raw, hand: submit, arrive, show };
}
export type TestMailbox = Awaited<ReturnType<typeof openMailbox>>;
