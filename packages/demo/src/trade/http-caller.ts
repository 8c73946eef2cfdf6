/** A user of the suite, who calls it as everybody does: through the gateway. */
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis';

/** An answer of the suite. */
export interface Answer<T> {
  status: number;
  body: { data: T; message?: string; code?: string };
}

/** A signed-in person. */
export interface HttpCaller {
  get<T>(path: string): Promise<T>;
  /** Sends what must succeed. @throws an Error that says what was answered instead */
  post<T = { id: string }>(path: string, body?: object): Promise<T>;
  /** Sends what may be refused, and answers which it was. */
  tried(path: string, body?: object): Promise<boolean>;
}

const WAIT_MS = 1_000;
const TRIES = 30;

/** How somebody proves who they are: by a key, while it is good, or else by signing in. */
export interface Login {
  email: string;
  password: string;
  key?: string | undefined;
}

/** Signs in at the suite. Each write goes out under a key of its own, so that nothing is done twice when it is sent again. */
export async function signIn(url: string, { key = '', ...login }: Login): Promise<HttpCaller> {
  const day = clock.now().toISOString().slice(0, 10);
  let sent = 0;
  let token = key;

  async function ask<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
    const key = `demo-trade:${day}:${sent++}`;
    for (let tries = 1; ; tries++) {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}`, 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const isBusy = reply.status === 429 || reply.status >= 500;
      if (!isBusy || tries === TRIES) return { status: reply.status, body: (await reply.json()) as Answer<T>['body'] };
      await reply.arrayBuffer();
      await pause(WAIT_MS);
    }
  }

  async function must<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, body: answer } = await ask<T>(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path} answers ${status}: ${answer.message}`);
    return answer.data;
  }

  const isGood = token !== '' && (await ask('GET', '/api/user')).status === 200;
  if (!isGood) {
    token = '';
    ({ access_token: token } = await must<{ access_token: string }>('POST', '/api/login', login));
  }
  return {
    get: (path) => must('GET', path),
    post: (path, body = {}) => must('POST', path, body),
    tried: async (path, body = {}) => (await ask('POST', path, body)).status < 300,
  };
}
