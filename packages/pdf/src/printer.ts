/**
 * Prints one PDF after the other, in a separate process that starts with the first and ends when idle. A thread would
 * leave a hundred megabytes behind when it ends.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openQueue, type QueueOptions } from '@suite/bounded-work';
import { fault } from '@suite/chassis/faults';
import type { PdfDocument } from './pdf-document.ts';
import { PAGES_MAX } from './sheet/sheet.ts';
import { DOCUMENT_WORK_MAX, textWork } from './text-work.ts';

const PrinterBusy = fault(503, 'printer_busy', 'Too many PDFs are being created. Try again shortly.');
export const TooManyPrints = fault(
  429,
  'too_many_prints',
  'Your workspace is creating too many PDFs. Try again in a moment.',
);
export const DocumentTooLong = fault(
  422,
  'document_too_long',
  `This document has more than ${PAGES_MAX} pages, or too much text for a PDF. Shorten its texts, or divide it into several documents.`,
);
export const PrintTimeout = fault(503, 'print_timeout', 'This PDF took too long to create. Try again, or shorten it.');

export interface PrinterOptions extends Pick<QueueOptions, 'share' | 'waiting' | 'patience_ms'> {
  /** Idle time after which the process ends and frees its memory. */
  idle_ms: number;
  /** Time limit of a print. The process is killed when it is exceeded. */
  deadline_ms: number;
}

/** Error text of the template when it stops. */
const TOO_MANY_PAGES = 'too many pages';

type PrintResult = { pdf: Uint8Array; is_spent: boolean } | { error: unknown };
/** The process ended without a result, or could not start. */
const LOST = Symbol('lost');
/** Chosen: a second process for a print whose process ended, because most ends have another cause than the document. */
const PROCESSES_A_PRINT = 2;

/** Memory limits of a print: JavaScript in MiB, and WebAssembly in pages of 64 KiB. */
const MEMORY = ['--max-old-space-size=192', '--wasm-max-mem-pages=8192'];
/** Skips checks and optimisations of unused code, so that the first PDF takes a third of the time. */
const QUICK_START = ['--wasm-lazy-validation', '--liftoff-only'];

/** Starts the print process, without the settings, keys and passwords of its parent. */
function start(): ChildProcess {
  const cache = getCompileCacheDir();
  const press = fork(fileURLToPath(new URL('./press.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [...MEMORY, ...QUICK_START],
    // The cache of this Node version is a subfolder of the given folder.
    env: cache ? { NODE_COMPILE_CACHE: dirname(cache) } : {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // While it waits for work, it must not keep its parent alive. Without a parent it ends automatically.
  press.unref();
  press.channel?.unref();
  return press;
}

/** Maximum number of lines on a page. Used to reject documents that are far too long before printing. */
const LINES_A_PAGE = 80;

/** Rejects a document that cannot be printed within the deadline, before it takes time. */
function assertShort({ lines, texts, from, to }: PdfDocument): void {
  const said = [...lines.flatMap((line) => [line.product_name, line.description]), ...texts.map(([, text]) => text)];
  const written = [...said, from.address, from.footer, to.address].filter((text) => typeof text === 'string');
  if (written.reduce((sum, text) => sum + textWork(text), 0) > DOCUMENT_WORK_MAX) throw DocumentTooLong();
  const linesIn = (text: (typeof said)[number]) =>
    typeof text === 'string' ? text.trim().split('\n').length : (text?.length ?? 1);
  const count = said.reduce((sum, text) => sum + linesIn(text), 0);
  if (count > PAGES_MAX * LINES_A_PAGE) throw DocumentTooLong();
}

/** Prints in a process. @returns `LOST` if the process ended without a result @throws PrintTimeout */
async function printInProcess(
  running: ChildProcess,
  letter: PdfDocument,
  ends_at: number,
): Promise<PrintResult | typeof LOST> {
  const { promise, resolve, reject } = Promise.withResolvers<PrintResult | typeof LOST>();
  const late = setTimeout(() => reject(PrintTimeout()), Math.max(1, ends_at - performance.now()));
  const lost = () => resolve(LOST);
  running.once('message', resolve).once('error', lost).once('exit', lost);
  try {
    running.send(letter);
    return await promise;
  } finally {
    clearTimeout(late);
    running.off('message', resolve).off('error', lost).off('exit', lost);
  }
}

/** Opens a printer. It uses no memory until the first print. */
export function openPrinter({ idle_ms, deadline_ms, ...options }: PrinterOptions) {
  const queue = openQueue({ ...options, places: 1, busy: PrinterBusy, tooMany: TooManyPrints });
  let press: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  const close = () => {
    press?.kill('SIGKILL');
    press = undefined;
  };
  /** Returns the process. The system can end it at any time, even between two prints. */
  const opened = (): ChildProcess => {
    if (press) return press;
    const started = start();
    const forget = () => {
      if (press === started) press = undefined;
    };
    started.on('exit', forget).on('error', forget);
    return (press = started);
  };

  async function run(letter: PdfDocument): Promise<Uint8Array> {
    clearTimeout(idle);
    const ends_at = performance.now() + deadline_ms;
    try {
      let printed: PrintResult | typeof LOST = LOST;
      for (let at = 0; printed === LOST && at < PROCESSES_A_PRINT; at += 1)
        printed = await printInProcess(opened(), letter, ends_at);
      if (printed === LOST) throw PrinterBusy();
      if ('error' in printed) throw printed.error;
      if (printed.is_spent) close();
      return printed.pdf;
    } catch (error) {
      close();
      throw String(error).includes(TOO_MANY_PAGES) ? DocumentTooLong() : error;
    } finally {
      idle = setTimeout(close, idle_ms).unref();
    }
  }

  return {
    /** Ends the process, even while it is printing. */
    close,
    /** Returns the process ID, or undefined if there is no process. */
    processId: (): number | undefined => press?.pid,
    /**
     * Prints a PDF of a workspace when the queue allows it. @throws TooManyPrints, PrinterBusy, PrintTimeout,
     * DocumentTooLong
     */
    async print(letter: PdfDocument, workspace_id: string): Promise<Uint8Array> {
      assertShort(letter);
      return await queue.inTurn(workspace_id, () => run(letter));
    },
  };
}
