/**
 * Tests of unavailable, slow or failing services: the client gets a JSON error in time, and other services are not
 * affected.
 */
import { request as send, type ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SentRequest } from '@suite/testing/http';
import { type HttpResponse, sendRequest } from '../../test/http-client.ts';
import type { SignedInUser } from '../../test/signed-in-user.ts';
import { gatewayFixture } from '../../test/gateway-fixture.ts';
import { fakeService } from '../../test/fake-services.ts';

const deadlines = { read_ms: 600, write_ms: 900, print_ms: 1_300, transfer_ms: 2_000, batch_ms: 600_000 };
/** Tolerance for late responses on a busy machine. */
const SLACK_MS = 1_000;
const { gateway, startAnother, crm, signIn } = await gatewayFixture({ deadlines });
let kim: SignedInUser;
beforeAll(() => {
  kim = signIn();
});
afterEach(() => {
  delete crm.respond;
});

function sendThrough(method: string, path: string, more: SentRequest = {}, base = gateway.url): Promise<HttpResponse> {
  const headers = { authorization: kim.authorization, 'content-type': 'application/json', ...more.headers };
  return sendRequest(base, path, { ...more, method, headers });
}

const read = (base?: string) => sendThrough('GET', '/api/leads', {}, base);
const write = (more: SentRequest = {}) => sendThrough('POST', '/api/lead/create', { body: '{"name":"Ada"}', ...more });
const callOtherService = () => sendThrough('GET', '/api/user');
const isFault = (answer: HttpResponse, status: number, code: string) => {
  expect(answer).toMatchObject({ status, body: { code, request_id: answer.headers['x-request-id'] } });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['ratelimit']).toMatch(/"token"; r=\d+; t=\d+, "workspace"; r=\d+; t=\d+/);
};

describe('an unavailable service', () => {
  test('responds with 503 and Retry-After, affects no others, and recovers', async () => {
    const crm2 = await fakeService('crm');
    const { url } = await startAnother({ UPSTREAM_CRM: crm2.url });
    expect((await read(url)).status).toBe(200);
    await crm2.stop();
    const answer = await read(url);
    isFault(answer, 503, 'unavailable');
    expect(answer.headers['retry-after']).toBe('1');
    expect((await sendThrough('GET', '/api/user', {}, url)).status).toBe(200);
    const again = await fakeService('crm', crm2.port);
    expect((await read(url)).status).toBe(200);
    await again.stop();
  });
});

describe('a service that aborts the connection', () => {
  test('results in 502 if its response has not begun', async () => {
    crm.respond = (request) => request.socket.destroy();
    isFault(await write(), 502, 'bad_gateway');
    expect((await callOtherService()).status).toBe(200);
  });

  test("aborts the client's response if its own has begun", async () => {
    crm.respond = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    };
    await expect(read()).rejects.toThrow('aborted');
    expect((await callOtherService()).status).toBe(200);
  });

  test('results in 502 if it sends bytes that are not HTTP', async () => {
    crm.respond = (request) => request.socket.end('nonsense\r\n\r\n');
    const answer = await write();
    isFault(answer, 502, 'bad_gateway');
    expect((await callOtherService()).status).toBe(200);
  });

  test('gets one retry of a read on a keep-alive connection', async () => {
    const crm2 = await fakeService('crm');
    const { url } = await startAnother({ UPSTREAM_CRM: crm2.url });
    const sockets = new Set<unknown>();
    let asked = 0;
    crm2.respond = (request, response) => {
      asked += 1;
      // Simulates a service that closes an idle connection at the time of its reuse.
      if (sockets.has(request.socket)) return void request.socket.resetAndDestroy();
      sockets.add(request.socket);
      response.end(`${request.method} ${request.url}`);
    };
    expect(await read(url)).toMatchObject({ status: 200 });
    expect(await read(url)).toMatchObject({ status: 200, text: 'GET /api/leads' });
    expect(asked).toBe(3);
    isFault(await sendThrough('POST', '/api/lead/create', { body: '{}' }, url), 502, 'bad_gateway');
    expect(asked).toBe(4);
    await crm2.stop();
  });

  test('results in 502 on a second keep-alive connection', async () => {
    const crm2 = await fakeService('crm');
    const { url } = await startAnother({ UPSTREAM_CRM: crm2.url });
    const held: ServerResponse[] = [];
    crm2.respond = (_request, response) => {
      held.push(response);
      if (held.length === 2) for (const one of held) one.end('{}');
    };
    expect(await Promise.all([read(url), read(url)])).toMatchObject([{ status: 200 }, { status: 200 }]);
    let asked = 0;
    crm2.respond = (request) => {
      asked += 1;
      request.socket.resetAndDestroy();
    };
    isFault(await read(url), 502, 'bad_gateway');
    expect(asked).toBe(2);
    await crm2.stop();
  });

  test('gets no retry on a new connection, because it may have run the request', async () => {
    const crm2 = await fakeService('crm');
    const { url } = await startAnother({ UPSTREAM_CRM: crm2.url });
    let asked = 0;
    crm2.respond = (request) => {
      asked += 1;
      request.socket.resetAndDestroy();
    };
    isFault(await read(url), 502, 'bad_gateway');
    expect(asked).toBe(1);
    await crm2.stop();
  });
});

