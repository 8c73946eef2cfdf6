import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from '@jest/globals';
import type { FakeService } from './fake-services.ts';
import { type HttpResponse, sendRequest } from './http-client.ts';
import type { SignedInUser } from './signed-in-user.ts';

/** Outcome of a call, as received. */
interface Outcome {
  id: string;
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Sends batches to a gateway. */
export interface BatchClient {
  send(body: unknown, headers?: Record<string, string>): Promise<HttpResponse>;
  /** Sends a batch that is accepted. @returns its outcomes */
  outcomesOf(body: unknown, headers?: Record<string, string>): Promise<Outcome[]>;
}

/** Returns the client of a user. */
export function batchClient(base: string, { authorization }: SignedInUser): BatchClient {
  const send: BatchClient['send'] = (body, headers = {}) => {
    const own = { authorization, 'content-type': 'application/json', ...headers };
    return sendRequest(base, '/api/batch', { method: 'POST', headers: own, body: JSON.stringify(body) });
  };
  return {
    send,
    async outcomesOf(body, headers) {
      const answer = await send(body, headers);
      expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ data: expect.any(Array) })]);
      return answer.body.data;
    },
  };
}

/** Response of a fake service. */
type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Makes a service respond to each request with the next of these responses. @returns the received requests */
export function respondInOrder(service: FakeService, ...responses: Respond[]): string[] {
  const urls: string[] = [];
  service.respond = (request, response) => {
    const next = responses[urls.length];
    urls.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => next?.(request, response));
  };
  return urls;
}

/** Returns a JSON response. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

export const statuses = (outcomes: Outcome[]): number[] => outcomes.map(({ status }) => status);
export const codes = (outcomes: Outcome[]): unknown[] => outcomes.map(({ body }) => body['code']);
