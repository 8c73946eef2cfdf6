/** Candidate for a suggestion: an operation whose method and path are near to the request. */
interface Candidate {
  method: string;
  path: string;
}

/** Finds the operation nearest to a request, as `POST /api/lead/create`. Returns undefined if none is near. */
export type Suggest = (method: string, path: string) => string | undefined;

/** Maximum number of segments. Longer paths are not typing errors. */
const MAX_SEGMENTS = 8;
const MAX_SEGMENT_LENGTH = 64;

const OTHER_METHOD_COST = 0.7;
const SEGMENT_COST = 0.8;
const VERB_COST = 0.4;
/** Cost of paths that have nothing in common. */
const UNRELATED = 2;
/** Segments that callers often omit, by method. */
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
    if (asked.some((segment) => segment.length > MAX_SEGMENT_LENGTH)) return undefined;
    let nearest: { text: string; cost: number } | undefined;
    for (const candidate of prepared) {
      const isSameMethod = candidate.method === method || (method === 'HEAD' && candidate.method === 'GET');
      const cost =
        (isSameMethod ? 0 : OTHER_METHOD_COST) + pathDistance(asked, candidate.segments, VERBS[method] ?? []);
      if (cost <= 1 && cost < (nearest?.cost ?? UNRELATED))
        nearest = { cost, text: `${candidate.method} ${candidate.path}` };
    }
    return nearest?.text;
  };
}

/** Returns the segments after `/api`, which callers omit most often. Skips empty segments. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter(Boolean);
  return segments[0] === 'api' ? segments.slice(1) : segments;
}

/** Returns the edit distance of two paths, by segment. The first segments, the nouns, must be similar. */
function pathDistance(asked: readonly string[], known: readonly string[], verbs: readonly string[]): number {
  if (Math.abs(asked.length - known.length) > 1) return UNRELATED;
  const first = segmentDistance(asked[0]!, known[0]!);
  if (first >= 1) return UNRELATED;
  let row = known.map((_, at) => insertionCost(known.slice(1, at + 1), verbs));
  for (let line = 1; line < asked.length; line += 1) {
    const next = [row[0]! + SEGMENT_COST];
    for (let at = 1; at < known.length; at += 1) {
      const same = row[at - 1]! + segmentDistance(asked[line]!, known[at]!);
      next.push(Math.min(same, row[at]! + SEGMENT_COST, next[at - 1]! + insertionCost([known[at]!], verbs)));
    }
    row = next;
  }
  return first + row.at(-1)!;
}

const insertionCost = (segments: readonly string[], verbs: readonly string[]): number =>
  segments.reduce((sum, segment) => sum + (verbs.includes(segment) ? VERB_COST : SEGMENT_COST), 0);

/** Returns the distance of two segments: 0 if equal, 1 or more if unrelated. */
function segmentDistance(asked: string, known: string): number {
  if (asked === known) return 0;
  if (known.startsWith('{')) return /\d|^\{/.test(asked) ? 0.05 : 0.6;
  if (asked.length > 2 && known.startsWith(`${asked}-`)) return 0.4;
  if (Math.abs(asked.length - known.length) > known.length / 2) return UNRELATED;
  const share = levenshtein(asked, known) / Math.max(asked.length, known.length);
  return share > 0.4 ? UNRELATED : share;
}

/** Levenshtein's distance. */
function levenshtein(one: string, other: string): number {
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
