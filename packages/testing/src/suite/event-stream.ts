/** A client of server-sent events. */
import { type IncomingMessage, request } from 'node:http';

/** An open stream with the text that has arrived. */
export interface EventStream {
  response: IncomingMessage;
  text(): string;
  /** Resolves when the connection is closed. */
  ended: Promise<unknown>;
  close(): void;
}

/** Opens a stream on a connection of its own. A response with an error status is also a stream, with the error as its text. */
export function openEventStream(url: string, headers: Record<string, string>): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { accept: 'text/event-stream', ...headers }, agent: false });
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      const ended = new Promise((done) => response.once('close', done));
      resolve({ response, text: () => text, ended, close: () => sent.destroy() });
    });
    sent.end();
  });
}
