const WARNING = 40;
/** The beginning of each log line. */
const LEVEL = /^\{"level":(\d+),/;
const NAMES = new Map([
  [40, 'warning'],
  [50, 'error'],
  [60, 'fatal'],
]);
/** Maximum number of console lines of one process per interval. The rest is in its log. */
const LINES_AT_ONCE = 5;
const A_WHILE_MS = 10_000;

/**
 * The output of a process. Passes on warnings and errors in short form, and keeps the last lines in case the process
 * ends.
 */
export class ProcessOutput {
  readonly #name: string;
  readonly #say: (line: string) => void;
  #recent: string[] = [];
  #isEnding = false;
  #said = 0;
  #since = 0;

  constructor(name: string, say: (line: string) => void) {
    this.#name = name;
    this.#say = say;
  }

  /** Resets the output for a new process. */
  begin(): void {
    this.#recent = [];
    this.#isEnding = false;
  }

  /** Marks the process as stopping: the console shows none of its further output. */
  end(): void {
    this.#isEnding = true;
  }

  /** Processes a line of output: JSON from the log, or plain text from other sources. */
  hear(line: string): void {
    // Each request logs a line. Parsing all of them would take as long as some of the requests.
    const level = LEVEL.exec(line)?.[1];
    if (level !== undefined && Number(level) < WARNING) return;
    const entry = logEntry(line);
    if (!entry) {
      if (line.trim()) this.#recent = [...this.#recent.slice(-39), line];
      return;
    }
    if (entry.level < WARNING) return;
    this.#recent = [...this.#recent.slice(-39), entry.text];
    if (!this.#isEnding) this.#passOn(`${this.#name} ${NAMES.get(entry.level) ?? 'warning'}: ${entry.text}`);
  }

  /**
   * Returns the line that best explains why the process ended: the error of a stack trace, or else the last plain line.
   */
  exitReason(): string | null {
    const lines = this.#recent.filter((line) => !/^\s+at |^Node\.js v|^\s*[{}^]|^file:|^node:/.test(line));
    return (lines.findLast((line) => /Error\b.*:/.test(line)) ?? lines.at(-1))?.trim() ?? null;
  }

  #passOn(line: string): void {
    if (performance.now() - this.#since > A_WHILE_MS) {
      this.#since = performance.now();
      this.#said = 0;
    }
    this.#said += 1;
    if (this.#said <= LINES_AT_ONCE) this.#say(line);
    if (this.#said === LINES_AT_ONCE + 1) this.#say(`${this.#name} says more; see its log`);
  }
}

function logEntry(line: string): { level: number; text: string } | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: { message?: string } };
    if (typeof level !== 'number') return null;
    const reason = err?.message && err.message !== msg ? ` (${err.message})` : '';
    return { level, text: `${msg ?? ''}${reason}`.slice(0, 300) };
  } catch {
    return null;
  }
}
