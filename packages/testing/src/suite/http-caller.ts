/** Users and programs that call the suite from outside, through the gateway. */
import { randomUUID } from 'node:crypto';
import { call, type RequestOptions, type HttpCaller, httpCaller } from '../http.ts';
import { isTooBusy, retryPostponed } from '../waiting.ts';

/** A signed-in user. */
export interface SignedIn extends HttpCaller {
  email: string;
  password: string;
  access_token: string;
  refresh_token: string;
  /** The user from the sign-in response. */
  user: { id: string; name: string; workspace: { id: string; name: string } } & Record<string, unknown>;
}

/** Longer than the gateway's deadlines, which are five times their normal length in tests. */
const DEADLINE_MS = 60_000;

/**
 * Calls the suite at `url` with a bearer token. Reads that a busy machine postpones are repeated, as clients should do.
 * The body of a response that is not JSON is its text.
 */
export const bearer = (url: string, token?: string, deadline_ms = DEADLINE_MS): HttpCaller =>
  httpCaller(async (method, path, body, headers) => {
    const ask = () =>
      call(url, path, {
        method,
        body,
        headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
        signal: AbortSignal.timeout(deadline_ms),
      });
    const reply = await (method === 'GET' ? retryPostponed(ask, isTooBusy) : ask());
    return { ...reply, body: reply.body ?? Buffer.from(reply.content).toString() };
  });

/** Signs in. @throws an Error with the unexpected response */
export async function signIn(url: string, email: string, password: string): Promise<SignedIn> {
  const { status, body } = await retryPostponed(() => bearer(url).post('/api/login', { email, password }));
  if (status !== 200) throw new Error(`Sign-in as ${email} returned ${status} ${JSON.stringify(body)}.`);
  const { access_token, refresh_token, user } = body.data;
  return { ...bearer(url, access_token), email, password, access_token, refresh_token, user };
}

/** Returns headers that make a write safe to retry. */
export const withIdempotencyKey = (key: string = randomUUID()): RequestOptions => ({
  headers: { 'idempotency-key': key },
});

/** Returns a form with one file. */
export function formWith(field: string, file: File): FormData {
  const form = new FormData();
  form.set(field, file);
  return form;
}
