/** Answers that caches may keep for a while: everybody's, or only that of who asks. */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Response } from 'express';

/** Says how long an answer may be kept, and names its content, so that whoever has it need not be sent it again. */
export function keepInCaches(
  response: ServerResponse,
  content: string,
  { max_age_s, scope }: { max_age_s: number; scope: 'public' | 'private' },
): void {
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  response.setHeader('ETag', `"${digest}"`);
  response.setHeader('Cache-Control', `${scope}, max-age=${max_age_s}`);
}

/** Writes a text of another type than JSON for caches to keep; 304 to whoever has it. */
export const sendToCaches =
  (
    content: string,
    { max_age_s, ...headers }: { max_age_s: number; 'Content-Type': string } & Record<string, unknown>,
  ) =>
  async (response: ServerResponse): Promise<void> => {
    keepInCaches(response, content, { max_age_s, scope: 'public' });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
    // Express compares the ETag with what the client has.
    (response as Response).status(200).send(content);
  };
