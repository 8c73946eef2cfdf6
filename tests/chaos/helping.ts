/** The work of a support desk: tickets that agents open, and tickets that arrive as e-mail. */
import { dataOf, type HttpCaller } from '@suite/testing/http';
import { bearer } from '@suite/testing/suite/http-caller';
import type { Task } from '@suite/tools/load/load-worker';

const base = '/api/support-ticket';
const DEADLINE_MS = 10_000;

/** A mailbox, and the receiving server that submits its e-mails. */
export interface Desk {
  address: string;
  server: HttpCaller;
}

/** Opens a mailbox. */
export async function openSupportDesk(gateway: string, person: HttpCaller): Promise<Desk> {
  const address = 'help@northwind.test';
  const { token } = await dataOf(person.post(`${base}/mailbox/store`, { address, name: 'Help', from_name: 'Help' }));
  return { address, server: bearer(gateway, token, DEADLINE_MS) };
}

/** Opens a ticket for a requester, adds a note, replies, merges another ticket and resolves it. */
export const resolveTicket: Task = async ({ marker, step }) => {
  const requester = { name: 'Rita', email: `${marker}@example.test` };
  const open = (kind: string, subject: string) =>
    step(kind, `${base}/ticket/store`, { subject, description: 'Please.', requester });
  const { id } = await open('ticket', marker);
  await step('remark', `${base}/ticket/note/store/${id}`, { body: marker });
  await step('answer', `${base}/ticket/add-reply/${id}`, { body: marker, status: 'pending' });
  const { id: again } = await open('second ticket', `${marker} again`);
  await step('merge', `${base}/ticket/merge/${again}`, { into: id });
  await step('resolution', `${base}/ticket/update/${id}`, { status: 'resolved' });
};

/**
 * Submits an e-mail that becomes a ticket, and one that answers the ticket. A repeated e-mail returns the first
 * outcome.
 */
export const receiveEmails =
  ({ address, server }: Desk): Task =>
  async ({ marker, send }) => {
    const mail = (kind: string, id: string, more: string) => {
      const head = `From: Ada <${marker}@example.test>\r\nTo: ${address}\r\nMessage-ID: <${id}@example.test>\r\n${more}`;
      const text = `${head}\r\n\r\n${marker}\r\n`;
      const type = { 'content-type': 'message/rfc822' };
      return send(kind, {
        send: (headers) => server.send('POST', `${base}/inbound`, text, { ...headers, ...type }),
        gist: ({ data }) => [data.ticket_id, data.reply_id],
      });
    };
    await mail('mail', marker, `Subject: ${marker}`);
    await mail('mailed answer', `answer-${marker}`, `Subject: Re: ${marker}\r\nIn-Reply-To: <${marker}@example.test>`);
  };
