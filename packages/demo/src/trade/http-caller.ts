/** User of the suite, who calls it as all users do: through the gateway. */
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis/runtime';

/** A response of the suite. */
export interface Answer<T> {
  status: number;
  body: { data: T; message?: string; code?: string };
}

/** A signed-in user. */
export interface DemoCaller {
  get<T>(path: string): Promise<T>;
  /** Sends a request that must succeed. @throws an Error with the unexpected response */
  post<T = { id: string }>(path: string, body?: object): Promise<T>;
  /** Sends a request that may fail, and returns whether it succeeded. */
  tried(path: string, body?: object): Promise<boolean>;
  /** Returns the same user. Their writes of one kind follow one another, concurrently with writes of other kinds. */
  withOwnQueue(name: string): DemoCaller;
}

const WAIT_MS = 1_000;
const TRIES = 30;

/** Credentials of a user: a key while it is valid, otherwise the sign-in data. */
export interface Login {
  email: string;
  password: string;
  key?: string | undefined;
}

/**
 * Signs in to the suite. Each write has an idempotency key that is the same in every run of a day, so that repeating it
 * has no further effect. Writes are numbered within their sequence.
 */
export async function signIn(url: string, { key = '', ...login }: Login): Promise<DemoCaller> {
  const day = clock.now().toISOString().slice(0, 10);
  let token = key;

  async function ask<T>(method: string, path: string, body?: object, key?: string): Promise<Answer<T>> {
    for (let tries = 1; ; tries++) {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const isBusy = reply.status === 429 || reply.status >= 500;
      if (!isBusy || tries === TRIES) return { status: reply.status, body: (await reply.json()) as Answer<T>['body'] };
      await reply.arrayBuffer();
      await pause(WAIT_MS);
    }
  }

  async function must<T>(method: string, path: string, body?: object, key?: string): Promise<T> {
    const { status, body: answer } = await ask<T>(method, path, body, key);
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${answer.message}`);
    return answer.data;
  }

  function withOwnQueue(name: string): DemoCaller {
    let sent = 0;
    const next = () => `demo-trade:${day}:${name}:${sent++}`;
    return {
      get: (path) => must('GET', path),
      post: (path, body = {}) => must('POST', path, body, next()),
      tried: async (path, body = {}) => (await ask('POST', path, body, next())).status < 300,
      withOwnQueue,
    };
  }

  const isGood = token !== '' && (await ask('GET', '/api/user')).status === 200;
  if (!isGood) {
    token = '';
    ({ access_token: token } = await must<{ access_token: string }>('POST', '/api/login', login));
  }
  return withOwnQueue('first');
}
