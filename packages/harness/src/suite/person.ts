/** People and programs that call the suite from outside, through the gateway. */
import { randomUUID } from 'node:crypto';
import type { Reply } from '../harness.ts';

type HeaderFields = Record<string, string>;

/** Somebody who calls the suite with a credential, or without one. */
export interface Person {
  get(path: string, headers?: HeaderFields): Promise<Reply>;
  post(path: string, body?: unknown, headers?: HeaderFields): Promise<Reply>;
  put(path: string, body?: unknown, headers?: HeaderFields): Promise<Reply>;
  delete(path: string, body?: unknown, headers?: HeaderFields): Promise<Reply>;
  /** Sends a file, and fields beside it. */
  upload(path: string, field: string, file: File, fields?: Record<string, string>): Promise<Reply>;
  send(method: string, path: string, body?: string | FormData, headers?: HeaderFields): Promise<Reply>;
}

/** Somebody who has signed in. */
export interface SignedIn extends Person {
  email: string;
  password: string;
  access_token: string;
  refresh_token: string;
  /** Who they are, as the suite said when they signed in. */
  user: { id: string; name: string; workspace: { id: string; name: string } } & Record<string, unknown>;
}

const DEADLINE_MS = 30_000;

/** Calls the suite at `url`, as the bearer of a token. */
export function bearer(url: string, token?: string, deadline_ms = DEADLINE_MS): Person {
  const send: Person['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
      signal: AbortSignal.timeout(deadline_ms),
      ...(body !== undefined && { body }),
    });
    const content = new Uint8Array(await response.arrayBuffer());
    const text = Buffer.from(content).toString();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers, content };
  };
  const json =
    (method: string) =>
    (path: string, body?: unknown, headers: HeaderFields = {}) =>
      body === undefined
        ? send(method, path, undefined, headers)
        : send(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: json('POST'),
    put: json('PUT'),
    delete: json('DELETE'),
    upload(path, field, file, fields = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set(field, file);
      return send('POST', path, form);
    },
    send,
  };
}

/** Signs in. @throws an Error that says what was answered instead */
export async function signIn(url: string, email: string, password: string): Promise<SignedIn> {
  const { status, body } = await bearer(url).post('/api/login', { email, password });
  if (status !== 200) throw new Error(`Signing in as ${email} was answered with ${status} ${JSON.stringify(body)}.`);
  const { access_token, refresh_token, user } = body.data;
  return { ...bearer(url, access_token), email, password, access_token, refresh_token, user };
}

/** A header that makes a write safe to repeat. */
export const keyed = (key: string = randomUUID()): HeaderFields => ({ 'idempotency-key': key });
