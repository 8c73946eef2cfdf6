/** The first call of the README, by the owner of a new workspace. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ContainerError } from './podman.ts';

/** A response of the API. */
interface ApiResponse {
  status: number;
  body: { data?: { email?: string; access_token?: string } };
}

const PATIENCE_MS = 60_000;
const RETRY_MS = 500;

/** Calls the API, again while it answers that it is not ready for this request. */
async function call(url: string, options: RequestInit): Promise<ApiResponse> {
  const began = performance.now();
  for (;;) {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
    const body = (await response.json()) as ApiResponse['body'];
    if (response.status !== 503 || performance.now() - began > PATIENCE_MS) return { status: response.status, body };
    await pause(RETRY_MS);
  }
}

/**
 * Accepts an invitation, signs in, and requests `GET /api/user`.
 * @param gateway address of the gateway
 * @throws ContainerError without the user in the response
 */
export async function callAsOwner(gateway: string, email: string, token: string): Promise<void> {
  const post = (path: string, body: object) =>
    call(`${gateway}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const password = randomBytes(24).toString('base64url');
  const accepted = await post('/api/accept-invitation', { token, password });
  const login = await post('/api/login', { email, password });
  const authorization = `Bearer ${login.body.data?.access_token}`;
  const { status, body } = await call(`${gateway}/api/user`, { headers: { authorization } });
  if (body.data?.email === email) return;
  throw new ContainerError(
    `GET /api/user returned ${status} ${JSON.stringify(body)} after ${accepted.status} and ${login.status}.`,
  );
}
