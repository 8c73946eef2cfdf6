/** Deadlines for services, by kind of request. */
import type { IncomingMessage } from 'node:http';
import { deadline } from '@suite/chassis/gateway';
import { isStreamable } from './bodies.ts';

export interface Deadlines {
  read_ms: number;
  write_ms: number;
  /** Deadline for PDFs, in milliseconds. Longer than the waiting and the printing of a service together. */
  print_ms: number;
  /** Deadline for uploads and file downloads, in milliseconds. */
  transfer_ms: number;
  /** Time in milliseconds after which a batch begins no further call. */
  batch_ms: number;
}

const PRINTED = /application\/pdf/i;
const DRAWN = /image\/(?:svg|png)/i;

export const defaultDeadlines: Deadlines = {
  read_ms: deadline(3_000),
  write_ms: deadline(8_000),
  print_ms: deadline(15_000),
  transfer_ms: deadline(120_000),
  batch_ms: deadline(25_000),
};

export const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/** Returns the deadline of a request, in milliseconds. */
export function deadlineOf(request: IncomingMessage, deadlines: Deadlines): number {
  const { read_ms, write_ms, print_ms, transfer_ms } = deadlines;
  if (!isRead(request)) return isStreamable(request) ? transfer_ms : write_ms;
  const { accept = '' } = request.headers;
  if (PRINTED.test(accept)) return print_ms;
  // Rendering a chart is a read, but takes as long as a write.
  return DRAWN.test(accept) ? write_ms : read_ms;
}
