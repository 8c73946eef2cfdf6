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

/** Writes bytes to a connection and returns everything that comes back until it is closed, or silent for a while. */
export function shout(base: string, message: string, patience_ms = 500): Promise<{ text: string; closed: boolean }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) });
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed });
    };
    let timer = setTimeout(done, patience_ms, false);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(done, patience_ms, false);
    });
    socket.on('end', () => done(true));
    socket.on('error', () => done(true));
    socket.write(Buffer.from(message, 'latin1'));
  });
}
