/** A client of a stream of changes. */
import { openEventStream } from '@suite/testing/suite/event-stream';
import type { SignedIn } from '@suite/testing/suite/http-caller';

/** An open stream. */
export interface OpenStream {
  /** Waits until the stream has sent a text. */
  contains(text: string): Promise<void>;
  close(): void;
}

/** Opens a stream of the changes from now on. @throws an Error with a status other than 200 */
export async function openStream(url: string, { access_token }: SignedIn): Promise<OpenStream> {
  const { response, text, close } = await openEventStream(`${url}/api/changes?after=now`, {
    authorization: `Bearer ${access_token}`,
  });
  if (response.statusCode !== 200) throw new Error(`A stream returned ${response.statusCode}.`);
  return {
    contains: (wanted) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!text().includes(wanted)) return;
          response.off('data', check);
          resolve();
        };
        response.on('data', check);
        check();
      }),
    close,
  };
}
