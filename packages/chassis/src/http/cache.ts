/** Responses that caches may keep for a while, for all users or only for the caller. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';

/**
 * Sets how long a response may be cached and adds an ETag. Clients that have the content need not download it again.
 */
export function storeInCaches(
  response: ServerResponse,
  content: string,
  { max_age_s, scope }: { max_age_s: number; scope: 'public' | 'private' },
): void {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  response.setHeader('ETag', `"${digest}"`);
  response.setHeader('Cache-Control', `${scope}, max-age=${max_age_s}`);
}

/** Writes a cacheable text other than JSON. Returns 304 to clients that already have it. */
export const sendToCaches =
  (
    content: string,
    { max_age_s, ...headers }: { max_age_s: number; 'Content-Type': string } & Record<string, unknown>,
  ) =>
  async (response: ServerResponse): Promise<void> => {
    storeInCaches(response, content, { max_age_s, scope: 'public' });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
    // Express compares the ETag with the client's copy.
    (response as Response).status(200).send(content);
  };
