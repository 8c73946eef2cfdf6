import { connect } from 'node:net';
import { type SentRequest, sendRequest as send } from '@suite/testing/http';

/** Received response. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** Parsed JSON body. Undefined for a body that is not JSON. */
  body: ReturnType<typeof JSON.parse>;
}

/** Sends a request on a separate connection. */
export async function sendRequest(base: string, path: string, sent: SentRequest = {}): Promise<HttpResponse> {
  const { headers, content, ...reply } = await send(base, path, { ...sent, agent: false });
  return { ...reply, headers: Object.fromEntries(headers), text: Buffer.from(content).toString() };
}

/** Maximum time to wait for the expected responses, and then for an unexpected one. */
const TIMEOUT_MS = 8_000;
const EXTRA_MS = 60;

/**
 * Writes bytes to a connection and returns the received bytes, until `responses` responses have arrived or the
 * connection is closed.
 */
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
