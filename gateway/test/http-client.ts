import { connect } from 'node:net';
import { type Sent, sendRequest as send } from '@suite/testing/http';

/** A response, as it came. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The parsed JSON body; undefined for a body that is not JSON. */
  body: ReturnType<typeof JSON.parse>;
}

/** Sends a request on a connection of its own. */
export async function sendRequest(base: string, path: string, sent: Sent = {}): Promise<HttpResponse> {
  const { headers, content, ...reply } = await send(base, path, { ...sent, agent: false });
  return { ...reply, headers: Object.fromEntries(headers), text: Buffer.from(content).toString() };
}

/** How long to wait for expected responses, and afterwards for one too many. */
const TIMEOUT_MS = 8_000;
const EXTRA_MS = 60;

/** Writes bytes to a connection and returns the bytes that come back, until so many responses came or it is closed. */
export function sendBytes(base: string, message: string, responses = 0): Promise<{ text: string; closed: boolean }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) });
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    let timer = setTimeout(done, TIMEOUT_MS, false);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (responses === 0 || text.split('HTTP/1.1 ').length <= responses) return;
      clearTimeout(timer);
      timer = setTimeout(done, EXTRA_MS, false);
    });
    socket.on('end', () => done(true));
    socket.on('error', () => done(true));
    socket.write(Buffer.from(message, 'latin1'));
  });
}
