const WARNING = 40;
/** How each line of a log begins. */
const LEVEL = /^\{"level":(\d+),/;
const NAMES = new Map([
  [40, 'warning'],
  [50, 'error'],
  [60, 'fatal'],
]);
/** How much one process may say on the console in a while; the rest is in its log. */
const LINES_AT_ONCE = 5;
const A_WHILE_MS = 10_000;

/** The output of a process: warnings and errors are passed on briefly, and its last lines are kept in case it ends. */
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

  /** A new process begins to speak. */
  begin(): void {
    this.#recent = [];
    this.#isEnding = false;
  }

  /** It was asked to stop: what it says about that is not worth the console. */
  end(): void {
    this.#isEnding = true;
  }

  /** Takes one line of its output, JSON from the log or plain text from anything else. */
  hear(line: string): void {
    // Each request is a line; parsing all of them would take as long as some of the requests.
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

  /** The line that says best why it ended: the error of a stack, else the last plain line. */
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
