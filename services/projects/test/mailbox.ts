/** SMTP server in the test process, and the messages that it received. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { clock } from '@suite/chassis/runtime';
import { openMailer } from '@suite/mail';
import { SMTPServer } from 'smtp-server';
import { deliverMail } from '../src/work/notifications/mail-delivery.ts';

type DeliveryTools = Parameters<typeof deliverMail>[0];

/** Received message: recipients and full source text. */
export interface ReceivedMessage {
  to: string;
  text: string;
}

/**
 * Opens an SMTP server for the tests of a file. `deliver` sends the due e-mails, like the schedule does, and returns
 * the received messages.
 */
export function mailbox(tools: unknown) {
  const arrived: ReceivedMessage[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        arrived.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text });
        done();
      });
    },
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const deliver = async (): Promise<ReceivedMessage[]> => {
    const smtp_url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const mailer = openMailer({ smtp_url, directory: '/nowhere', from: 'suite@localhost', now: clock.now });
    while ((await deliverMail({ ...(tools as DeliveryTools), mailer })) > 0);
    return arrived.splice(0);
  };
  return { deliver };
}
