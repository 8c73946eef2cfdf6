/** What somebody may have meant whose request nothing answers to: the nearest operation of the documents. */
interface Candidate {
  method: string;
  path: string;
}

/** Finds the operation nearest to a request, as `POST /api/lead/create`; undefined when none is near. */
export type Suggest = (method: string, path: string) => string | undefined;

/** Longer addresses are no slips of the pen. */
const MAX_SEGMENTS = 8;
const MAX_SEGMENT = 64;

const OTHER_METHOD = 0.7;
const FAR = 2;
/** What is often left out, by the method that is meant. */
const VERBS: Record<string, readonly string[]> = {
  GET: ['show', '{id}'],
  POST: ['create', 'store'],
  PUT: ['update', '{id}'],
  PATCH: ['update', '{id}'],
  DELETE: ['delete', '{id}'],
};

/** Prepares the search. */
export function suggester(candidates: readonly Candidate[]): Suggest {
  const prepared = candidates.map(({ method, path }) => ({ method, path, segments: segmentsOf(path) }));

  return (method, path) => {
    const asked = segmentsOf(path.toLowerCase());
    if (asked.length === 0 || asked.length > MAX_SEGMENTS) return undefined;
    if (asked.some((segment) => segment.length > MAX_SEGMENT)) return undefined;
    let nearest: { text: string; cost: number } | undefined;
    for (const candidate of prepared) {
      const other = candidate.method === method || (method === 'HEAD' && candidate.method === 'GET') ? 0 : OTHER_METHOD;
      const cost = other + align(asked, candidate.segments, VERBS[method] ?? []);
      if (cost <= 1 && cost < (nearest?.cost ?? FAR)) nearest = { cost, text: `${candidate.method} ${candidate.path}` };
    }
    return nearest?.text;
  };
}

/** The segments after `/api`, which is what is forgotten first; empty ones are slips. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  return segments[0] === 'api' ? segments.slice(1) : segments;
}

/** What it costs to turn one path into another. The first segments, the nouns, must resemble each other. */
function align(asked: readonly string[], known: readonly string[], verbs: readonly string[]): number {
  if (Math.abs(asked.length - known.length) > 1) return FAR;
  const first = difference(asked[0]!, known[0]!);
  if (first >= 1) return FAR;
  let row = known.map((_, at) => missing(known.slice(1, at + 1), verbs));
  for (let line = 1; line < asked.length; line += 1) {
    const next = [row[0]! + 0.8];
    for (let at = 1; at < known.length; at += 1) {
      const same = row[at - 1]! + difference(asked[line]!, known[at]!);
      next.push(Math.min(same, row[at]! + 0.8, next[at - 1]! + missing([known[at]!], verbs)));
    }
    row = next;
  }
  return first + row.at(-1)!;
}

const missing = (segments: readonly string[], verbs: readonly string[]): number =>
  segments.reduce((sum, segment) => sum + (verbs.includes(segment) ? 0.4 : 0.8), 0);

/** From 0, the same, to 1 and more, another word. */
function difference(asked: string, known: string): number {
  if (asked === known) return 0;
  if (known.startsWith('{')) return /\d|^\{/.test(asked) ? 0.05 : 0.6;
  if (asked.length > 2 && known.startsWith(`${asked}-`)) return 0.4;
  if (Math.abs(asked.length - known.length) > known.length / 2) return FAR;
  const share = edits(asked, known) / Math.max(asked.length, known.length);
  return share > 0.4 ? FAR : share;
}

/** Levenshtein's distance. */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let line = 1; line <= one.length; line += 1) {
    const next = [line];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = row[at - 1]! + (one[line - 1] === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
