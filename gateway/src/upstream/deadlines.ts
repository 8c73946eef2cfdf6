/** Deadlines for services, by kind of request. */
import type { IncomingMessage } from 'node:http';
import { deadline } from '@suite/chassis/gateway';
import { isStreamable } from './bodies.ts';

export interface Deadlines {
  read_ms: number;
  write_ms: number;
  /** Deadline for uploads and file downloads, in milliseconds. */
  transfer_ms: number;
}

const DRAWN = /application\/pdf|image\/(?:svg|png)/i;

export const defaultDeadlines: Deadlines = {
  read_ms: deadline(3_000),
  write_ms: deadline(8_000),
  transfer_ms: deadline(120_000),
};

export const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Returns the deadline of a request, in milliseconds. */
export function deadlineOf(request: IncomingMessage, { read_ms, write_ms, transfer_ms }: Deadlines): number {
  // Rendering a PDF or a chart is a read, but takes as long as a write.
  if (isRead(request)) return DRAWN.test(request.headers.accept ?? '') ? write_ms : read_ms;
  return isStreamable(request) ? transfer_ms : write_ms;
}
