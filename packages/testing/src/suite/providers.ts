/**
 * External servers for tests and examples of the whole suite: a text-message provider, a social server and a calendar
 * server. They accept any request.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Running fakes of external servers. */
export interface Providers {
  /** The address of the text message provider. */
  sms: string;
  /** The address of the social server. */
  social: string;
  /** The address of the calendar server. */
  calendar: string;
  /** Returns the body of the last submitted message, optionally for a given number. */
  lastMessage(to?: string): Record<string, string>;
  stop(): void;
}

let serial = 0;
const nextSerial = () => {
  serial += 1;
  return String(serial);
};

/** Responses of the social server, by the last segment of the path. */
const ANSWERS: Readonly<Record<string, () => object>> = {
  instance: () => ({ configuration: { statuses: { max_characters: 500 } } }),
  apps: () => ({ client_id: 'client', client_secret: `secret-${nextSerial()}` }),
  token: () => ({ access_token: `token-${nextSerial()}` }),
  verify_credentials: () => ({ acct: 'northwind', url: 'https://social.example/@northwind' }),
  statuses: () => ({ id: nextSerial(), url: 'https://social.example/@northwind/1' }),
};

/** Response of the calendar server to any request: it has one empty calendar. */
const CALENDAR = `<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><response><href>/tasks/</href><propstat><prop>
  <current-user-principal><href>/tasks/</href></current-user-principal>
  <C:calendar-home-set><href>/tasks/</href></C:calendar-home-set>
  <resourcetype><collection/><C:calendar/></resourcetype><displayname>Tasks</displayname>
  </prop><status>HTTP/1.1 200 OK</status></propstat></response></multistatus>`;
const OF_CALENDARS: Readonly<Record<string, number>> = { PROPFIND: 207, REPORT: 207, PUT: 201 };

/** Starts the fakes of external servers. */
export async function startProviders(): Promise<Providers> {
  const messages: Record<string, string>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = String(request.url).split('?')[0]!;
      const status = OF_CALENDARS[String(request.method)];
      if (status) {
        response.writeHead(status, { 'content-type': 'application/xml', etag: '"1"' }).end(CALENDAR);
        return;
      }
      const isMessage = path === '/sms' && request.method === 'POST';
      if (isMessage) messages.push(JSON.parse(Buffer.concat(chunks).toString()));
      const answer = isMessage ? { id: nextSerial() } : (ANSWERS[path.split('/').at(-1)!]?.() ?? {});
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const social = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const lastMessage = (to?: string) => messages.findLast((message) => to === undefined || message['to'] === to) ?? {};
  return { sms: `${social}/sms`, social, calendar: social, lastMessage, stop };
}
