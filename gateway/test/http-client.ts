import { request } from 'node:http';
import { connect } from 'node:net';

/** An answer, as it came. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The parsed JSON body; undefined where the answer is no JSON. */
  body: ReturnType<typeof JSON.parse>;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends a request with its path exactly as written, which `fetch` would tidy up. */
export function ask(base: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Answer['headers'],
          text,
          body: isJson && text ? JSON.parse(text) : undefined,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** How long is waited for what must come, and how long for what must not. */
const PATIENCE_MS = 8_000;
const LISTEN_MS = 60;

/** Writes bytes to a connection and returns what comes back, until it has so many answers, or is closed. */
export function shout(base: string, message: string, answers = 0): Promise<{ text: string; closed: boolean }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) });
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    let timer = setTimeout(done, PATIENCE_MS, false);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (answers === 0 || text.split('HTTP/1.1 ').length <= answers) return;
      // No more than that must come.
      clearTimeout(timer);
      timer = setTimeout(done, LISTEN_MS, false);
    });
    socket.on('end', () => done(true));
    socket.on('error', () => done(true));
    socket.write(Buffer.from(message, 'latin1'));
  });
}