describe('a slow service', () => {
  const timed = async (asking: Promise<HttpResponse>) => {
    const start = performance.now();
    return { answer: await asking, took_ms: performance.now() - start };
  };

  test('returns 504 after the read deadline, without delaying other services', async () => {
    const gone = new Promise<void>((resolve) => {
      crm.respond = (request) => request.socket.once('close', () => resolve());
    });
    const [{ answer, took_ms }, beside] = await Promise.all([timed(read()), timed(callOtherService())]);
    isFault(answer, 504, 'gateway_timeout');
    expect(took_ms).toBeGreaterThanOrEqual(deadlines.read_ms - 5);
    expect(took_ms).toBeLessThan(deadlines.read_ms + SLACK_MS);
    expect(beside).toMatchObject({ answer: { status: 200 } });
    expect(beside.took_ms).toBeLessThan(deadlines.read_ms);
    await gone;
  });

  test('has longer deadlines for writes, charts and PDFs, and the longest for uploads', async () => {
    crm.respond = () => undefined;
    const writing = timed(write());
    const drawing = timed(sendThrough('GET', '/api/leads', { headers: { accept: 'image/svg+xml' } }));
    const printing = timed(sendThrough('GET', '/api/leads', { headers: { accept: 'application/pdf, */*;q=0.1' } }));
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const uploading = timed(sendThrough('POST', '/api/lead-file/store/1', { headers, body: '--x--' }));
    for (const [{ answer, took_ms }, ms] of [
      [await writing, deadlines.write_ms],
      [await drawing, deadlines.write_ms],
      [await printing, deadlines.print_ms],
      [await uploading, deadlines.transfer_ms],
    ] as const) {
      isFault(answer, 504, 'gateway_timeout');
      expect(took_ms).toBeGreaterThanOrEqual(ms - 5);
      expect(took_ms).toBeLessThan(ms + SLACK_MS);
    }
  });

  test('is cut off at the deadline during its response', async () => {
    crm.respond = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const start = performance.now();
    await expect(read()).rejects.toThrow('aborted');
    expect(performance.now() - start).toBeLessThan(deadlines.read_ms + SLACK_MS);
  });

  test('may take longer to send a file', async () => {
    crm.respond = (_request, response) => {
      response.writeHead(200, { 'content-disposition': 'attachment; filename=a.csv' }).write('one');
      setTimeout(() => response.end('two'), deadlines.read_ms + 200);
    };
    expect(await read()).toMatchObject({ status: 200, text: 'onetwo' });
  });

  test('is not charged for a client that sends its body slowly', async () => {
    const { port } = new URL(gateway.url);
    const headers = { authorization: kim.authorization, 'content-length': '10' };
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const slow = send({ port, method: 'POST', path: '/api/lead/create', headers, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      slow.on('error', reject);
      slow.write('{');
    });
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'request_timeout' });
  });
});

describe('a client that disconnects', () => {
  test('cancels its request at the service', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const left = new Promise<void>((resolve) => {
      crm.respond = (request) => {
        request.socket.once('close', () => resolve());
        controller.abort();
      };
    });
    const asking = fetch(`${gateway.url}/api/leads`, { headers: { authorization: kim.authorization }, signal });
    await expect(asking).rejects.toThrow('aborted');
    await left;
    expect((await callOtherService()).status).toBe(200);
  });
});
