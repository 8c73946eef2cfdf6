/** HTTP client of all tests. */
import { type Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Reply {
  status: number;
  /** The parsed JSON body. Undefined if the response is not JSON. */
  body: ReturnType<typeof JSON.parse>;
  headers: Headers;
  /** The raw response body. */
  content: Uint8Array;
}

/** Returns the data of a successful answer. @throws an Error with the unexpected answer */
export async function dataOf(reply: Reply | Promise<Reply>): Promise<Reply['body']> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`Unexpected status ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

export interface RequestOptions {
  headers?: Record<string, string>;
}

type Body = string | Uint8Array | FormData | undefined;

/** A caller of a server. */
export interface HttpCaller {
  get(path: string, options?: RequestOptions): Promise<Reply>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  delete(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  /** Sends a multipart form. */
  upload(path: string, form: FormData, options?: RequestOptions): Promise<Reply>;
  /** Sends any request of a test. */
  send(method: string, path: string, body?: Body, headers?: Record<string, string>): Promise<Reply>;
}

export interface SentRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: Body;
  signal?: AbortSignal;
  /** The agent; `false` for a new connection. */
  agent?: Agent | false;
}

const isFramed = (headers: object): boolean =>
  Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name));

/** Returns the bytes and headers of a body. */
async function framed(
  body: Body,
  headers: SentRequest['headers'] = {},
): Promise<[Uint8Array | undefined, SentRequest['headers']]> {
  if (body === undefined) return [undefined, headers];
  const encoded = new Response(body as string);
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  const said = {
    ...(body instanceof FormData && { 'content-type': String(encoded.headers.get('content-type')) }),
    ...(!isFramed(headers) && { 'content-length': String(bytes.length) }),
  };
  return [bytes, { ...said, ...headers }];
}

/** Sends a request with its path exactly as written. */
export async function sendRequest(
  base: string,
  path: string,
  { method = 'GET', ...sent }: SentRequest = {},
): Promise<Reply> {
  const { hostname, port } = new URL(base);
  const [bytes, headers = {}] = await framed(sent.body, sent.headers);
  const { signal, agent } = sent;
  return await new Promise((resolve, reject) => {
    const how = { hostname, port, path, method, headers, ...(signal && { signal }) };
    const outgoing = request({ ...how, ...(agent !== undefined && { agent }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const isPacked = response.headers['content-encoding'] === 'gzip' && chunks.length > 0;
        const content = new Uint8Array(isPacked ? gunzipSync(Buffer.concat(chunks)) : Buffer.concat(chunks));
        const isJson = response.headers['content-type']?.startsWith('application/json') && content.length > 0;
        const body = isJson ? JSON.parse(Buffer.from(content).toString()) : undefined;
        const fields = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        resolve({ status: response.statusCode ?? 0, body, headers: new Headers(fields), content });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

/**
 * Sends a request like a browser. The path may contain spaces and quotes, and the response may be compressed. An
 * absolute URL, such as the `url` of a file, is requested at `base`.
 */
export async function call(base: string, path: string, { headers, ...sent }: SentRequest): Promise<Reply> {
  const { pathname, search } = new URL(/^https?:/.test(path) ? path : `${base}${path}`);
  const wanted = { 'accept-encoding': 'gzip', ...headers };
  return await sendRequest(base, `${pathname}${search}`, { ...sent, headers: wanted });
}

/** Returns the usual request methods on top of one that sends. */
export function httpCaller(send: HttpCaller['send']): HttpCaller {
  const json =
    (method: string) =>
    (path: string, body?: unknown, { headers }: RequestOptions = {}) =>
      body === undefined
        ? send(method, path, undefined, headers)
        : send(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  return {
    get: (path, { headers } = {}) => send('GET', path, undefined, headers),
    post: json('POST'),
    put: json('PUT'),
    delete: json('DELETE'),
    upload: (path, form, { headers } = {}) => send('POST', path, form, headers),
    send,
  };
}
