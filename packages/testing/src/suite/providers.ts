/** Servers of others, for tests and examples of the whole suite: a provider of text messages, and a social server. They take whatever they are given. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Running servers of others. */
export interface Providers {
  /** The address of the provider of text messages. */
  sms: string;
  /** The address of the social server. */
  social: string;
  /** The body of the last message that was handed over. */
  lastMessage(): Record<string, string>;
  stop(): void;
}

let made = 0;
const next = () => {
  made += 1;
  return String(made);
};

/** The answers of the social server, by the last word of the path. */
const ANSWERS: Readonly<Record<string, () => object>> = {
  instance: () => ({ configuration: { statuses: { max_characters: 500 } } }),
  apps: () => ({ client_id: 'client', client_secret: `secret-${next()}` }),
  token: () => ({ access_token: `token-${next()}` }),
  verify_credentials: () => ({ acct: 'northwind', url: 'https://social.example/@northwind' }),
  statuses: () => ({ id: next(), url: 'https://social.example/@northwind/1' }),
};

/** Starts the servers of others. */
export async function startProviders(): Promise<Providers> {
  let last: Record<string, string> = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = String(request.url).split('?')[0]!;
      const isMessage = path === '/sms' && request.method === 'POST';
      if (isMessage) last = JSON.parse(Buffer.concat(chunks).toString());
      const answer = isMessage ? { id: next() } : (ANSWERS[path.split('/').at(-1)!]?.() ?? {});
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const social = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { sms: `${social}/sms`, social, lastMessage: () => last, stop };
}
