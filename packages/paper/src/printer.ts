/**
 * Printing, one letter after the other, in a process of its own that comes with the first and goes when it is idle. Not in
 * a thread: that leaves a hundred megabytes behind when it ends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fault } from '@suite/chassis';
import type { Letter } from './letter.ts';

export const PrinterBusy = fault(503, 'printer_busy', 'Too many documents are being printed. Try again shortly.');

export interface PrinterOptions {
  /** After this long without work the process ends and gives its memory back. */
  idle_ms: number;
  /** What takes longer is given up. */
  patience_ms: number;
  /** How many letters may wait. */
  waiting: number;
}

type Printed = { pdf: Uint8Array } | { error: unknown };

const MEMORY_MB = 192;

/** Starts the process that prints. It is told nothing of its parent's settings, keys and passwords. */
function start(): ChildProcess {
  const cache = getCompileCacheDir();
  const press = fork(fileURLToPath(new URL('./press.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    // The folder of this version of Node lies in the one that is named.
    env: cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // While it waits for work it must not keep its parent from ending; without a parent it ends by itself.
  press.unref();
  press.channel?.unref();
  return press;
}

/** Opens a printer; it takes no memory until something is printed. */
export function openPrinter({ idle_ms, patience_ms, waiting }: PrinterOptions) {
  let press: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let length = 0;

  const close = () => {
    press?.kill('SIGKILL');
    press = undefined;
  };

  async function run(letter: Letter): Promise<Uint8Array> {
    clearTimeout(idle);
    const running = (press ??= start());
    const { promise, resolve, reject } = Promise.withResolvers<Printed>();
    const late = setTimeout(reject, patience_ms, PrinterBusy());
    const lost = () => reject(PrinterBusy());
    running.once('message', resolve).once('error', reject).once('exit', lost);
    try {
      running.send(letter);
      const printed = await promise;
      if ('error' in printed) throw printed.error;
      return printed.pdf;
    } catch (error) {
      close();
      throw error;
    } finally {
      clearTimeout(late);
      running.off('message', resolve).off('error', reject).off('exit', lost);
      idle = setTimeout(close, idle_ms).unref();
    }
  }

  return {
    /** Ends the process, with whatever it is printing. */
    close,
    /** Whether the process is there. */
    isOpen: (): boolean => press !== undefined,
    /** @throws PrinterBusy when too many wait, or when this one takes too long */
    async print(letter: Letter): Promise<Uint8Array> {
      if (length > waiting) throw PrinterBusy();
      length += 1;
      const turn = queue.then(() => run(letter));
      queue = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        length -= 1;
      }
    },
  };
}
