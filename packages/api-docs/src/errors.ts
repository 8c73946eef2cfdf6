import { docsUrl, everyFault, type FaultMaker, type Operation, standardFaults } from '@suite/chassis/declarations';
import { escapeHtml, htmlPage, withCode } from './pages/html-page.ts';

/** An error code with its messages, its advice for client developers, and the operations that declare it. */
interface Entry {
  status: number;
  texts: Set<string>;
  advice: string | undefined;
  operations: string[];
}

type Described = Pick<FaultMaker, 'status' | 'code' | 'text'>;

/** The sources of the error catalogue. */
export interface ErrorSources {
  operations: ReadonlyMap<string, Operation>;
  /** Names of the services. */
  services: readonly string[];
  /** Faults of the gateway itself. */
  gateway: readonly Described[];
  /** Faults of the example service, which no client receives. */
  excluded: ReadonlySet<FaultMaker>;
  /** Advice for client developers by code: the lines of `errors.txt`. */
  advice: ReadonlyMap<string, string>;
}

const REPEAT_LATER =
  'Repeat the request with increasing delays. Repeat writes with the same `Idempotency-Key`. Other parts of the suite may work.';

/** Returns the faults of a service when another service is unavailable or slow. */
const absences = (services: readonly string[]): (Described & { advice: string })[] =>
  services.flatMap((name) => [
    {
      status: 503,
      code: `${name}_unavailable`,
      text: `The ${name} service is unavailable. Try again shortly.`,
      advice: REPEAT_LATER,
    },
    {
      status: 504,
      code: `${name}_timeout`,
      text: `The ${name} service took too long. Try again.`,
      advice: 'Repeat writes with the same `Idempotency-Key`, because the first request may have succeeded.',
    },
  ]);

function entriesOf({ operations, services, gateway, excluded, advice }: ErrorSources): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const derived = new Map(absences(services).map((absence) => [absence.code, absence.advice]));
  const add = ({ status, code, text }: Described, operation?: string) => {
    const entry = entries.get(code) ?? {
      status,
      texts: new Set(),
      advice: derived.get(code) ?? advice.get(code),
      operations: [],
    };
    entries.set(code, entry);
    entry.texts.add(text);
    if (operation) entry.operations.push(operation);
  };
  const faults = [...everyFault.filter((fault) => !excluded.has(fault)), ...gateway, ...absences(services)];
  for (const fault of faults) add(fault);
  for (const { method, path, faults = [] } of operations.values()) {
    for (const fault of faults) add(fault, `${method} ${path}`);
  }
  return new Map([...entries].toSorted(([one], [other]) => one.localeCompare(other)));
}

/**
 * Compares the catalogue with `errors.txt`.
 * @returns the codes without a line, and the lines without a code
 */
export function adviceGaps(sources: ErrorSources): { missing: string[]; unused: string[] } {
  const entries = entriesOf(sources);
  return {
    missing: [...entries].filter(([, { advice }]) => !advice).map(([code]) => code),
    unused: [...sources.advice.keys()].filter((code) => !entries.has(code)),
  };
}

const standardCodes = new Set(standardFaults.map(({ code }) => code));

/** Returns the lines that state which operations return a code. Any operation can return a standard fault. */
function whereLines(code: string, operations: readonly string[]): string[] {
  if (standardCodes.has(code)) return ['    <p>Any operation can return it.</p>'];
  if (operations.length === 0) return [];
  return [
    '    <details>',
    `      <summary>Returned by ${operations.length === 1 ? 'one operation' : `${operations.length} operations`}</summary>`,
    `      <ul>${operations.map((operation) => `<li><code>${escapeHtml(operation)}</code></li>`).join('')}</ul>`,
    '    </details>',
  ];
}

function section([code, { status, texts, advice = '', operations }]: [string, Entry]): string {
  const meanings = [...texts].map((text) => `    <p>${escapeHtml(text)}</p>`);
  return [
    `  <section id="${code}">`,
    `    <h2><a href="${docsUrl(code)}">${code}</a> <span>${status}</span></h2>`,
    ...meanings,
    `    <p><strong>What to do:</strong> ${withCode(advice)}</p>`,
    ...whereLines(code, operations),
    '  </section>',
  ].join('\n');
}

/** Returns `docs/errors.html`: every error code of responses, each with an anchor that `docs_url` links to. */
export function errorsPage(sources: ErrorSources): string {
  return htmlPage(
    'Error codes',
    `  <h1>Error codes</h1>
  <p>Every error is <code>{ message, code, errors?, details?, request_id, docs_url }</code>. Show the message to users, and decide by the code, which
  is stable. The <a href="/docs/guides/errors">guide to errors</a> explains the members. <a href="/docs">All operations</a></p>
${[...entriesOf(sources)].map(section).join('\n')}`,
  );
}
