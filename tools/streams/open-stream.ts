/** A client of a stream of changes. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { SignedIn } from '@suite/testing/suite/http-caller';

/** An open stream. */
export interface OpenStream {
  /** Waits until the stream has sent a text. */
  contains(text: string): Promise<void>;
  close(): void;
}

/** Opens a stream of the changes from now on. @throws an Error with a status other than 200 */
export async function openStream(url: string, { access_token }: SignedIn): Promise<OpenStream> {
  const headers = { authorization: `Bearer ${access_token}`, accept: 'text/event-stream' };
  const sent = request(`${url}/api/changes?after=now`, { headers, agent: false }).end();
  const [response] = await once(sent, 'response');
  if (response.statusCode !== 200) throw new Error(`A stream returned ${response.statusCode}.`);
  let text = '';
  const waiting = new Set<() => void>();
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    for (const check of waiting) check();
  });
  response.on('error', () => {});
  return {
    contains: (wanted) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!text.includes(wanted)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () => sent.destroy(),
  };
}
