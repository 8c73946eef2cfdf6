import { randomUUID } from 'node:crypto';
import type { Caller, Keys } from '@suite/chassis';
import { isTooBusy, patiently } from './patience.ts';
import type { Check } from './refusals.ts';

export interface Reply {
  status: number;
  /** The parsed JSON body; undefined where the answer is no JSON. */
  body: ReturnType<typeof JSON.parse>;
  headers: Headers;
  /** The answer as it came. */
  content: Uint8Array;
}

/** What a test may choose about a caller. What it does not choose is a staff user of a workspace of its own. */
export interface Rights {
  can?: readonly string[];
  modules?: readonly string[];
  kind?: Caller['kind'];
  workspace?: string;
  user_id?: string;
  name?: string;
  role?: string;
  record_scopes?: Caller['record_scopes'];
  team?: Caller['team'];
  session_id?: string;
  api_key_id?: string;
  timezone?: string;
}

export interface Options {
  headers?: Record<string, string>;
}

/**
 * Somebody with chosen rights, who calls a service as the gateway would on their behalf. They ask again when it is too busy,
 * as clients are told to: what a test is about must not hang on how busy the machine is.
 */
export interface Member {
  caller: Caller;
  get(path: string, options?: Options): Promise<Reply>;
  post(path: string, body?: unknown, options?: Options): Promise<Reply>;
  put(path: string, body?: unknown, options?: Options): Promise<Reply>;
  delete(path: string, body?: unknown, options?: Options): Promise<Reply>;
  /** Sends a multipart form. */
  upload(path: string, form: FormData, options?: Options): Promise<Reply>;
  /** Sends whatever a test wants to send. */
  send(
    method: string,
    path: string,
    body: string | Uint8Array | FormData | undefined,
    headers: Record<string, string>,
  ): Promise<Reply>;
}

/** A caller with these rights. */
export function makeCaller(rights: Rights): Caller {
  return {
    user_id: rights.user_id ?? randomUUID(),
    user_name: rights.name ?? 'Kim Example',
    kind: rights.kind ?? 'staff',
    workspace_id: rights.workspace ?? randomUUID(),
    role: rights.role ?? 'manager',
    permissions: rights.can ?? [],
    record_scopes: rights.record_scopes ?? {},
    ...(rights.team && { team: rights.team }),
    modules: rights.modules ?? ['crm', 'sales', 'proposals'],
    timezone: rights.timezone ?? 'Europe/Berlin',
    currency: 'EUR',
    ...(rights.api_key_id ? { api_key_id: rights.api_key_id } : { session_id: rights.session_id ?? randomUUID() }),
  };
}

/**
 * A member who talks to the service at `url`; without a caller, somebody who has not signed in.
 * @param check what is to be true of every answer
 */
export function memberOf(
  service: { name: string; url: string; gateway: Keys },
  caller: Caller | null,
  check?: Check,
): Member {
  const ask: Member['send'] = async (method, path, body, headers) => {
    const token = service.gateway.sign(service.name, caller);
    const response = await fetch(`${service.url}${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: {
        authorization: `Bearer ${token}`,
        'x-request-id': randomUUID(),
        'x-client-address': '127.0.0.1',
        ...headers,
      },
    });
    const content = new Uint8Array(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const { status, headers: answered } = response;
    const parsed = isJson ? JSON.parse(Buffer.from(content).toString()) : undefined;
    return { status, body: parsed, headers: answered, content };
  };
  const send: Member['send'] = async (...call) => {
    const reply = await patiently(() => ask(...call), isTooBusy);
    await check?.(member, call[0], call[1], reply);
    return reply;
  };
  const json =
    (method: string) =>
    (path: string, body?: unknown, options: Options = {}) =>
      send(method, path, body === undefined ? undefined : JSON.stringify(body), {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      });
  const member: Member = {
    caller: caller as Caller,
    get: (path, options = {}) => send('GET', path, undefined, options.headers ?? {}),
    post: json('POST'),
    put: json('PUT'),
    delete: json('DELETE'),
    upload: (path, form, options = {}) => send('POST', path, form, options.headers ?? {}),
    send,
  };
  return member;
}

/** The statuses of replies, in ascending order. */
export const statuses = (replies: readonly Reply[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b);
